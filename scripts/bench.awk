# All arithmetic and tables of scripts/bench:
#
#	awk -f scripts/bench.awk -v report=NAME GOT
#
# NAME: accuracy, moved, runs, overhead, spread; or selftest (GOT is then /dev/null).  GOT has lines
#
#	disk WHERE WRITE READ OPS		limits: bytes a second (two), reads a second
#	got WHERE PROGRAM FIGURE RATE CPU	see bench-run
#	count WHERE PROGRAM WHAT COUNTED MOVED
#
# Runs in mawk, gawk, busybox and the one true awk.

# ---- Arithmetic

function least(a, b) { return a < b ? a : b }

# Sorts v[1..n].
function sort(v, n,   i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
			t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
		}
}

# The median of v[1..n], which it leaves sorted.
function median(v, n) {
	sort(v, n)
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

# The square root, by Newton: some small systems' awk is built without sqrt().
function root(x,   y, i) {
	y = x > 1 ? x : 1
	for (i = 0; i < 60; i++)
		y = (y + x / y) / 2
	return x > 0 ? y : 0
}

# The coefficient of variation of v[1..n] in per cent: standard deviation (n - 1) over mean.
function variation(v, n,   i, sum, square) {
	for (i = 1; i <= n; i++)
		sum += v[i]
	for (i = 1; i <= n; i++)
		square += (v[i] - sum / n) * (v[i] - sum / n)
	return n < 2 || sum == 0 ? 0 : 100 * root(square / (n - 1)) / (sum / n)
}

# Bytes a second that a reader gets: it asks for the 128 KiB of readahead at a time.
function read_rate(r, ops) { return least(r, ops * 131072) }

# The truth of a figure, low and high bound: two for rewrite, where a program may let reading and
# writing overlap (the slower of the two) or not (one after the other).
function truth(figure, w, r, ops, high,   rr) {
	rr = read_rate(r, ops)
	if (figure == "output")
		return w / 1024
	if (figure == "input")
		return rr / 1024
	if (figure == "rewrite")
		return (high ? least(w, rr) : 1 / (1 / w + 1 / rr)) / 1024
	# A seek reads 16 KiB, and writes them in one of ten.
	return least(ops, least(r / 16384, w / 1638.4))
}

function truth_of(figure, place, high) {
	return truth(figure, limit_w[place], limit_r[place], limit_ops[place], high)
}

# The error in per cent; between the bounds there is none.
function error(value, low, high) {
	if (value < low)
		return 100 * (value / low - 1)
	return value > high ? 100 * (value / high - 1) : 0
}

# The error of largest size among v[1..n].
function worst(v, n, low, high,   i, e, most) {
	for (i = 1; i <= n; i++) {
		e = error(v[i], low, high)
		if (e * e > most * most)
			most = e
	}
	return most + 0
}

# ---- A table: cells collected, then printed in columns as wide as they must be

# A row, its cells parted by bars.
function row(text,   n, i, part) {
	n = split(text, part, "[|]")
	rows++
	for (i = 1; i <= n; i++) {
		cell[rows, i] = part[i]
		if (length(part[i]) > width[i])
			width[i] = length(part[i])
	}
	if (n > columns)
		columns = n
}

# The first so many columns to the left, the others to the right.
function print_rows(left,   i, j, line) {
	for (i = 1; i <= rows; i++) {
		line = ""
		for (j = 1; j <= columns; j++)
			line = line (j > 1 ? "  " : "") \
			    sprintf("%" (j <= left ? "-" : "") width[j] "s", cell[i, j])
		sub(/ +$/, "", line)
		print line
	}
}

# A rate as it is read best.
function figure_text(value, figure) {
	return sprintf(figure == "seeks" && value < 1000 ? "%.1f" : "%.0f", value)
}

# The first cells of a row.
function head(place, figure) { return place "|" figure "|" unit(figure) "|" }

function unit(figure) {
	return figure == "seeks" ? "/sec" : "K/sec"
}

# ---- Input

$1 == "disk" {
	if (!($2 in limit_w))
		places[++disks] = $2
	limit_w[$2] = $3; limit_r[$2] = $4; limit_ops[$2] = $5
}

$1 == "got" {
	key = $2 SUBSEP $3 SUBSEP $4
	if (!($3 in known)) {
		known[$3] = 1
		names[++programs] = $3
	}
	n = ++count[key]
	rate[key, n] = $5
	cpu[key, n] = $6
	if ($5 == "+++++")
		hidden[key] = 1
}

$1 == "count" {
	key = $2 SUBSEP $3 SUBSEP $4
	if (!(key in counts))
		kinds[++all_kinds] = key
	counts[key]++
	d = $5 > 0 ? 100 * ($6 / $5 - 1) : 0
	if (counts[key] == 1 || d * d >= off[key] * off[key]) {
		off[key] = d; counted[key] = $5; moved[key] = $6
	}
}

# Copies what a program got for a figure into v[1..n]; what = "rate" or "cpu".  Returns n.
function take(v, key, what,   i) {
	for (i = 1; i <= count[key]; i++)
		v[i] = what == "cpu" ? cpu[key, i] : rate[key, i]
	return count[key] + 0
}

# ---- Reports

function accuracy(   d, f, p, n, low, high, key, known_truth, v, figures, fs) {
	row("disk|figure|unit|truth|program|runs|median|error %|worst %")
	fs = split("output rewrite input seeks", figures, " ")
	for (d = 1; d <= disks; d++)
		for (f = 1; f <= fs; f++) {
			low = truth_of(figures[f], places[d], 0)
			high = truth_of(figures[f], places[d], 1)
			known_truth = figure_text(low, figures[f])
			if (high > low)
				known_truth = known_truth "-" figure_text(high, figures[f])
			for (p = 1; p <= programs; p++) {
				key = places[d] SUBSEP names[p] SUBSEP figures[f]
				if ((n = take(v, key, "rate")) > 0)
					row(head(places[d], figures[f]) known_truth "|" names[p] \
					    "|" n "|" errors(v, n, key, figures[f], low, high))
			}
		}
	print_rows(3)
}

# "median|error|worst" of one cell of the table.
function errors(v, n, key, figure, low, high,   m, w) {
	if (key in hidden)
		return "+++++|+++|+++"
	w = worst(v, n, low, high)
	m = median(v, n)
	return figure_text(m, figure) "|" sprintf("%+.1f|%+.1f", error(m, low, high), w)
}

# What was counted against what the device moved, of each kind the run that is off most.
function moves(   i, part) {
	row("disk|program|what|runs|counted|moved|off %")
	for (i = 1; i <= all_kinds; i++) {
		split(kinds[i], part, SUBSEP)
		row(part[1] "|" part[2] "|" part[3] "|" counts[kinds[i]] "|" counted[kinds[i]] "|" \
		    moved[kinds[i]] "|" sprintf("%+.2f", off[kinds[i]]))
	}
	print_rows(3)
}

# Every run, in the order of the columns.
function each_run(   d, p, f, i, n, v, fs, figures, line) {
	row("disk|program|figure|each run")
	fs = split("putc output rewrite getc input seeks", figures, " ")
	for (d = 1; d <= disks; d++)
		for (p = 1; p <= programs; p++)
			for (f = 1; f <= fs; f++) {
				n = take(v, places[d] SUBSEP names[p] SUBSEP figures[f], "rate")
				line = ""
				for (i = 1; i <= n; i++)
					line = line " " v[i]
				if (n > 0)
					row(places[d] "|" names[p] "|" figures[f] "|" \
					    substr(line, 2))
			}
	print_rows(4)
}

function spread(   d, p, f, n, m, v, key, fs, figures) {
	row("disk|figure|unit|program|runs|median|variation %")
	fs = split("output rewrite input seeks", figures, " ")
	for (d = 1; d <= disks; d++)
		for (f = 1; f <= fs; f++)
			for (p = 1; p <= programs; p++) {
				key = places[d] SUBSEP names[p] SUBSEP figures[f]
				if ((n = take(v, key, "rate")) == 0)
					continue
				m = (key in hidden) ? "+++++|+++" : sprintf("%s|%.2f", \
				    figure_text(median(v, n), figures[f]), variation(v, n))
				row(head(places[d], figures[f]) names[p] "|" n "|" m)
			}
	print_rows(4)
}

# The median of a program's figure as text; "-" where it has none.
function middle(program, figure, what,   v, key, n) {
	key = "tmpfs" SUBSEP program SUBSEP figure
	n = take(v, key, what)
	if (n == 0 || (what == "cpu" && v[1] == "-"))
		return "-"
	if (key in hidden)
		return "+++++"
	if (figure == "seeks" && what == "cpu")
		return sprintf("%.2f", median(v, n))
	return sprintf(what == "cpu" ? "%.3f" : "%.0f", median(v, n))
}

# The median of the quotients of runs made side by side, which takes out what changed meanwhile.
function quotient(program, figure, what,   i, n, a, b, ka, kb, v, na) {
	ka = "tmpfs" SUBSEP "bonnie" SUBSEP figure
	kb = "tmpfs" SUBSEP program SUBSEP figure
	na = take(a, ka, what)
	n = least(na, take(b, kb, what))
	if (n == 0 || (ka in hidden) || (kb in hidden))
		return "-"
	if (what == "cpu" && (a[1] == "-" || b[1] == "-"))
		return "-"
	for (i = 1; i <= n; i++) {
		if (b[i] == 0)
			return "-"
		v[i] = a[i] / b[i]
	}
	return sprintf("%.2f", median(v, n))
}

function overhead_row(title, figure, what,   p, line) {
	line = title
	for (p = 1; p <= programs; p++)
		line = line "|" middle(names[p], figure, what)
	for (p = 1; p <= programs; p++)
		if (names[p] != "bonnie")
			line = line "|" quotient(names[p], figure, what)
	row(line)
}

function overhead(   p, line) {
	line = "figure"
	for (p = 1; p <= programs; p++)
		line = line "|" names[p]
	for (p = 1; p <= programs; p++)
		if (names[p] != "bonnie")
			line = line "|to " names[p]
	row(line)
	overhead_row("per-char output, K/sec", "putc", "rate")
	overhead_row("block output, K/sec", "output", "rate")
	overhead_row("rewrite, K/sec", "rewrite", "rate")
	overhead_row("per-char input, K/sec", "getc", "rate")
	overhead_row("block input, K/sec", "input", "rate")
	overhead_row("seeks, /sec", "seeks", "rate")
	overhead_row("block output, CPU s/GiB", "output", "cpu")
	overhead_row("block input, CPU s/GiB", "input", "cpu")
	overhead_row("seeks, CPU us each", "seeks", "cpu")
	overhead_row("peak memory, KiB", "memory", "rate")
	print_rows(1)
}

# ---- Self-test

function expect(text, got, want) {
	checks++
	if (got != want) {
		print "selftest: " text ": got " got ", want " want
		faults++
	}
}

function fill(text) { return split(text, sample, " ") }

function selftest(   n) {
	expect("median of one", median(sample, fill("5")), 5)
	expect("median of three", median(sample, fill("30 4 200")), 30)
	expect("median of four", median(sample, fill("4 1 3 2")), 2.5)
	expect("variation of equals", variation(sample, fill("7 7 7")), 0)
	expect("variation", sprintf("%.4f", variation(sample, fill("2 4 4 4 5 5 7 9"))), "42.7618")
	expect("variation of one", variation(sample, fill("3")), 0)
	expect("error below", sprintf("%.3f", error(98, 100, 100)), "-2.000")
	expect("error above", sprintf("%.3f", error(103, 100, 100)), "3.000")
	expect("error between the bounds", error(70, 60, 80), 0)
	expect("error below the bounds", sprintf("%.3f", error(57, 60, 80)), "-5.000")
	n = fill("99 104 95")
	expect("worst of three", sprintf("%.3f", worst(sample, n, 100, 100)), "-5.000")
	expect("worst of none off", worst(sample, n, 90, 110), 0)
	expect("root", sprintf("%.6f %.3f %.1f", root(2), root(1e12), root(0)), \
	    "1.414214 1000000.000 0.0")
	selftest_truth()
	print checks - faults " of " checks " right"
	return faults > 0
}

function selftest_truth() {
	expect("output, slow", truth("output", 20000000, 40000000, 150, 0), 19531.25)
	expect("input, slow: reads a second bind", truth("input", 2e7, 4e7, 150, 0), 19200)
	expect("input, middle", truth("input", 1e8, 2e8, 2000, 0), 195312.5)
	expect("rewrite, middle, low", sprintf("%.1f", truth("rewrite", 1e8, 2e8, 2000, 0)), \
	    "65104.2")
	expect("rewrite, middle, high", truth("rewrite", 1e8, 2e8, 2000, 1), 97656.25)
	expect("rewrite, slow, low", sprintf("%.1f", truth("rewrite", 2e7, 4e7, 150, 0)), "9682.1")
	expect("rewrite, slow, high", truth("rewrite", 2e7, 4e7, 150, 1), 19200)
	expect("seeks, slow", truth("seeks", 2e7, 4e7, 150, 0), 150)
	expect("seeks, fast", truth("seeks", 4e8, 8e8, 20000, 0), 20000)
	expect("seeks where bytes bind", truth("seeks", 1e9, 16384000, 20000, 0), 1000)
	expect("seeks where writing binds", truth("seeks", 1638400, 1e9, 20000, 0), 1000)
}

END {
	if (report == "selftest")
		exit selftest()
	if (report == "accuracy")
		accuracy()
	else if (report == "moved")
		moves()
	else if (report == "runs")
		each_run()
	else if (report == "spread")
		spread()
	else
		overhead()
}
