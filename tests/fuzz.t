# The corpus of the fuzzer (tests/fuzz.c): every text that once reached something new in the readers
# of numbers, cgroups and mounts, under the sanitizers where the compiler has them.
. tests/lib.sh
flags='-fsanitize=address,undefined -fno-sanitize-recover=all'
echo 'int main(void) { return 0; }' >"$T/true.c"
# shellcheck disable=SC2086 # a list of words
if ! "$CC" $flags -o "$T/true" "$T/true.c" >"$T/cc" 2>&1 || ! "$T/true" >>"$T/cc" 2>&1; then
	skip "sanitizers" "$CC has none: $(head -n 1 "$T/cc")"
	flags=
fi
# shellcheck disable=SC2086
ok "tests/fuzz.c is compiled" "$CC" -g -O1 $flags -o "$T/fuzz" tests/fuzz.c
set -- tests/corpus/*
"$T/fuzz" "$@" >"$T/out" 2>&1
is "the corpus: status" "$?" 0
is "the corpus: all files were read" "$(tail -n 1 "$T/out")" "$# files"
ok "the corpus: there is one" test $# -gt 20
finish
