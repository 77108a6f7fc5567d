#!/usr/bin/env bash
# Measures plumb against the compiler on real programs: scripts/bench.sh [NAME...]
#
# Names are those of scripts/corpus.sh. Without names the table
# also goes to docs/measurements/speed.md.
set -euo pipefail
cd "$(dirname "$0")/.."
write=()
if [ $# -eq 0 ]; then
	set -- sqlite3 redis tmux lighttpd lua5.4
	write=(-o docs/measurements/speed.md)
fi
scripts/corpus.sh build "$@"
mkdir -p .corpus/bin
go build -o .corpus/bin/ratio ./internal/tools/ratio
.corpus/bin/ratio -cache .corpus/cache -plumb bin/plumb "${write[@]}" "${@/#/.corpus/}"
