# The data on the disk: no compressor gains 2 %, no two blocks are equal, and each pass, run and seed has its own.
# With -w the program waits between phases, so the nameless file can be read through /proc.
. tests/lib.sh
mkdir "$T/d"
if [ ! -d /proc/self/fd ]; then
	skip "the data of a run" "there is no /proc/self/fd"
	finish
fi

# snapshot SEED SIZE: leaves the file after block output in $T/block, after rewrite in $T/rewrite.
snapshot() {
	rm -f "$T/in" "$T/err"
	mkfifo "$T/in"
	"$BONNIE" -d "$T/d" -f -w -z "$1" -s "$2::100" <"$T/in" >"$T/out" 2>"$T/err" &
	pid=$!
	exec 3>"$T/in"
	for phase in block rewrite read seeks; do
		tries=0
		until grep -q "^ready $phase" "$T/err"; do
			tries=$((tries + 1))
			[ "$tries" -lt 2000 ] || break
			wait_a_little
		done
		for fd in /proc/"$pid"/fd/*; do
			case $(readlink "$fd") in
			*Bonnie.*deleted*) cp "$fd" "$T/$phase.in" ;;
			esac
		done
		echo >&3
	done
	exec 3>&-
	wait "$pid"
	status=$?
	mv "$T/rewrite.in" "$T/block" && mv "$T/read.in" "$T/rewrite"
}

# gain FILE COMMAND ...: by how many per cent the command makes it smaller.
gain() {
	file=$1
	shift
	before=$(wc -c <"$file")
	"$@" <"$file" | wc -c | awk -v before="$before" '{ printf "%d\n", 100 * (before - $1) / before }'
}

snapshot 1 4
is "a run that was looked at ends well" "$status" 0
is "the file has its size" "$(wc -c <"$T/block" | tr -d ' ')" 4194304
for tool in "gzip -9" "xz -6" "zstd -19 --long=27"; do
	if command -v "${tool%% *}" >/dev/null; then
		for file in block rewrite; do
			# shellcheck disable=SC2086 # a command and its options
			ok "$tool gains less than 2 % on $file" test "$(gain "$T/$file" $tool -c)" -lt 2
		done
	else
		skip "${tool%% *} gains less than 2 %" "it is not installed"
	fi
done

# od prints a block of 4 KiB in 256 lines; the first 16 bytes of each tell it from all others.
heads() {
	od -An -v -tx1 "$@" | awk 'NR % 256 == 1' | sort
}
heads "$T/block" "$T/rewrite" >"$T/heads"
is "no two of all blocks of two passes begin alike" "$(uniq -d <"$T/heads")" ""
is "these were all blocks" "$(wc -l <"$T/heads" | tr -d ' ')" 2048
mv "$T/block" "$T/first"
snapshot 1 4
ok "the same seed writes the same data" cmp -s "$T/block" "$T/first"
snapshot 2 4
heads "$T/block" "$T/first" >"$T/heads"
is "another seed has no block in common with it" "$(uniq -d <"$T/heads")" ""
ok "nothing is left" empty "$T/d"
finish
