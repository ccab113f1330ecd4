# The static functions of bonnie.c, and rows of real posts through the formatter.
. tests/lib.sh

ok "tests/unit.c is compiled with $CC" "$CC" -O1 -g -o "$T/unit" tests/unit.c
# unit prints "ok TEXT" or "not ok TEXT" lines; it numbers nothing.
$RUN "$T/unit" >"$T/lines" 2>&1
is "unit ends with status 0" "$?" 0
while read -r line; do
	case $line in
	"ok "*) ok "${line#ok }" true ;;
	"not ok "*) ok "${line#not ok }" false ;;
	"#"*) echo "$line" ;;
	*) ok "unit printed: $line" false ;;
	esac
done <"$T/lines"
ok "unit has made its checks" test "$(wc -l <"$T/lines")" -gt 50

for post in usenet94 lustre08; do
	$RUN "$T/unit" rows "tests/data/$post.csv" >"$T/$post" 2>&1
	ok "$post comes out as in tests/data/$post.txt" cmp -s "$T/$post" "tests/data/$post.txt"
	# The figures are those of the post, whatever the widths.
	awk -F, '{ for (i = 3; i <= 14; i++) printf "%s ", $i + 0; print "" }' "tests/data/$post.csv" >"$T/want"
	awk '!/-/ && !/Machine/ { for (i = NF - 11; i <= NF; i++) printf "%s ", $i + 0; print "" }' \
		"$T/$post" >"$T/got"
	ok "$post keeps its figures" cmp -s "$T/got" "$T/want"
	# Aligned: every line of a table is as wide as its header.
	is "$post is aligned under each header" "$(awk '/Per Char/ { w = length }
		!/Sequential/ && length != w { bad++ } END { print bad + 0 }' "$T/$post")" 0
done
finish
