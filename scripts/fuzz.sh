#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: scripts/fuzz.sh [TIME]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}
ran=0
for dir in $(go list -f '{{.Dir}}' ./...); do
	for target in $(cd "$dir" && grep -ho '^func Fuzz[A-Za-z0-9_]*' -- *_test.go 2>/dev/null | sed 's/^func //'); do
		echo "fuzz: $target in ${dir#"$PWD"/} for $time"
		(cd "$dir" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x .) # the minimiser stalls on large inputs
		ran=$((ran + 1))
	done
done
echo "fuzz: $ran targets"
