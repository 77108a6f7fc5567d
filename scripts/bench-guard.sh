#!/usr/bin/env bash
# Measures what guards cost a program: scripts/bench-guard.sh [NAME...]
#
# Names are those of internal/tools/guardcost: words sqlite redis hot held. Without
# names the table also goes to docs/measurements/guard.md. RUNS is how often each
# program runs.
set -euo pipefail
cd "$(dirname "$0")/.."
write=()
if [ $# -eq 0 ]; then
	write=(-o docs/measurements/guard.md)
fi
scripts/corpus.sh build sqlite3 redis
make --no-print-directory -C .corpus/sqlite3/src shell.c >/dev/null
mkdir -p .corpus/bin .corpus/guard
go build -o .corpus/bin/guardcost ./internal/tools/guardcost
.corpus/bin/guardcost -corpus .corpus -work .corpus/guard -runs "${RUNS:-7}" "${write[@]}" "$@"
