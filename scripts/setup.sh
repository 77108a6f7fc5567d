#!/usr/bin/env bash
# Installs the Debian packages that plumb's demo, tests and measurements use.
#
# usage: scripts/setup.sh GROUP...
#
# Groups: base (demo), test, corpus. It says what it installs, does nothing when
# all is there, and without root prints the command to run. Packages marked with
# a ? are left out where the release does not have them; tests that need them
# say so and skip.
set -euo pipefail

group() {
	case $1 in
	base) echo clang-19 llvm-19-dev libc6-dev make ;;
	test)
		echo clang-19 llvm-19 llvm-19-dev libclang-rt-19-dev gcc g++ make z3
		echo clang-14? llvm-14? clang-15? llvm-15? clang-16? llvm-16? clang-22? llvm-22? llvm-22-dev? cmake? valgrind? graphviz?
		;;
	corpus)
		echo clang-19 llvm-19 gcc g++ make cmake dpkg-dev ca-certificates
		echo pkg-config autoconf automake bison libevent-dev libncurses-dev tcl
		echo libgnutls28-dev libidn2-dev libpcre2-dev libpsl-dev nettle-dev uuid-dev zlib1g-dev
		;;
	*)
		echo "setup: no group named '$1'; use base, test or corpus" >&2
		return 1
		;;
	esac
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# No pipe into grep -q here: under pipefail the loser of that race fails it.
available() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]; }

if [ $# -eq 0 ]; then
	sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi

wanted=()
for g in "$@"; do
	list=$(group "$g")
	read -r -d '' -a packages <<<"$list" || true
	wanted+=("${packages[@]}")
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "setup: this is not Debian; if something is missing, install your system's packages for: ${wanted[*]//\?/}" >&2
	exit 0
fi

# missing fills $required and $optional with what is not installed. An optional
# package counts only if the release has it.
missing() {
	required=() optional=()
	local p
	for p in "${wanted[@]}"; do
		if installed "${p%\?}"; then
			continue
		elif [ "$p" = "${p%\?}" ]; then
			required+=("$p")
		elif available "${p%\?}"; then
			optional+=("${p%\?}")
		fi
	done
}

nothing_missing() {
	missing
	[ ${#required[@]} -eq 0 ] && [ ${#optional[@]} -eq 0 ]
}

if nothing_missing; then
	exit 0
fi

if [ "$(id -u)" -ne 0 ]; then
	echo "setup: these packages are missing; run" >&2
	echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${required[*]} ${optional[*]}" >&2
	# Without the optional ones less is tested, and the tests say what.
	[ ${#required[@]} -eq 0 ] && exit 0
	exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -q -o DPkg::Lock::Timeout=600)
"${apt[@]}" update >&2
if nothing_missing; then # the lists named a package that the release has no more
	exit 0
fi
echo "setup: installing ${required[*]} ${optional[*]}" >&2
"${apt[@]}" install -y --no-install-recommends "${required[@]}" "${optional[@]}" >&2
