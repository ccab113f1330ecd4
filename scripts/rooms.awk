# Checks the house rules of bonnie.c (its head comment and README of the rooms say why):
#
#	awk -f scripts/rooms.awk bonnie.c
#
# - the banners stand in the order of the list below, and so does the map in the head comment;
# - a function is static, its name begins with a word of its room, it has at most 60 lines, the
#   median is under 20; main has under 50;
# - no prototypes but those named below; at most three variables at file level that are not const;
# - a system call or a stream stands only in the rooms that own it.
BEGIN {
	# room, words that its functions begin with
	n = split("Head:|Types and limits:|Messages:msg fatal fatalx warn|" \
	    "Cleanup and signals:cleanup signal|Numbers:num|Clock:clock meter lat|" \
	    "Data:rng data order|System:sys|File:file|Phases:phase|Seekers:seek|" \
	    "Create phases:create|Phase table and runner:run|Report:out|Options:opt|main:main", r, "|")
	for (i = 1; i <= n; i++) {
		split(r[i], part, ":")
		rank[part[1]] = i
		words[part[1]] = part[2]
	}
	room = "Head"
	prototypes["opt_help"] = 1
	# What only some rooms may call, and which.
	own["(clock_gettime|gettimeofday|getrusage)"] = "Clock"
	own["fsync"] = "File,Create phases"
	own["(pwrite|pread|posix_fadvise|sync_file_range|ftruncate|lseek|fdopen)"] = "File"
	own["(unlinkat|mkdirat|linkat|symlinkat)"] = "File,Cleanup and signals,Create phases"
	own["fork"] = "Seekers"
	own["(waitpid|pipe)"] = "Seekers"
	own["(printf|puts|putchar)"] = "Report,Options"
	own["(fprintf|fputs)"] = "Report"
	own["(exit)"] = "Messages,Options"
	own["(setlocale|system|popen|rand|random|sleep|usleep|atol|atoi|strtol|strtod|gets)"] = "none"
}

function fault(text) {
	print FILENAME ":" FNR ": " text
	bad = 1
}

/^\/\* ---- .* -+$/ {
	sub(/^\/\* ---- /, "")
	sub(/ -+$/, "")
	if (!($0 in rank))
		fault("room '" $0 "' is not known to scripts/rooms.awk")
	else if (rank[$0] <= rank[room])
		fault("room '" $0 "' stands in the wrong place")
	if (!($0 in map))
		fault("room '" $0 "' is missing from the map in the head comment")
	room = $0
	next
}

# The map of the head comment: a tab, the name, tabs.
room == "Head" && /^ \*\t[A-Za-z ]+\t/ { split(substr($0, 4), part, "\t"); map[part[1]] = 1 }

/^main\(/ { room = "main" }

# A definition: its name stands at the start of a line, the type on the line before.
/^[a-z_]+\(/ {
	name = $0
	sub(/\(.*/, "", name)
	start = FNR
	if (name != "main" && before !~ /^static /)
		fault(name " is not static")
	good = 0
	m = split(words[room], w, " ")
	for (i = 1; i <= m; i++)
		if (name == w[i] || index(name, w[i] "_") == 1)
			good = 1
	if (!good)
		fault(name " does not begin with a word of the room '" room "'")
	inside = 1
}

/^static .*\);/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	if (!(name in prototypes))
		fault("prototype of " name)
}

# Variables at file level.
/^static [^(]*(;|\{|=)( *\/\*.*)?$/ && !/^static const/ && !/\(/ { variables++ }

inside && /^}/ {
	len = FNR - start
	sizes[++count] = len
	total += len
	if (len > 60 || (name == "main" && len >= 50))
		fault(name " has " len " lines")
	inside = 0
}

inside {
	code = $0
	gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
	sub(/\/\*.*/, "", code)
	for (call in own) {
		if ((" " code) ~ ("[^A-Za-z0-9_>.]" call "\\(") && index("," own[call] ",", "," room ",") == 0)
			fault(call " is called in the room '" room "', it belongs to " own[call])
	}
}

{ before = $0 }

END {
	if (variables > 3)
		fault(variables " variables at file level, three are allowed")
	# The median.
	for (i = 1; i <= count; i++)
		for (j = i; j > 1 && sizes[j] < sizes[j - 1]; j--) {
			t = sizes[j]; sizes[j] = sizes[j - 1]; sizes[j - 1] = t
		}
	if (count == 0 || sizes[int((count + 1) / 2)] >= 20)
		fault("the median function has " sizes[int((count + 1) / 2)] " lines")
	exit bad
}
