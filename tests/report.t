#!/bin/sh
# bonnie-report: every post read right, under every awk; refusals; statistics; the page
#
# Data are in report/: NAME.txt is a post, NAME.csv its right reading (label, size, twelve cells).
#     W*, S*, usenet94, ...   posts as they stood, and five made by hand
#     v-*                     variants: other forms, other marks, other programs around them
#     damaged-*               a row that cannot be read safely: NAME.lines has the lines to be named
#     refuse-*                no result in it, and nothing that looks like one
# To add a case, add the files. BONNIE_AWK is set here, for each awk in turn.

dir=$(cd "$(dirname "$0")" && pwd) || exit 1
report=$dir/../scripts/bonnie-report
data=$dir/report
tmp=$(mktemp -d "${TMPDIR:-/tmp}/report.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
results=$tmp/results
: >"$results"

# ok NAME STATUS: one line of result; what is in $tmp/why explains a failure
ok() {
	if [ "$2" -eq 0 ]; then
		echo "ok - $1" >>"$results"
	else
		echo "not ok - $1" >>"$results"
		[ ! -s "$tmp/why" ] || sed 's/^/# /' "$tmp/why" >>"$results"
	fi
	: >"$tmp/why"
}

skip() {
	echo "ok - $1 # SKIP $2" >>"$results"
}

# equal NAME WANT GOT
equal() {
	printf 'want %s\ngot  %s\n' "$2" "$3" >"$tmp/why"
	[ "$2" = "$3" ]
	ok "$1" $?
}

# run ARGUMENT...: output in $tmp/out, messages in $tmp/err, status in $status
run() {
	status=0
	"$report" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
}

# same FILE: is the reading in $tmp/out (with its header line) that of FILE? Labels and sizes as
# they are, figures within 0.1 %, an empty cell only where one must be.
same() {
	awk -v want="$1" '
	function cells(s, to,   n, f, i) {
		n = split(s, f, ",")
		for (i = 1; i <= 13; i++)
			to[14 - i] = f[n - i + 1]
		to[0] = f[1]
		for (i = 2; i <= n - 13; i++)
			to[0] = to[0] "," f[i]
		return n >= 14
	}
	function off(a, b,   d, e) {
		if ((a == "") != (b == ""))
			return 1
		d = a - b
		e = b * 0.001
		return (d < 0 ? -d : d) > (e < 0 ? -e : e)
	}
	function wrong(g, w,   a, b, i) {
		if (!cells(g, a) || !cells(w, b) || a[0] != b[0] || a[1] != b[1])
			return 1
		for (i = 2; i <= 13; i++)
			if (off(a[i], b[i]))
				return 1
		return 0
	}
	function fail(why) {
		print why
		bad = 1
		exit
	}
	NR == 1 { next }
	{
		if ((getline w <want) <= 0)
			fail("too many: " $0)
		if (wrong($0, w))
			fail("want " w "\ngot  " $0)
	}
	END {
		if (!bad && (getline w <want) > 0)
			fail("missing: " w)
		exit bad
	}' "$tmp/out" >"$tmp/why"
}

# ------------------------------------------------------------------ posts, under each awk

# What the status and the messages of post $1 must be.
said_right() {
	case $1 in
	damaged-*)
		[ "$status" -eq 1 ] &&
			sed -n 's/^bonnie-report: .*\.txt:\([0-9]*\): .*/\1/p' "$tmp/err" |
			cmp -s - "$data/$1.lines"
		;;
	refuse-*)
		[ "$status" -eq 1 ] && [ ! -s "$tmp/out" ] &&
			[ "$(cat "$tmp/err")" = 'bonnie-report: no result found' ]
		;;
	*)
		[ "$status" -eq 0 ] && { [ ! -s "$tmp/err" ] || ! grep -q -v ': warning: ' "$tmp/err"; }
		;;
	esac
}

# The posts that are read without complaint, all in one run; one by one only if that is not right,
# to say which. Then the damaged ones and those with no result.
read_posts() {
	: >"$tmp/right"
	set --
	for post in "$data"/*.csv; do
		case ${post##*/} in
		damaged-*) continue ;;
		esac
		cat "$post" >>"$tmp/right"
		set -- "$@" "${post%.csv}.txt"
	done
	awk=$BONNIE_AWK
	run -o csv "$@"
	if said_right all && same "$tmp/right"; then
		for post; do
			post=${post##*/}
			ok "$awk: ${post%.txt}" 0
		done
	else
		read_each "$@"
	fi
	read_each "$data"/damaged-*.txt "$data"/refuse-*.txt
}

read_each() {
	for post; do
		name=${post##*/}
		name=${name%.txt}
		run -o csv "$post"
		bad=0
		said_right "$name" || bad=1
		if [ "$bad" -ne 0 ]; then
			{
				echo "status $status"
				cat "$tmp/out" "$tmp/err"
			} >"$tmp/why"
		elif [ -f "$data/$name.csv" ]; then
			same "$data/$name.csv" || bad=1
		fi
		ok "$awk: $name" "$bad"
	done
}

# ------------------------------------------------------------------ statistics, under each awk

names='label,size,putc,%CPU,block,%CPU,rewrite,%CPU,getc,%CPU,read,%CPU,seeks,%CPU'

# rows LABEL SIZE VALUE...: csv rows whose block output is VALUE, all else missing
rows() {
	label=$1 size=$2
	shift 2
	for value; do
		echo "$label,$size,,,$value,,,,,,,,,"
	done
}

# cell STATISTIC [LABEL]: the block output in the line of that statistic
cell() {
	awk -F , -v s="$1" -v l="${2-a}" '$15 == s && $1 == l { print $5 }' "$tmp/out"
}

# Quantiles of Student, two-sided 95 %, as any printed table has them: the half-width of n values
# is quantile * sd / sqrt(n).
student() {
	{
		echo "$names"
		# shellcheck disable=SC2046 # a list of numbers
		for n in 2 3 4 5 6 7 8 9 10 11 30 121; do
			rows "$n" 100 $(awk -v n="$n" 'BEGIN {
				for (i = 1; i <= n; i++)
					print 1000 + i * i % 7 * 9 + i
			}')
		done
	} >"$tmp/in"
	run -a -o csv "$tmp/in"
	awk -F , '
	BEGIN {
		split("2 3 4 5 6 7 8 9 10 11 30 121", n, " ")
		k = split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.045 1.980", t, " ")
	}
	{ v[$1, $15] = $5 }
	END {
		for (i = 1; i <= k; i++) {
			r = n[i]
			for (j = 0; j < 40; j++)
				r = (r + n[i] / r) / 2
			d = (v[n[i], "sd"] > 0) ? v[n[i], "ci95"] * r / v[n[i], "sd"] - t[i] : 9
			if (d > 0.0006 || d < -0.0006) {
				print "n = " n[i] ", quantile " t[i] ": off by " d
				bad = 1
			}
		}
		exit bad
	}' "$tmp/out" >"$tmp/why"
	ok "$1: quantiles of Student" $?
}

statistics() {
	# a: 100 110 120: mean 110, sd 10, half-width 4.30265 * 10 / sqrt(3) = 24.84138
	{
		echo "$names"
		rows a 100 100 110 120
		echo 'a,100,,,+++++,+++,,,,,5,1,,'
		rows b 1G 100
		rows b 2G 300
		rows b 1024M 200
		rows b 1024:64k 900
	} >"$tmp/in"
	run -a -o csv "$tmp/in"
	equal "$1: -a mean" 110.000 "$(cell mean)"
	equal "$1: -a sd" 10.000000 "$(cell sd)"
	equal "$1: -a min, max, n: pluses are missing, not 0" '100.000 120.000 3' \
		"$(cell min) $(cell max) $(cell n)"
	equal "$1: -a half-width" 24.841377 "$(cell ci95)"
	equal "$1: -a never mixes sizes, and knows one size in two forms" '150.000 300.000 900.000' \
		"$(cell mean b | tr '\n' ' ' | sed 's/ $//')"

	# a: mean 11, variance 1; b: mean 23, variance 36; n = 3: t = 12 / sqrt(37/3) = 3.417 at
	# 2.11 degrees of freedom, whose quantile is 4.09. (Pooled: 4 degrees, 2.776.)
	# c: mean 26: t = 15 / sqrt(37/3) = 4.271, above 4.09.
	{
		echo "$names"
		rows a 100 10 11 12
		rows b 100 17 23 29
		rows c 100 20 26 32
	} >"$tmp/in"
	run -c -o csv "$tmp/in"
	equal "$1: -c ratio, unproven and proven by Welch" '209.1 no yes' \
		"$(cell ratio_percent b) $(cell proven b) $(cell proven c)"

	{ echo "$names" && rows a 100 100 100 && rows b 100 100 100 && rows c 100 150 150; } >"$tmp/in"
	run -c -o csv "$tmp/in"
	equal "$1: -c without any spread" 'no yes' "$(cell proven b) $(cell proven c)"
}

for awk in mawk gawk 'busybox awk' original-awk; do
	if [ "$($awk 'BEGIN { print 1 }' 2>/dev/null)" = 1 ]; then
		BONNIE_AWK=$awk
		export BONNIE_AWK
		read_posts
		statistics "$awk"
		student "$awk"
	else
		skip "$awk" "$awk is not installed"
	fi
done
unset BONNIE_AWK

# ------------------------------------------------------------------ options and status

head='Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU'
row='host1    1024  9002 98.0 15893 15.1  6519 10.8  8907 83.9 17323 12.1 120.8  2.0'

for args in -x --nosuch '-o xml' '-u G' '-k name' -o; do
	# shellcheck disable=SC2086 # some are two words
	run $args
	bad=0
	[ "$status" -eq 2 ] && [ ! -s "$tmp/out" ] && grep -q '^usage: ' "$tmp/err" || bad=1
	ok "status 2 and the usage: $args" "$bad"
done
for args in -h --help; do
	run $args
	bad=0
	[ "$status" -eq 0 ] && grep -q '^usage: ' "$tmp/out" && [ ! -s "$tmp/err" ] || bad=1
	ok "status 0 and the usage on stdout: $args" "$bad"
done

run /dev/null
equal 'nothing to read: status and message' '1 bonnie-report: no result found' \
	"$status $(cat "$tmp/err")"

cp "$data/W08.txt" "$tmp/a=b.txt"
(cd "$tmp" && "$report" -o csv a=b.txt >out 2>err)
ok 'a file whose name has a =' $?
same "$data/W08.csv"
ok 'and it is read' $?

run -o csv "$data/W08.txt" "$tmp/missing" "$tmp"
equal 'a missing file and a directory: status' 1 "$status"
equal 'both are named' 2 "$(grep -c -e 'missing: no such file' -e 'is a directory' "$tmp/err")"
same "$data/W08.csv"
ok 'and the rest is read' $?

printf '%s\n%s\n' "$head" "$row" | "$report" -o csv - "$data/W08.txt" >"$tmp/out" 2>"$tmp/err"
equal 'standard input and a file' 3 "$(grep -c , "$tmp/out")"

printf '%s\n%s\n' "$head" "${row%??????}" | "$report" >"$tmp/out" 2>"$tmp/err"
equal 'standard input is named in a complaint' 1 "$(grep -c '^bonnie-report: stdin:2: ' "$tmp/err")"

if [ -w /dev/full ]; then
	"$report" "$data/W08.txt" >/dev/full 2>"$tmp/err"
	equal 'standard output is full' 1 $?
else
	skip 'standard output is full' 'no /dev/full'
fi

# ------------------------------------------------------------------ warnings

run "$data/W07.txt"
equal 'page cache by %CPU: warned, status 0' '0 1' \
	"$status $(grep -c 'warning: .*page cache' "$tmp/err")"
echo 'a,100,,,1000,5,900,5,,,8000,9,100,1' >"$tmp/in"
run "$tmp/in"
equal 'page cache by input over output' 1 "$(grep -c '8 times block output' "$tmp/err")"
run "$data/W08.txt"
equal 'no warning for a plain row' '' "$(cat "$tmp/err")"
{ echo "$names" && rows a 100 10 11 && rows b 200 10 11; } >"$tmp/in"
run -c "$tmp/in"
equal '-c: sizes differ' 1 "$(grep -c 'warning: sizes differ' "$tmp/err")"
run -c -k both "$tmp/in"
equal '-c -k both: other sizes are not compared' '1 0' \
	"$(grep -c 'not compared' "$tmp/err") $(grep -c '% of base  ' "$tmp/out")"
run -c -k size -o csv "$tmp/in"
equal '-c -k size: by size' 100.0 "$(cell ratio_percent b)"
{ echo "$names" && rows a 100 10 11 && rows b 100 10; } >"$tmp/in"
run -c "$tmp/in"
equal '-c: n = 1 is said' 1 "$(grep -c 'n = 1' "$tmp/out")"
cat "$tmp/in" "$tmp/in" >"$tmp/in2"
run -a "$tmp/in2"
equal '-a: the same figures twice' 3 "$(grep -c 'the same figures as' "$tmp/err")"

# ------------------------------------------------------------------ output

run -u M -o table "$data/W08.txt"
equal '-u M' '1024 8.791 98.0 15.52 15.1 6.366 10.8 5.958 78.6 22.78 24.4 104.3 2.2' \
	"$(sed -n 4p "$tmp/out" | tr -s ' ' | sed 's/^ //')"
equal '-u M: unit in the header' 5 "$(grep -o MiB/s "$tmp/out" | grep -c .)"
run -u M -o csv "$data/W08.txt"
same "$data/W08.csv"
ok '-u M leaves csv in K/sec' $?

run -o table "$data/W35.txt"
equal 'table: all lines as long as the first' 1 \
	"$(awk '{ print length($0) }' "$tmp/out" | sort -u | grep -c .)"

# Each of our outputs is one of our inputs.
for form in table md html; do
	for name in W02 W44 W56 W58 usenet94 lustre08 raidpage tabbed02; do
		run -o "$form" "$data/$name.txt"
		"$report" -o csv <"$tmp/out" >"$tmp/out2" 2>/dev/null
		mv "$tmp/out2" "$tmp/out"
		same "$data/$name.csv"
		ok "$form read back: $name" $?
	done
done
for form in table csv md html; do
	"$report" -a -o "$form" "$data/W23.txt" >"$tmp/in" 2>/dev/null
	run -o csv "$tmp/in"
	equal "$form of -a is not taken for runs" '1 0' "$status $(grep -c . "$tmp/out")"
done

cat >"$tmp/in" <<'EOF'
label,size,putc,%CPU,block,%CPU,rewrite,%CPU,getc,%CPU,read,%CPU,seeks,%CPU
"<b>&""x"" | *y*, z",100,1000,9,2000,9,1000,9,1000,9,2000,9,100,1
EOF
run -o csv "$tmp/in"
equal 'csv: label quoted' '"<b>&""x"" | *y*, z",100' "$(sed -n '2s/,1000,9,2000.*//p' "$tmp/out")"
run -o md "$tmp/in"
equal 'md: label escaped' '| &lt;b>&amp;"x" &#124; &#42;y&#42;, z ' \
	"$(sed -n '3s/| 100 .*//p' "$tmp/out")"
run -o html "$tmp/in"
equal 'html: label escaped' 0 "$(grep -c -e '<b>' -e '&"' "$tmp/out")"
equal 'html: label there' 1 \
	"$(grep -c '<th class="l" scope="row">&lt;b&gt;&amp;&quot;x&quot; | \*y\*, z</th>' "$tmp/out")"
equal 'html: a chart for each column' 12 "$(grep -c '<svg ' "$tmp/out")"

for awk in mawk gawk 'busybox awk' original-awk; do
	[ "$($awk 'BEGIN { print 1 }' 2>/dev/null)" = 1 ] || continue
	for form in table csv md html; do
		BONNIE_AWK=$awk "$report" -a -c -u M -o "$form" "$data/v-json.txt" "$data/W26.txt" \
			"$data/raidpage.txt" >"$tmp/$form" 2>"$tmp/err"
		[ -s "$tmp/$form.first" ] || cp "$tmp/$form" "$tmp/$form.first"
		cmp "$tmp/$form.first" "$tmp/$form" >"$tmp/why" 2>&1
		ok "$awk: $form is as under the other awks" $?
	done
done

run -a -c -o html "$data/v-json.txt" "$data/W26.txt" "$data/v-ownhtml.txt"
equal 'html: status' 0 "$status"
equal 'html: no script, nothing from elsewhere' 0 \
	"$(grep -c -i -e '<script' -e 'http' -e '<link' -e '<img' "$tmp/out")"
equal 'html: rate over time of putc' 1 \
	"$(grep -c 'Per-char output, rate over time' "$tmp/out")"
equal 'html: latency of putc' 1 \
	"$(grep -c '<td>12.1 &#181;s</td><td>99 &#181;s</td><td>1.23 ms</td>' "$tmp/out")"
if command -v xmllint >/dev/null 2>&1; then
	xmllint --noout "$tmp/out" 2>"$tmp/why"
	ok 'html: well-formed' $?
else
	skip 'html: well-formed' 'xmllint is not installed'
fi

awk '/^ok|^not ok/ { n++; sub(/ok/, "ok " n) } { line[NR] = $0 }
END { print "1.." n; for (i = 1; i <= NR; i++) print line[i] }' "$results"
! grep -q '^not ok' "$results"
