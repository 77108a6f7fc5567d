#!/usr/bin/env bash
# Scores plumb on an annotated suite of leaky and clean programs.
#
# usage: scripts/score.sh BENCH [SUITE]
#
# BENCH holds score.py and one directory per suite; SUITE (public) holds one
# directory per case with its sources and case.json. SARIF goes to bin/score/SUITE.
set -euo pipefail
cd "$(dirname "$0")/.."

bench=${1:-}
suite=${2:-public}
if [ -z "$bench" ] || [ ! -f "$bench/score.py" ] || [ ! -d "$bench/$suite" ]; then
	echo "score: no suite found in '$bench'; name a directory with score.py and $suite/ by: make score BENCH=DIR" >&2
	exit 2
fi
command -v python3 >/dev/null || { echo "score: python3 is missing; install it" >&2; exit 2; }

plumb=$PWD/bin/plumb
out=$PWD/bin/score/$suite
rm -rf "$out"
mkdir -p "$out"
failed=0
for dir in "$bench/$suite"/*/; do
	name=$(basename "$dir")
	[ -f "$dir/case.json" ] || continue
	{ read -r std; read -r files; } < <(python3 -c '
import json, sys
c = json.load(open(sys.argv[1]))
print("-std=gnu++17" if c["lang"] == "c++" else "-std=gnu11")
print(*c["files"])' "$dir/case.json")
	status=0
	# shellcheck disable=SC2086 # file names of a suite have no spaces
	(cd "$dir" && "$plumb" check -q --format sarif -o "$out/$name.sarif" $files -- "$std") || status=$?
	if [ "$status" -gt 1 ]; then
		echo "score: $name: plumb failed with exit status $status" >&2
		failed=$((failed + 1))
	fi
done
python3 "$bench/score.py" "$(cd "$bench/$suite" && pwd)" "$out" --list
if [ "$failed" -gt 0 ]; then
	echo "score: plumb failed on $failed cases" >&2
	exit 1
fi
