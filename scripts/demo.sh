#!/usr/bin/env bash
# Shows plumb on examples/demo: finds its leaks through an ordinary build, once
# more from the cache, pinpoints those that a run of the program shows, and fixes
# all of them in a copy, which is then clean.
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

echo
echo "Now the program itself: built with plumb's compiler, run, and asked where it lost the last pointer to a block."
echo "(The first time, plumb builds its compiler plugin and runtime: some seconds.)"
step 0 make -s -B -C examples/demo CC="$PWD/bin/plumb cc" "OUT=$out"
step 1 bin/plumb run --exit-code 1 "$out/demo" examples/demo/demo.ini

echo
echo "Both together: findings that a run has confirmed say so."
step 1 bin/plumb run -q --exit-code 1 --format json -o "$out/run.json" "$out/demo" examples/demo/demo.ini
step 1 "${plumb[@]}" -p "$out" --confirm "$out/run.json" -o "$out/both.txt"
grep 'confirmed by a run' "$out/both.txt"

echo
echo "And the fix, in a copy of the program: a patch, proved; applied; then nothing is left to find, and nothing is lost."
cp -r examples/demo "$out/src"
export PATH="$PWD/bin:$PATH"
cd "$out/src"
step 0 plumb fix --cache-dir "$out/cache" main.c ini.c
step 0 plumb fix -q --cache-dir "$out/cache" --apply main.c ini.c
step 0 plumb check --cache-dir "$out/cache" main.c ini.c
step 0 plumb run --exit-code 1 main.c ini.c -- demo.ini
