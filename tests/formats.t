# csv and json: what a program reads.  The options of bonnie++ 1.03, and another user.
. tests/lib.sh
. tests/step.sh
mkdir "$T/d"
root=
[ "$(id -u)" != 0 ] || root=yes
me=$(id -un) group=$(id -gn)

# bonnie ARG...: runs on $T/d with a file of 1 MiB and 100 seeks.
bonnie() {
	"$BONNIE" -d "$T/d" -s 1::100 "$@" >"$T/out" 2>"$T/err" </dev/null
}

# The fields of csv, read as RFC 4180 says, a line each, in brackets.
fields() {
	awk '{
		n = 1
		field[1] = ""
		quoted = 0
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (quoted && c == "\"" && substr($0, i + 1, 1) == "\"") {
				field[n] = field[n] c
				i++
			} else if (c == "\"")
				quoted = !quoted
			else if (c == "," && !quoted)
				field[++n] = ""
			else
				field[n] = field[n] c
		}
		for (i = 1; i <= n; i++)
			print "[" field[i] "]"
	}' "$@"
}

# shape FILE: each field as N (whole number), N.N (one decimal), empty, or as it is.
shape() {
	fields "$1" | sed 's/^\[[0-9][0-9]*\]$/N/; s/^\[[0-9][0-9]*\.[0-9]\]$/N.N/; s/^\[\]$/empty/' | tr '\n' ' '
}

# What is wrong with a file of json, and the status of its reader.
json() {
	awk -f tests/json.awk "$1"
	echo "status $?"
}

# figure NAME: a value of the json in $T/flat.
figure() {
	sed -n "s/^$1=//p" "$T/flat"
}

six='N N N N N N N N N N N N'
# --- csv: the fields.
bonnie -o csv -m yakko -n 1:10240:1024:16
is "csv: status 0" "$?" 0
is "csv: one line" "$(wc -l <"$T/out" | tr -d ' ')" 1
is "csv: 27 fields, the seeks with one decimal, all else whole" "$(shape "$T/out")" \
	"[yakko] [1M] N N N N N N N N N N N.N N [1:10240:1024/16] $six "
bonnie -o csv -m yakko
is "csv: no -n: 13 empty fields" "$(shape "$T/out")" \
	"[yakko] [1M] N N N N N N N N N N N.N N $(yes empty | sed 13q | tr '\n' ' ')"
bonnie -o csv -m yakko -f
is "csv: -f: four empty fields more" "$(shape "$T/out")" \
	"[yakko] [1M] empty empty N N N N empty empty N N N.N N $(yes empty | sed 13q | tr '\n' ' ')"
"$BONNIE" -d "$T/d" -s 0 -n 1 -o csv -m yakko >"$T/out" 2>"$T/err"
is "csv: -s 0" "$(shape "$T/out")" "[yakko] $(yes empty | sed 13q | tr '\n' ' ')N $six "
bonnie -o csv -f
is "csv: the node name stands for a label" "$(fields "$T/out" | sed 1q)" "[$(uname -n)]"
while IFS='=' read -r given told; do
	"$BONNIE" -d "$T/d" -f -o csv -s "$given" >"$T/out" 2>"$T/err"
	is "csv: -s $given is told as $told" "$(fields "$T/out" | sed -n 2p)" "[$told]"
done <<-EOT
	2::50=2M
	2M:4k:50=2M:4k
	1m:16k:50=1M
	1024k:256k:50=1M:256k
	64k:512:50=64k:512
	2MiB:1m:50=2M:1024k
EOT
while IFS= read -r label; do
	bonnie -f -o csv -m "$label"
	is "csv: label $label: read back, 27 fields" \
		"$(fields "$T/out" | sed 1q) $(fields "$T/out" | wc -l | tr -d ' ')" "[$label] 27"
done <<-'EOT'
	a,b
	a"b
	"
	,"",
	plain blank
	;'\%s%n
EOT
bonnie -f -o csv -m plain
is "csv: a plain label has no quotes" "$(cut -c1-6 "$T/out")" "plain,"
bonnie -f -o csv -m "$(printf 'a\nb\rc\td\033')"
is "csv: control characters do not come through" "$(wc -l <"$T/out" | tr -d ' ') $(tr -d '\n -~' <"$T/out" |
	wc -c | tr -d ' ')" "1 0"
bonnie -f -o csv -m yakko -x 3
is "csv: -x 3: the header of 1.03 and three rows" "$(awk -F, '{ print $1, NF }' "$T/out" | tr '\n' ';')" \
	"name 27;yakko 27;yakko 27;yakko 27;"
is "csv: the header" "$(sed 1q "$T/out")" "name,file_size,putc,putc_cpu,put_block,put_block_cpu,rewrite,\
rewrite_cpu,getc,getc_cpu,get_block,get_block_cpu,seeks,seeks_cpu,num_files,seq_create,seq_create_cpu,\
seq_stat,seq_stat_cpu,seq_del,seq_del_cpu,ran_create,ran_create_cpu,ran_stat,ran_stat_cpu,ran_del,ran_del_cpu"

# --- -q.
bonnie -q -m yakko -n 1 -f
is "-q: a csv row on stdout" "$(awk -F, '{ print $1, NF }' "$T/out")" "yakko 27"
is "-q: both tables on stderr, no progress" "$(grep -v '^bonnie: warning: ' "$T/err" | awk '{ print $1 }' |
	sed 's/---*/-/g' | tr '\n' ' ')" "-Sequential -Per Machine yakko -Sequential -Create- files 1 "
# The table rounds per cent to one decimal, so a half may go either way.
grep -v '^bonnie' "$T/err" | awk '$1 == "yakko" { for (i = 3; i <= 14; i++) print $i }
	$1 == "1" { for (i = 2; i <= 13; i++) print $i }' >"$T/table"
tr ',' '\n' <"$T/out" | sed -n '3,14p; 16,27p' >"$T/row"
is "-q: csv and table have the same figures" "$(paste -d ' ' "$T/table" "$T/row" | awk '
	$1 ~ /^\+/ { if (NF == 1) n++; next }
	$1 == $2 || ($1 ~ /\./ && $2 !~ /\./ && $1 - $2 <= 0.5 && $2 - $1 <= 0.5) { n++ }
	END { print n + 0, NR }')" "24 24"
bonnie -q -o text -m yakko -f
is "-q -o text: the table on both" "$(tail -n 1 "$T/out")" "$(tail -n 1 "$T/err")"
bonnie -q -f -x 2 -m yakko
is "-q -x 2: header and two rows on stdout, two rows in the table" \
	"$(wc -l <"$T/out" | tr -d ' ') $(grep -c '^yakko' "$T/err")" "3 2"

# --- The command line of the seed, smaller.
mkdir "$T/seed"
(cd "$T/seed" && "$BONNIE" -u "$me" -d "$T/d" -s 2M::200 -n 1:10240:1024:16 -m yakko -q >x.csv 2>x.out)
is "bonnie -u USER -d DIR -s 2M -n 1:10240:1024:16 -m yakko -q >x.csv 2>x.out: status 0" "$?" 0
is "x.csv" "$(shape "$T/seed/x.csv")" \
	"[yakko] [2M] N N N N N N N N N N N.N N [1:10240:1024/16] $(fields "$T/seed/x.csv" | sed '1,15d
	s/\[[0-9]*\]/N/; s/\[\]/N/' | tr '\n' ' ')"
is "x.out: both tables" "$(grep -c 'Sequential Output\|Sequential Create\|^yakko' "$T/seed/x.out")" 3
ok "nothing is left" empty "$T/d"

# --- The option sets that bonnie++ is called with, apart, backwards and glued.  Stdin is at its end, so
# that -w ends the run when all has been taken and before anything is measured.
takes() {
	"$BONNIE" -w "$@" >"$T/out" 2>"$T/err" </dev/null
	echo "$? $(sed -n 's/^ready //p' "$T/err") $(sed -n "s/^File '.*', size: //p" "$T/err")"
}
while IFS='|' read -r apart backwards glued want; do
	for set in "$apart" "$backwards" "$glued"; do
		# shellcheck disable=SC2046,SC2086 # a list of words
		is "options: $set" "$(cd "$T/d" && takes $(echo "$set" | sed "s|USER|$me|; s|DIR|$T/d|"))" "1 $want"
	done
done <<-EOT
	-d DIR -u USER -r 1|-r 1 -u USER -d DIR|-dDIR -uUSER -r1|putc 2097152
	-d DIR -s 4|-s 4 -d DIR|-s4 -dDIR|putc 4194304
	-u USER -d DIR -s 2M -n 0|-n 0 -s 2M -d DIR -u USER|-n0 -s2M -dDIR -uUSER|putc 2097152
	-d DIR -s 2 -r 1 -u USER|-u USER -r 1 -s 2 -d DIR|-uUSER -r1 -s2 -dDIR|putc 2097152
	-f -d DIR -s 2 -n 0|-n 0 -s 2 -d DIR -f|-fdDIR -s2 -n0|block 2097152
	-b -f -d DIR -s 2|-s 2 -d DIR -f -b|-bfdDIR -s2|block 2097152
	-x 3 -d DIR -s 2 -q|-q -s 2 -d DIR -x 3|-qx3 -s2 -dDIR|putc 
	-m yakko -d DIR -s 2M:256k|-s 2M:256k -d DIR -m yakko|-myakko -s2M:256k -dDIR|putc 2097152
	-q -f -b -n 1:100:0:2 -s 0 -d DIR|-d DIR -s 0 -n 1:100:0:2 -b -f -q|-qfbn1:100:0:2 -s0 -dDIR|seq_create 
	-s 2m:16k -n 2 -u USER:$group|-g $group -u USER -n 2 -s 2m:16k|-g$group -n2 -uUSER -s2m:16k|putc 2097152
EOT
if need strace "-b on a file"; then
	strace -f -e trace=fsync -o "$T/trace" "$BONNIE" -d "$T/d" -f -b -s 1::100:1 >"$T/out" 2>"$T/err"
	# 64 writes a phase and 10 of the seeker; the end of each, and the emptying of the cache.
	ok "-b: fsync after each of the 138 writes" test "$(grep -c 'fsync(' "$T/trace")" -ge $((64 + 64 + 10 + 3))
fi

# --- json: the reader itself must refuse what is broken.
refused=0
while IFS= read -r doc; do
	# shellcheck disable=SC2059 # the escapes of printf make the bytes
	printf "$doc\n" >"$T/broken"
	if awk -f tests/json.awk "$T/broken" >/dev/null; then
		echo "# taken: $doc"
	else
		refused=$((refused + 1))
	fi
done <<-'EOT'

	[]
	1
	"a"
	{
	}
	{"a"}
	{"a":}
	{"a":1
	{"a":1,}
	{,}
	{"a":1 "b":2}
	{"a":1}}
	{"a":1},
	{"a":1}{"a":1}
	{"a":1}\n{"a":
	{"a":1}\n\n{"a":1}
	{a:1}
	{'a':1}
	{1:1}
	{"a":1,"a":2}
	{"a":1,"\\u0061":2}
	{"a":{"b":1,"c":2,"b":3}}
	{"a":[1,{"b":1,"b":1}]}
	{"a":[1,]}
	{"a":[1 2]}
	{"a":[}
	{"a":[1}}
	{"a":01}
	{"a":-}
	{"a":+1}
	{"a":1.}
	{"a":.5}
	{"a":1e}
	{"a":1e+}
	{"a":0x1}
	{"a":1,5}
	{"a":nan}
	{"a":inf}
	{"a":-inf}
	{"a":NaN}
	{"a":Infinity}
	{"a":True}
	{"a":nul}
	{"a":nulls}
	{"a":"\t"}
	{"a":"\001"}
	{"a":"\037"}
	{"a":"b}
	{"a":"\\"}
	{"a":"\\x41"}
	{"a":"\\'"}
	{"a":"\\u12"}
	{"a":"\\u12g4"}
	{"a":"\\ud800"}
	{"a":"\\ud800\\u0041"}
	{"a":"\\udc00"}
	{"a":"\200"}
	{"a":"\377"}
	{"a":"\303"}
	{"a":"\303("}
	{"a":"\300\257"}
	{"a":"\301\277"}
	{"a":"\340\200\257"}
	{"a":"\355\240\200"}
	{"a":"\360\200\200\257"}
	{"a":"\364\220\200\200"}
	{"a":"\365\200\200\200"}
	{"a":"\342\202"}
	{"a":1}\f
	{"a":1,\v"b":2}
	\357\273\277{"a":1}
EOT
is "json: 72 broken documents are refused" "$refused" 72
# shellcheck disable=SC2059
printf '{"a":[1,-0.5e+3,0,"\\u0041\\ud83d\\ude00\303\251\360\237\230\200\\/\\b\177"],%s\n{}\n' \
	'"b":{"a":null},"c":{},"d":[ ] } ' >"$T/sound"
is "json: a sound document is taken" "$(json "$T/sound")" "status 0"
: >"$T/none"
is "json: no document is none" "$(json "$T/none")" "no line
status 1"

# --- json of ours: labels and directories of every kind.
control=$(awk 'BEGIN { for (i = 1; i < 32; i++) printf "%c", i; printf "x" }')
control=${control%x}
# What the reader makes of it: \u0001...
escaped=$(awk 'BEGIN { for (i = 1; i < 32; i++) printf "\\u%04x", i }')
mark=$(printf '\357\277\275')
run_named() {
	mkdir -p "$T/$2"
	"$BONNIE" -d "$T/$2" -s 1::20 -f -o json -m "$2" >"$T/json" 2>"$T/err" </dev/null
	is "json: $1: status 0" "$?" 0
	is "json: $1: valid" "$(json "$T/json")" "status 0"
	awk -v flat=1 -f tests/json.awk "$T/json" >"$T/flat"
	is "json: $1: the label" "$(figure label)" "$3"
	is "json: $1: the directory" "$(figure directory)" "$T/$3"
	is "json: $1: one whole line" "$(wc -l <"$T/json" | tr -d ' ')" 1
	ok "json: $1: nothing is left" empty "$T/$2"
}
run_named "a plain name" plain plain
run_named "every control byte" "c$control.d" "c$escaped.d"
run_named "DEL" "$(printf 'a\177b')" 'a\u007fb'
# shellcheck disable=SC1003
run_named "quotes and backslashes" 'a"b\c"\' 'a"b\c"\'
run_named "what looks like an escape" 'a\u0041\n%s%n' 'a\u0041\n%s%n'
emoji=$(printf '\303\251\342\202\254\360\237\230\200')
run_named "UTF-8 and an emoji" "$emoji" "$emoji"
run_named "bytes that begin nothing" "$(printf 'a\200b\377c\300')" "a${mark}b${mark}c$mark"
run_named "a character cut short at the end" "$(printf 'a\360\237\230')" "a$mark$mark$mark"
run_named "a surrogate, an overlong slash, beyond U+10FFFF" "$(printf '\355\240\200-\340\200\257-\364\220\200\200')" \
	"$mark$mark$mark-$mark$mark$mark-$mark$mark$mark$mark"

# --- json: the same figures as the table of the same run.
bonnie -q -o json -m yakko -n 1:2000:1000 -l
is "json: status 0" "$?" 0
is "json: valid" "$(json "$T/out")" "status 0"
awk -v flat=1 -f tests/json.awk "$T/out" >"$T/flat"
is "json: its phases" "$(sed -n 's/^phases\.[0-9]*\.phase=//p' "$T/flat" | tr '\n' ' ')" \
	"putc block rewrite getc read seeks seq_create seq_read seq_delete ran_create ran_read ran_delete "
is "json: the table has the same figures to its last digit" "$(awk -F= '
	/^phases\.[0-9]*\.(kib_per_sec|per_sec|cpu_percent)=/ { n = $1; gsub(/[^0-9]/, "", n); v[n, $1 ~ /cpu/] = $2 }
	END {
		for (i = 0; i < 12; i++)
			printf i < 5 ? "%.0f %.1f " : i == 5 ? "%.1f %.1f " : "%.0f %.0f ", v[i, 0], v[i, 1]
	}' "$T/flat")" "$(awk '$1 == "yakko" || $1 == "1:2000:1000" {
		for (i = NF - 11; i <= NF; i++) printf "%s ", $i }' "$T/err")"
is "json: rate = amount over time" "$(awk -F= '
	{ split($1, p, ".") }
	p[3] == "seconds" { s[p[2]] = $2 }
	p[3] == "cpu_seconds" { c[p[2]] = $2 }
	p[3] == "bytes" { a[p[2]] = $2 / 1024 }
	p[3] == "operations" { a[p[2]] = $2 }
	p[3] ~ /per_sec$/ && (d = $2 * s[p[2]] / a[p[2]] - 1) * d > 1e-12 { print "rate of", p[2] }
	p[3] == "cpu_percent" && (d = $2 * s[p[2]] / 100 - c[p[2]]) * d > 1e-12 { print "cpu of", p[2] }' "$T/flat")" ""
is "json: what was asked for" "$(figure format) $(figure label) $(figure size_bytes) $(figure chunk_bytes) $(figure \
	seeks) $(figure files) $(figure file_max_bytes) $(figure options.latency)" \
	"1 yakko 1048576 16384 100 1024 2000 true"
bonnie -o json -x 3 -f
is "json: -x 3: three valid lines" "$(json "$T/out") $(wc -l <"$T/out" | tr -d ' ')" "status 0 3"
is "json: three seeds" "$(awk -v flat=1 -f tests/json.awk "$T/out" | grep '^seed=' | sort -u | wc -l | tr -d ' ')" 3
bonnie -f -z 18446744073709551615 -o json
awk -v flat=1 -f tests/json.awk "$T/out" >"$T/flat"
is "json: the largest seed, to the last digit" "$(figure seed)" 18446744073709551615

# --- Another user.
other=$(awk -F: '$3 != 0 && $3 < 60000 { print $1; exit }' /etc/passwd)
uid=$(id -u "$other") gid=$(id -g "$other")
cp "$BONNIE" "$T/bonnie"
chmod 755 "$T" "$T/bonnie"
if [ -n "$root" ]; then
	chown "$other" "$T/d"
	# The supplementary groups with another main one.
	more=$({ id -G "$other" | tr ' ' '\n' | sed "/^$gid\$/d"; echo 65431; } | tr '\n' ,)
	while read -r words user main groups; do
		# shellcheck disable=SC2046 # a list of words
		start -d "$T/d" -s 1::20 -f -n 1 $(echo "$words" | tr + ' ')
		ready block
		if [ -r "/proc/$pid/status" ]; then
			cat "/proc/$pid/status" >"$T/status"
			is "$words: user, group, supplementary groups" "$(sed -n 's/^[UG]id:[^0-9]*//p' \
				"$T/status" | tr '\t\n' '  ')$(sed -n 's/^Groups:[^0-9]*//p' "$T/status" |
				tr ' ' '\n' | sed '/^$/d' | sort -n | tr '\n' ,)" \
				"$user $user $user $user $main $main $main $main $(echo "$groups" | tr , '\n' |
				sed '/^$/d' | sort -n | tr '\n' ,)"
			[ "$user" = 0 ] || is "$words: no capability is left" \
				"$(sed -n 's/^Cap[PE][a-z]*:[^0-9]*//p' "/proc/$pid/status" | sort -u)" 0000000000000000
			# shellcheck disable=SC2012
			is "$words: the scratch file is theirs" "$(ls -lnL "/proc/$pid/fd" 2>/dev/null |
				awk '/^-/ && $NF > 2 { print $1, $3, $4 }' | sort -u)" "-rw------- $user $main"
		else
			skip "$words" "there is no /proc"
		fi
		go
		ready seq_create
		go
		ready seq_read
		is "$words: the small files are theirs" "$(find "$T"/d/Bonnie.* -exec ls -lnd {} + |
			awk '{ print $3, $4 }' | sort -u)" "$user $main"
		go
		walk
		ended
		is "$words: status 0" "$status" 0
		ok "$words: nothing is left" empty "$T/d"
	done <<-EOT
		-u+$other $uid $gid $(id -G "$other" | tr ' ' ,)
		-u+$uid:65431 $uid 65431 $more
		-u+$other+-g+65431 $uid 65431 $more
		-g+65431 0 65431 65431
	EOT
	chown 65432 "$T/d"
	"$BONNIE" -d "$T/d" -s 1::20 -f -u 65432:65433 >"$T/out" 2>"$T/err"
	is "-u with numbers that nobody has: status 0" "$?" 0
	chmod 700 "$T/d"
	"$BONNIE" -d "$T/d" -s 1::20 -f -u "$other" >"$T/out" 2>"$T/err"
	is "-u and a directory of somebody else: status 1" "$?" 1
	like "-u and a directory of somebody else: said" "$(tail -n 1 "$T/err")" "bonnie: *$T/d*: Permission denied"
	chown 0 "$T/d"
	chmod 1777 "$T/d"
	# As that user.
	(cd "$T" && su -s /bin/sh "$other" -c "./bonnie -d d -s 1::20 -f -u root") >"$T/out" 2>"$T/err" </dev/null
	is "a user asks for root: status 1" "$?" 1
	like "a user asks for root: said" "$(cat "$T/err")" "bonnie: cannot become *: Operation not permitted"
	(cd "$T" && su -s /bin/sh "$other" -c "./bonnie -d d -s 1::20 -f -u $other") >"$T/out" 2>"$T/err" </dev/null
	is "a user asks for himself: status 0" "$?" 0
else
	skip "-u" "only root can become somebody else"
	"$BONNIE" -d "$T/d" -s 1::20 -f -u root >"$T/out" 2>"$T/err"
	is "a user asks for root: status 1" "$?" 1
	like "a user asks for root: said" "$(cat "$T/err")" "bonnie: cannot become *: Operation not permitted"
fi
ok "nothing is left" empty "$T/d"
finish
