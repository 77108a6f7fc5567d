#!/usr/bin/env bash
# Ten threads allocating and losing for a minute, then the same with two of them
# forking: scripts/stress-run.sh [SECONDS]
#
# The program says how many blocks it lost; the reports must say the same, of the
# process and of each child, built with tracking and built without. A hang is a
# failure too.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=internal/rt/testdata/proc/minute.c
bin/plumb cc -O2 -pthread -o "$work/tracked" "$source"
"${CC:-cc}" -O2 -fno-builtin -pthread -o "$work/plain" "$source"
runtime=$(ldd "$work/tracked" | awk '/libplumb_rt/ { print $3 }')

fail() {
	echo "stress-run: $*" >&2
	exit 1
}

for build in tracked plain; do
	for how in threads forks; do
		out="$work/$build-$how"
		mkdir "$out"
		duration=$seconds
		args=()
		if [ $how = forks ]; then
			duration=$(((seconds + 3) / 4))
			args=(forks)
		fi
		said=$(timeout -s KILL $((duration * 4 + 120)) env PLUMB_OPTIONS="out=$out:kinds=lost" LD_PRELOAD="$runtime" \
			"$work/$build" "$duration" "${args[@]}") || fail "$build $how: status $?"
		read -r lost children <<<"$said"
		# A child is told by the blocks that only children lose.
		own=0 forked=0
		for f in "$out"/*.plumb; do
			[ "$(tail -n 1 "$f")" = end ] || fail "$build $how: $f has no end"
			count() { awk -F'\t' -v size="$1" '$1 == "block" && $2 == "lost" && $4 == size * $3 { n += $3 } END { print n + 0 }' "$f"; }
			if [ "$(count 7776)" -gt 0 ]; then
				[ "$(count 7776)" = 5 ] || fail "$build $how: a child lost 5 blocks, its report says $(count 7776)"
				forked=$((forked + 1))
			else
				own=$((own + 1))
				got=$(awk -F'\t' '$1 == "total" { print $4, $5 }' "$f")
				[ "$got" = "$lost $((lost * 32))" ] || fail "$build $how: lost $lost blocks, the report says $got"
			fi
		done
		[ $own = 1 ] && [ $forked = "$children" ] || fail "$build $how: $children children, $forked reports of children, $own of the process"
		echo "$build, $how, $duration s: $lost blocks lost, $children children, all reported"
	done
done
