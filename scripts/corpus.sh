#!/usr/bin/env bash
# Fetches and builds the real programs that plumb is measured on.
#
# usage: scripts/corpus.sh fetch|build NAME...
#
# Names: sqlite3 redis tmux lighttpd lua5.4 leveldb openssh wget. Sources are Debian's, by apt-get source from
# the mirror that this machine uses; its apt configuration is not touched. All
# goes to .corpus/NAME: src, version, compile_commands.json. What is there is
# kept; remove .corpus/NAME to do it again. build fetches first.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
corpus=$root/.corpus

usage() {
	sed -n '4,9s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

say() { echo "corpus: $*" >&2; }

# ours reports whether the address of a repository is one of Debian itself, or
# of a mirror by its path. Others that end so have no component main.
ours() { [[ $1 =~ ^[a-z+]+://([^/]*\.)?debian\.org/ || $1 =~ /debian(-security)?/?$ ]]; }

# oneline turns the deb entries of a sources.list into deb-src entries.
oneline() {
	local type rest word
	while read -r type rest; do
		[[ $type =~ ^deb(-src)?$ && $rest =~ [[:space:]]main([[:space:]]|$) ]] || continue
		for word in ${rest/\[*\]/}; do
			if ours "$word"; then
				# The option arch says nothing of sources.
				sed -E 's/ ?arch=[^] ]*//; s/^\[ *\] *//; s/^/deb-src /' <<<"$rest"
			fi
			break
		done
	done <"$1"
}

# deb822 does the same for a file of paragraphs.
deb822() {
	local paragraph uri word
	while IFS= read -r -d '' paragraph; do
		grep -qi '^types:.*deb' <<<"$paragraph" && grep -qiw '^components:.*main' <<<"$paragraph" || continue
		grep -qi '^enabled: *no' <<<"$paragraph" && continue
		uri=''
		for word in $(sed -n 's/^[Uu][Rr][Ii][Ss]: *//p' <<<"$paragraph"); do
			ours "$word" && uri+=" $word"
		done
		[ -n "$uri" ] || continue
		grep -viE '^(types|uris|architectures|#)' <<<"$paragraph" | sed "1iTypes: deb-src\nURIs:$uri"
		echo
	done < <(grep -v '^#' "$1" | awk -v RS= -v ORS='\0' '{ print $0 "\n" }')
}

# sources writes deb-src lists to a directory, from the machine's own.
sources() {
	local f
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		if [ -f "$f" ]; then oneline "$f"; fi
	done | sort -u >"$1/debian.list"
	for f in /etc/apt/sources.list.d/*.sources; do
		if [ -f "$f" ]; then deb822 "$f"; fi
	done >"$1/debian.sources"
	if ! [ -s "$1/debian.list" ] && ! [ -s "$1/debian.sources" ]; then
		say "no Debian repository in /etc/apt/sources.list or /etc/apt/sources.list.d"
		exit 1
	fi
}

# fetch gets the sources that are missing, all with one list of packages.
fetch() {
	local name missing=()
	for name in "$@"; do
		[ -f "$corpus/$name/version" ] || missing+=("$name")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	command -v dpkg-source >/dev/null || { say "dpkg-source is missing: scripts/setup.sh corpus"; exit 1; }

	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	mkdir -p "$tmp/parts" "$tmp/lists/partial" "$tmp/cache/archives/partial" "$tmp/get"
	sources "$tmp/parts"
	local apt=(apt-get -q -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$tmp/parts"
		-o "Dir::State::lists=$tmp/lists" -o "Dir::Cache=$tmp/cache" -o "APT::Sandbox::User=")
	"${apt[@]}" update >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }
	for name in "${missing[@]}"; do
		say "fetching $name"
		rm -rf "${corpus:?}/$name" "$tmp/get/"*
		mkdir -p "$corpus/$name"
		(cd "$tmp/get" && "${apt[@]}" source --download-only "$name") >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }
		dpkg-source --no-check -x "$tmp/get/"*.dsc "$corpus/$name/src" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }
		sed -n 's/^Version: //p;/^Version: /q' "$tmp/get/"*.dsc >"$corpus/$name/version"
	done
	rm -rf "$tmp"
	trap - EXIT
}

# intercept records the compile commands of a build.
intercept() {
	local name=$1 status=0
	shift
	"$root/bin/plumb" check -q --clang clang-19 --cache-dir "$corpus/cache" --format json -o "$corpus/$name/findings.json" \
		--write-compile-commands "$corpus/$name/commands.tmp" -- "$@" || status=$?
	[ "$status" -le 1 ]
	mv "$corpus/$name/commands.tmp" "$corpus/$name/compile_commands.json"
}

build_sqlite3() {
	./configure --disable-tcl
	make sqlite3.c
	printf '[\n{"directory": "%s", "file": "sqlite3.c", "arguments": ["cc", "-c", "sqlite3.c"]}\n]\n' "$PWD" \
		>"$corpus/sqlite3/compile_commands.json"
}

# What the build itself makes is of no use here, so it need not be fast code.
build_redis() { intercept redis make -j2 MALLOC=libc OPTIMIZATION=-O0; }

build_tmux() {
	./configure CFLAGS=-O0
	intercept tmux make -j2
}

build_lighttpd() {
	cmake -S . -B "$corpus/lighttpd/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DWITH_PCRE2=OFF
	# Some of its sources are made by the build.
	cmake --build "$corpus/lighttpd/build" -j2
	cp "$corpus/lighttpd/build/compile_commands.json" "$corpus/lighttpd/"
}

# Debian's makefile needs libtool; the sources are all there is to lua, but for a
# header that the rules of the package make.
build_lua5.4() {
	local f sep='['
	echo '#define DEB_HOST_MULTIARCH "any-linux-gnu"' >src/lua5.4-deb-multiarch.h
	for f in src/*.c; do
		printf '%s\n{"directory": "%s", "file": "%s", "arguments": ["cc", "-c", "-DLUA_USE_LINUX", "%s"]}' "$sep" "$PWD" "$f" "$f"
		sep=','
	done >"$corpus/lua5.4/compile_commands.json"
	printf '\n]\n' >>"$corpus/lua5.4/compile_commands.json"
}

build_leveldb() {
	cmake -S . -B "$corpus/leveldb/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
		-DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF
	cp "$corpus/leveldb/build/compile_commands.json" "$corpus/leveldb/"
}

build_openssh() {
	./configure --without-openssl --without-zlib
	intercept openssh make -j2
}

# Its manual needs texinfo.
build_wget() {
	./configure --with-ssl=gnutls CFLAGS=-O0
	intercept wget make MAKEINFO=true
}

# build makes the compile commands of a program, and the files that they need.
build() {
	local name log status
	fetch "$@"
	[ -x bin/plumb ] || make --no-print-directory build >&2
	for name in "$@"; do
		[ -f "$corpus/$name/compile_commands.json" ] && continue
		log=$corpus/$name/build.log
		say "building $name"
		set +e # in a condition the subshell would go on after a failure
		(set -e; cd "$corpus/$name/src"; "build_$name") >"$log" 2>&1
		status=$?
		set -e
		if [ "$status" -ne 0 ]; then
			tail -n 20 "$log" >&2
			say "$name does not build; all of it is in $log"
			exit 1
		fi
	done
}

[ $# -ge 2 ] || usage
for name in "${@:2}"; do
	case $name in
	sqlite3 | redis | tmux | lighttpd | lua5.4 | leveldb | openssh | wget) ;;
	*) say "no program named '$name'" && usage ;;
	esac
done
case $1 in
fetch | build) "$@" ;;
*) usage ;;
esac
