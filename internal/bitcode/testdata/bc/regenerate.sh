#!/bin/sh
# Rebuilds the bitcode in this directory. The files are kept so that tests of
# broken input need no clang.
set -eu
cd "$(dirname "$0")"
flags="-c -emit-llvm -g -w -fdebug-compilation-dir=/src -fno-discard-value-names"
for v in 14 19 22; do
	clang-$v $flags -O0 -Xclang -disable-O0-optnone seed.c -o c-$v.bc
done
clang-16 $flags -O2 seed.c -o opt-16.bc
clang-19 $flags -O0 -Xclang -disable-O0-optnone seed.cpp -o cxx-19.bc
