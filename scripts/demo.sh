#!/usr/bin/env bash
# Shows plumb on examples/demo: finds its leaks through an ordinary build, then
# once more from the cache.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# step prints a command, runs it, and insists on its exit status.
step() {
	local want=$1 got=0
	shift
	printf '\n$ %s\n' "${*//$out/\$OUT}"
	"$@" || got=$?
	if [ "$got" -ne "$want" ]; then
		echo "demo: exit status $got, expected $want" >&2
		exit 1
	fi
	printf '[exit status %d]\n' "$got"
}

plumb=(bin/plumb check --cache-dir "$out/cache")
build=(make -s -B -C examples/demo CC=clang-19 "OUT=$out")

echo "examples/demo is a small INI reader with a few leaks, and a Makefile that knows nothing of plumb."
step 1 "${plumb[@]}" --write-compile-commands "$out/compile_commands.json" -- "${build[@]}"
step 0 "$out/demo" examples/demo/demo.ini

echo
echo "Once more, from the compile commands that were recorded, as SARIF: plumb compiles nothing twice."
step 1 "${plumb[@]}" -p "$out" --format sarif -o "$out/demo.sarif"
grep -o '"ruleId": "[^"]*"' "$out/demo.sarif" | sort | uniq -c
