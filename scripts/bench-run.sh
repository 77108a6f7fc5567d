#!/usr/bin/env bash
# Measures what tracking costs a program: scripts/bench-run.sh [NAME...]
#
# Names are those of internal/tools/overhead: alloc chase compute stl sqlite
# redis. Without names the table also goes to docs/measurements/run.md. RUNS is
# how often each program runs.
set -euo pipefail
cd "$(dirname "$0")/.."
write=()
if [ $# -eq 0 ]; then
	write=(-o docs/measurements/run.md)
fi
scripts/corpus.sh build sqlite3 redis
make --no-print-directory -C .corpus/sqlite3/src shell.c >/dev/null
mkdir -p .corpus/bin .corpus/run
go build -o .corpus/bin/overhead ./internal/tools/overhead
.corpus/bin/overhead -plumb bin/plumb -corpus .corpus -work .corpus/run -runs "${RUNS:-5}" "${write[@]}" "$@"
