/*
 * Unit tests of the static functions of bonnie.c, which is included whole.  Prints a line "ok TEXT"
 * or "not ok TEXT" a check; unit.t makes TAP of them.  "unit rows FILE" prints the rows of a csv
 * file (label, size, then twelve figures) through the formatter of the table.
 */
#define main bonnie_main
int
bonnie_main(int, char **);
#include "../bonnie.c"
#undef main

static int unit_failed;

static void
unit_ok(bool good, const char *text)
{
	printf("%s %s\n", good ? "ok" : "not ok", text);
	if (!good)
		unit_failed = 1;
}

static void
unit_is(const char *got, const char *want, const char *text)
{
	unit_ok(strcmp(got, want) == 0, text);
	if (strcmp(got, want) != 0)
		printf("# got: %s\n# want: %s\n", got, want);
}

/* Sets a column to this rate (K/sec, or seeks a second) and %CPU; exact to a tenth. */
static void
unit_result(struct result *r, bool seeks, double rate, double cpu)
{
	r->measured = true;
	r->wall_ns = 10 * SECOND;
	r->amount = (uint64_t)(rate * 10 + 0.5) * (seeks ? 1 : KIB);
	r->cpu_ns = (uint64_t)(cpu * (double)r->wall_ns / 100 + 0.5);
}

/* The text that a printer makes. */
static const char *
unit_print(void (*print)(FILE *, struct run *), struct run *run)
{
	static char text[8192];
	FILE *f = tmpfile();
	size_t n;

	print(f, run);
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static int
unit_rows(const char *file)
{
	struct plan plan = { .chunk = CHUNK_DEFAULT, .format = &formats[0] };
	struct run *run = calloc(1, sizeof(*run));
	char line[512], *rest, *label;
	double rate;
	FILE *f = fopen(file, "r");
	int i;

	if (f == NULL || run == NULL)
		return 1;
	run->plan = &plan;
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		label = sys_field(&rest, ',');
		plan.label = label;
		opt_size(&plan, sys_field(&rest, ','));
		for (i = 0; i < COLUMNS; i++) {
			rate = atof(sys_field(&rest, ','));
			unit_result(
			    &run->result[i], i == COL_SEEKS, rate, atof(sys_field(&rest, ',')));
		}
		fputs(unit_print(out_text, run), stdout);
	}
	return 0;
}

static void
unit_numbers(void)
{
	static const struct {
		const char *text;
		uint64_t want;
	} sizes[] = {
		{ "1", MIB },
		{ "100", 100 * MIB },
		{ "512k", 512 * KIB },
		{ "512K", 512 * KIB },
		{ "2m", 2 * MIB },
		{ "2MB", 2 * MIB },
		{ "2MiB", 2 * MIB },
		{ "2016M", 2016 * MIB },
		{ "1g", 1024 * MIB },
		{ "1Gib", 1024 * MIB },
		{ "3t", 3 * MIB * MIB },
		{ "8388607t", 8388607 * MIB * MIB },
	};
	struct plan plan = { .chunk = CHUNK_DEFAULT, .seekers = 3 };
	char text[128];
	const char *p;
	uint64_t v;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(text, sizeof(text), "num_size reads %s", sizes[i].text);
		unit_ok(num_size("-s", sizes[i].text, 20, 1, INT64_MAX) == sizes[i].want, text);
	}
	p = "18446744073709551615x";
	unit_ok(num_digits(&p, &v) == 0 && v == UINT64_MAX && *p == 'x', "num_digits reads 2^64-1");
	p = "18446744073709551616";
	unit_ok(num_digits(&p, &v) == -1, "num_digits refuses 2^64");
	p = "";
	unit_ok(num_digits(&p, &v) == -1, "num_digits refuses nothing");
	opt_size(&plan, "2g:64k:500:7");
	unit_ok(plan.size == 2048 * MIB && plan.chunk == 64 * KIB && plan.seeks == 500 &&
		    plan.seekers == 7,
	    "opt_size reads all four parts");
	opt_size(&plan, ":8k");
	opt_size(&plan, ":::9");
	unit_ok(plan.size == 2048 * MIB && plan.chunk == 8 * KIB && plan.seeks == 500 &&
		    plan.seekers == 9,
	    "opt_size leaves alone what is left out");
}

static void
unit_clock(void)
{
	char text[32];

	unit_ok(
	    clock_between(5, 7) == 2 && clock_between(7, 5) == 0, "a clock that goes back gives 0");
	clock_figure(text, sizeof(text), clock_rate(1024, KIB, 0), 0, "+++++");
	unit_is(text, "+++++", "a rate in no time is +++++");
	clock_figure(text, sizeof(text), clock_rate(UINT64_MAX, 1, 1), 0, "+++++");
	unit_ok(strspn(text, "0123456789") == strlen(text), "the highest rate is digits");
	clock_figure(text, sizeof(text), clock_cpu(3 * SECOND, SECOND), 1, "+++");
	unit_is(text, "300.0", "three seekers can have 300.0 %CPU");
}

/* A histogram must give back what went in, whatever the magnitude, to 3 per cent. */
static void
unit_latency(void)
{
	struct latency *l = calloc(2, sizeof(*l));
	bool near = true, ordered = true, split = true;
	unsigned last = 0, b;
	uint64_t ns, i;

	for (ns = 0; ns < 100000; ns++) {
		b = lat_bucket(ns);
		ordered = ordered && (b == last || b == last + 1);
		last = b;
	}
	unit_ok(ordered, "latency buckets follow each other without a gap");
	for (ns = 1; ns < UINT64_MAX / 3; ns = ns * 3 / 2 + 1) {
		b = lat_bucket(ns);
		near = near && b < LATENCIES && lat_middle(b) > (double)ns * 0.97 &&
		       lat_middle(b) < (double)ns * 1.03;
	}
	unit_ok(near, "the middle of a bucket is within 3 % of all that falls into it");
	unit_ok(lat_bucket(UINT64_MAX) < LATENCIES, "the longest time has a bucket");
	unit_ok(lat_percentile(l, 50) < 0, "no operation, no percentile");
	for (i = 1; i <= 1000; i++)
		lat_add(l, i * 1000);
	unit_ok(
	    lat_percentile(l, 50) > 485000 && lat_percentile(l, 50) < 515000, "p50 of 1..1000 us");
	unit_ok(
	    lat_percentile(l, 99) > 960000 && lat_percentile(l, 99) < 1000000, "p99 of 1..1000 us");
	unit_ok(l->most_ns == 1000000, "the longest is exact");
	for (i = 0; i < LATENCIES; i++)
		split = split && l[1].count[i] == 0;
	unit_ok(split, "a histogram does not run into the next");
	free(l);
}

/* A series of so many steps at one rate, then so many at another; every noise-th step is halved. */
static unsigned
unit_levels(unsigned n1, double r1, unsigned n2, double r2, unsigned noise, double level[2])
{
	struct series s = { .step_ns = SECOND };
	double done = 0;
	unsigned i;

	for (i = 0; i < n1 + n2; i++) {
		done += (i < n1 ? r1 : r2) / (noise != 0 && i % noise == noise - 1 ? 2 : 1);
		s.done[s.size++] = (uint64_t)done;
	}
	return meter_levels(&s, level);
}

static void
unit_meter(void)
{
	struct meter m;
	double level[2];
	uint64_t i;
	bool straight = true;

	unit_ok(unit_levels(20, 912e6, 80, 118e6, 0, level) == 20 && level[0] > 900e6 &&
		    level[1] < 120e6,
	    "a fall is found where it is, with both levels");
	unit_ok(unit_levels(60, 100e6, 30, 200e6, 0, level) == 60, "a rise too");
	unit_ok(unit_levels(4, 100e6, 36, 20e6, 0, level) == 0, "one that lasted a tenth is none");
	unit_ok(
	    unit_levels(6, 100e6, 36, 20e6, 20, level) == 6, "a few slow seconds do not hide it");
	unit_ok(unit_levels(100, 100e6, 0, 0, 0, level) == 0, "a steady rate has no levels");
	unit_ok(
	    unit_levels(60, 100e6, 60, 80e6, 0, level) == 0, "a fifth less is not clearly another");
	unit_ok(unit_levels(100, 100e6, 0, 0, 3, level) == 0, "a rate that swings has no levels");
	unit_ok(
	    unit_levels(2, 100e6, 2, 10e6, 0, level) == 0, "four seconds are too short to tell");
	unit_ok(unit_levels(0, 0, 0, 0, 0, level) == 0, "nothing has no levels");

	meter_start(&m, 0, false, NULL);
	m.settles = true;
	meter_add(&m, 100 * MIB);
	unit_ok(m.settled == 0, "what is written has not settled");
	meter_settle(&m, 8 * MIB);
	unit_ok(m.settled == 8 * MIB && m.done == 100 * MIB, "until somebody says so");
	meter_end(&m);
	unit_ok(m.settled == 100 * MIB, "at the end all has");
	meter_start(&m, 0, false, NULL);
	for (i = 1; i <= 1000; i++) {
		m.looked = m.settled;
		m.settled = i * MIB;
		meter_sample(&m, m.start_ns + i * SECOND);
		m.looked_ns = m.start_ns + i * SECOND;
	}
	unit_ok(m.series.size <= SAMPLES && m.series.step_ns == 8 * SECOND,
	    "a thousand seconds are merged into steps of 8 s");
	for (i = 0; i < m.series.size; i++)
		straight = straight && m.series.done[i] == (i + 1) * 8 * MIB;
	unit_ok(straight, "merging keeps the progress exact");
}

static struct data unit_data;
static uint64_t unit_file[MIB / 8];

static int
unit_compare(const void *a, const void *b)
{
	return memcmp(a, b, 4096);
}

static void
unit_contents(void)
{
	uint64_t key, other, *b = unit_file;
	size_t i, bad = 0, equal = 0;
	uint64_t ones = 0, word;

	data_seed(&unit_data, 42);
	key = data_key(&unit_data, PASS_BLOCK);
	other = data_key(&unit_data, PASS_REWRITE);
	unit_ok(key != other, "two passes have two keys");
	data_fill(&unit_data, key, 7 * MIB, b, MIB);
	unit_ok(
	    data_check(&unit_data, key, 7 * MIB, b, MIB) == MIB, "what is filled passes the check");
	unit_ok(data_check(&unit_data, other, 7 * MIB, b, MIB) == 0, "data of another pass do not");
	for (i = 1; i <= 2 * POOL; i++)
		bad += data_check(&unit_data, key, 7 * MIB + i * SECTOR, b, 64 * KIB) == 0;
	unit_ok(bad == 2 * POOL, "data misplaced by any number of sectors do not");
	for (i = 0; i < MIB / 8; i++)
		for (word = b[i]; word != 0; word &= word - 1)
			ones++;
	unit_ok(ones > MIB * 4 - 10000 && ones < MIB * 4 + 10000, "half of the bits are ones");
	unit_ok(
	    data_check_all(&unit_data, key, 7 * MIB, b, MIB) == MIB, "and the check of all bytes");
	for (i = bad = 0; i < 8 * SECTOR; i++) {
		((unsigned char *)b)[i] ^= 1;
		bad += data_check_all(&unit_data, key, 7 * MIB, b, MIB) == i / SECTOR * SECTOR;
		((unsigned char *)b)[i] ^= 1;
	}
	unit_ok(bad == 8 * SECTOR, "which finds one wrong bit in any byte");
	memset(b + 5 * WORDS, 0, SECTOR);
	unit_ok(data_check(&unit_data, key, 7 * MIB, b, MIB) == 5 * SECTOR,
	    "a lost sector is found where it is");
	data_fill(&unit_data, key, 0, b, MIB);
	qsort(b, MIB / 4096, 4096, unit_compare);
	for (i = 0; i + 1 < MIB / 4096; i++)
		equal += unit_compare(b + i * 512, b + (i + 1) * 512) == 0;
	unit_ok(equal == 0, "no two blocks of 4 KiB are equal");
	data_fill(&unit_data, key, 0, b, 4096);
	data_seed(&unit_data, 43);
	unit_ok(data_key(&unit_data, PASS_BLOCK) != key, "another seed has other data");
}

/* Whether the tickets 0..n-1 of this round visit every place once. */
static bool
unit_visits_all(const struct order *o, uint64_t round)
{
	unsigned char *seen = calloc(1, (size_t)o->places);
	uint64_t i, place;
	bool good = seen != NULL;

	for (i = 0; good && i < o->places; i++) {
		place = order_place(o, round, i);
		good = place < o->places && seen[place]++ == 0;
	}
	free(seen);
	return good;
}

static void
unit_order(void)
{
	struct order o = { .key = 99 }, other = { .key = 100 };
	uint64_t places, i, changed, same;
	bool all = true, fixed = true;

	for (places = 1; places < 300; places++)
		for (o.seekers = 1; o.seekers < 14; o.seekers += 3) {
			o.places = places;
			all = all && unit_visits_all(&o, 0) && unit_visits_all(&o, 1) &&
			      unit_visits_all(&o, 5);
		}
	unit_ok(
	    all, "every round visits every place once, for 1 to 299 places and 1 to 13 seekers");
	o.places = other.places = 100003;
	o.seekers = other.seekers = 3;
	unit_ok(unit_visits_all(&o, 0) && unit_visits_all(&o, 2), "the same for 100003 places");
	for (i = changed = same = 0; i < o.places; i++) {
		changed += order_changes(&o, i);
		same += order_place(&o, 0, i) == order_place(&other, 0, i);
	}
	unit_ok(changed == 9999, "one in ten is changed");
	unit_ok(same < 20, "another key is another order");
	for (i = same = 0; i + 1 < o.places; i++)
		same += order_place(&o, 0, i + 1) == order_place(&o, 0, i) + 1;
	unit_ok(same < 20, "neighbours are not visited one after the other");
	/* The places that change are the same in every round. */
	{
		unsigned char *change = calloc(1, (size_t)o.places);

		for (i = 0; i < o.places; i++)
			if (order_changes(&o, i))
				change[order_place(&o, 0, i)] = 1;
		for (i = 0; i < o.places; i++)
			fixed = fixed && change[order_place(&o, 3, i)] == order_changes(&o, i);
		free(change);
	}
	unit_ok(fixed, "the places that change are the same in every round");
	unit_ok(order_permute(1, UINT64_C(1) << 62, 12345) < UINT64_C(1) << 62,
	    "2^62 places have an order");
}

/* Writes a file of this text and returns its name. */
static const char *
unit_file_of(const char *text)
{
	static char names[8][32];
	static int n;
	char *name = names[n++ % 8];
	int fd;

	snprintf(name, 32, "/tmp/bonnie-unit.XXXXXX");
	fd = mkstemp(name);
	if (fd == -1 || write(fd, text, strlen(text)) == -1)
		exit(1);
	close(fd);
	return name;
}

static void
unit_system(void)
{
	struct plan plan = { .type = "" };
	char dir[] = "/tmp/bonnie-unit.XXXXXX", sub[512], mounts[512], path[64];
	const char *file, *groups;
	struct mount m = { .line = NULL };
	FILE *f;

	file = unit_file_of(
	    "rubbish\n1 2 3\n"
	    "22 1 8:1 / /mnt/a\\040b\\134 rw shared:1 master:2 - ext4 /dev/sda1 rw,memory\n");
	f = fopen(file, "r");
	unit_ok(sys_next_mount(f, &m), "a line of mountinfo is found behind rubbish");
	unit_is(m.point, "/mnt/a b\\", "its blank and backslash are read");
	unit_is(m.type, "ext4", "its type is read");
	unit_ok(sys_listed(m.options, "memory") && !sys_listed(m.options, "mem") &&
		    !sys_listed(m.options, "emory"),
	    "its options are found whole");
	unit_ok(!sys_next_mount(f, &m), "the end is the end");
	fclose(f);
	unlink(file);
	unit_ok(sys_below("/a/b", "/") && sys_below("/a/b", "/a") && sys_below("/a", "/a") &&
		    !sys_below("/ab", "/a"),
	    "sys_below knows /a/b from /ab");

	/* A hierarchy of version 2, limited above and below. */
	if (mkdtemp(dir) == NULL)
		exit(1);
	snprintf(sub, sizeof(sub),
	    "mkdir -p %s/x/y && echo max >%s/x/y/memory.max && echo 1000 >%s/x/memory.max"
	    " && echo 2000 >%s/memory.max",
	    dir, dir, dir, dir);
	if (system(sub) != 0)
		exit(1);
	groups = unit_file_of("1:cpu:/other\n0::/x/y\n");
	snprintf(mounts, sizeof(mounts), "30 1 0:9 / %s rw - cgroup2 cgroup rw\n", dir);
	file = unit_file_of(mounts);
	unit_ok(
	    sys_cgroup_limit(groups, file) == 1000, "cgroup 2: the least limit up the hierarchy");
	unlink(file);
	/* The same seen from a container: its root is the group itself. */
	snprintf(mounts, sizeof(mounts), "30 1 0:9 /x %s/x rw - cgroup2 cgroup rw\n", dir);
	file = unit_file_of(mounts);
	unit_ok(sys_cgroup_limit(groups, file) == 1000, "cgroup 2 in a container");
	unlink(file);
	unlink(groups);
	/* Version 1. */
	snprintf(sub, sizeof(sub),
	    "echo 9223372036854771712 >%s/memory.limit_in_bytes && echo 512000 "
	    ">%s/x/memory.limit_in_bytes",
	    dir, dir);
	if (system(sub) != 0)
		exit(1);
	groups = unit_file_of("4:memory,hugetlb:/x\n0::/\n");
	snprintf(
	    mounts, sizeof(mounts), "30 1 0:9 / %s rw - cgroup cgroup rw,hugetlb,memory\n", dir);
	file = unit_file_of(mounts);
	unit_ok(sys_cgroup_limit(groups, file) == 512000, "cgroup 1: the limit of the group");
	unit_ok(sys_cgroup_limit("/nonexistent", file) == UINT64_MAX, "no cgroup, no limit");
	unlink(file);
	unlink(groups);

	/* The longest mount point that holds the directory, and of equal ones the last. */
	snprintf(mounts, sizeof(mounts),
	    "1 1 8:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / %s rw - xfs b rw\n"
	    "3 1 0:3 / %s rw - tmpfs c rw\n4 1 0:4 / %s/xy rw - zfs d rw\n",
	    dir, dir, dir);
	file = unit_file_of(mounts);
	snprintf(path, sizeof(path), "%s/x", dir);
	sys_type(file, path, &plan);
	unit_is(plan.device, "c", "its device");
	unit_is(plan.type, "tmpfs", "the type of the file system under a directory");
	unlink(file);
	snprintf(sub, sizeof(sub), "rm -rf %s", dir);
	if (system(sub) != 0)
		exit(1);
	free(m.line);
}

static void
unit_table(void)
{
	struct plan plan = { .label = "host1", .size = 1024 * MIB };
	struct run *run = calloc(1, sizeof(*run));
	char text[128];

	run->plan = &plan;
	unit_result(&run->result[COL_PUTC], false, 9002, 98.0);
	unit_result(&run->result[COL_BLOCK], false, 15893, 15.1);
	unit_result(&run->result[COL_REWRITE], false, 6519, 10.8);
	unit_result(&run->result[COL_GETC], false, 8907, 83.9);
	unit_result(&run->result[COL_READ], false, 17323, 12.1);
	unit_result(&run->result[COL_SEEKS], true, 120.8, 2.0);
	unit_is(unit_print(out_text, run),
	    "              -------Sequential Output-------- ---Sequential Input-- --Random--\n"
	    "              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"
	    "Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU\n"
	    "host1    1024  9002 98.0 15893 15.1  6519 10.8  8907 83.9 17323 12.1 120.8  2.0\n",
	    "the table of 1996, to the byte");
	unit_is(unit_print(out_text, run),
	    "host1    1024  9002 98.0 15893 15.1  6519 10.8  8907 83.9 17323 12.1 120.8  2.0\n",
	    "a second run of the same width adds a row only");
	unit_is(unit_print(out_html, run),
	    "<TR><TD>host1</TD><TD>1024</TD><TD>9002</TD><TD>98.0</TD>"
	    "<TD>15893</TD><TD>15.1</TD><TD>6519</TD><TD>10.8</TD><TD>8907</TD><TD>83.9</"
	    "TD><TD>17323</TD>"
	    "<TD>12.1</TD><TD>120.8</TD><TD>2.0</TD></TR>\n",
	    "the html row");
	unit_result(&run->result[COL_READ], false, 2408287, 149.0);
	unit_is(unit_print(out_text, run),
	    "              -------Sequential Output-------- ----Sequential Input---- --Random--\n"
	    "              -Per Char- --Block--- -Rewrite-- -Per Char- ---Block----- --Seeks---\n"
	    "Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   K/sec  %CPU  /sec %CPU\n"
	    "host1    1024  9002 98.0 15893 15.1  6519 10.8  8907 83.9 2408287 149.0 120.8  2.0\n",
	    "a wider run prints a wider header, aligned");
	memset(run->result, 0, sizeof(run->result));
	memset(run->width, 0, sizeof(run->width));
	plan.label = NULL;
	plan.size = 512 * KIB;
	unit_is(strstr(unit_print(out_text, run), "/sec %CPU\n") + strlen("/sec %CPU\n"),
	    "         512k +++++  +++ +++++  +++ +++++  +++ +++++  +++ +++++  +++ +++++  +++\n",
	    "what was skipped is +++++ and +++, no label is blank, 512 KiB is 512k");
	plan.label = "<a href=\"x\">&";
	unit_ok(strncmp(unit_print(out_html, run),
		    "<TR><TD>&lt;a href=&quot;x&quot;&gt;&amp;</TD><TD>512k</TD><TD>+++++</TD>",
		    72) == 0,
	    "html escapes the label");
	out_label(text, sizeof(text), "a\tb\nc\033[1m\177", LABEL_MOST);
	unit_is(text, "a?b?c?[1m?", "control characters of a label become ?");
	out_label(text, sizeof(text), "\303\244\302\205\377\303", LABEL_MOST);
	unit_is(text, "\303\244????", "UTF-8 stays, C1 controls and broken bytes become ?");
	out_label(text, sizeof(text), "abcdefghijklmnopqrstuvw\303\244xyz", LABEL_MOST);
	unit_is(
	    text, "abcdefghijklmnopqrstuvw\303\244", "a label is cut to 24 characters, not bytes");
	free(run);
}

/* The second table; unit_result() takes rates, here of files. */
static void
unit_create_table(void)
{
	struct plan plan = { .files = 10240, .file_most = 102400, .file_least = 1024, .dirs = 16 };
	struct run *run = calloc(1, sizeof(*run));
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int i;

	run->plan = &plan;
	for (i = COL_SEQ_CREATE; i < RESULTS; i++)
		unit_result(&run->result[i], true, 1234, 56);
	run->result[COL_RAN_READ].measured = false;
	out_create(f, run);
	plan.file_most = plan.file_least = 0;
	plan.dirs = 1;
	unit_result(&run->result[COL_SEQ_READ], true, 1234567, 100);
	out_create(f, run);
	fclose(f);
	unit_is(text,
	    "                    ------Sequential Create------ --------Random Create--------\n"
	    "                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--\n"
	    "files:max:min        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP\n"
	    "  10:102400:1024/16  1234  56  1234  56  1234  56  1234  56 +++++ +++  1234  56\n"
	    "                    -------Sequential Create------- --------Random Create--------\n"
	    "                    -Create-- ---Read---- -Delete-- -Create-- --Read--- -Delete--\n"
	    "              files  /sec %CP    /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP\n"
	    "                 10  1234  56 1234567 100  1234  56  1234  56 +++++ +++  1234  56\n",
	    "the second table is that of bonnie++ 1.03, and grows");
	free(text);
	free(run);
}

static void
unit_seekers(void)
{
	struct plan plan = { .seekers = 3 };
	struct run *run = calloc(1, sizeof(*run));
	struct seek_team team = { .begun_ns = SECOND };
	struct seek_report r = {
		.kind = SEEK_ROUND, .seeks = 10, .start_ns = 50, .end_ns = 90, .cpu_ns = 7
	};
	struct result *result = &run->result[COL_SEEKS];

	run->plan = &plan;
	result->amount = SEEKS_LEAST;
	unit_ok(!seek_enough(run, &team, 10 * SECOND), "4000 seeks in 9 seconds are not enough");
	unit_ok(seek_enough(run, &team, 11 * SECOND), "4000 seeks and 10 seconds are");
	result->amount = SEEKS_LEAST - 1;
	unit_ok(!seek_enough(run, &team, 60 * SECOND), "3999 in 59 seconds are not");
	unit_ok(seek_enough(run, &team, 61 * SECOND), "60 seconds are");
	plan.seeks = 5000;
	unit_ok(!seek_enough(run, &team, 1000 * SECOND), "with a number, no time is");
	memset(result, 0, sizeof(*result));
	meter_start(&run->meter, 0, true, NULL);
	team.first_ns = UINT64_MAX;
	team.last_ns = 0;
	seek_hear(run, &team, &r);
	r.start_ns = 40;
	r.end_ns = 80;
	seek_hear(run, &team, &r);
	seek_end_round(run, &team);
	unit_ok(result->amount == 20 && result->wall_ns == 50 && result->cpu_ns == 14,
	    "a round lasts from first start to last end, CPU is the sum");
	seek_end_round(run, &team);
	unit_ok(result->wall_ns == 50, "a round in which nobody ran adds no time");
	free(run);
}

/* A file with holes, so that offsets above 4 GiB cost nothing.  On 32 bits they must stay whole. */
static void
unit_offsets(void)
{
	static const uint64_t at[] = {
		0, (UINT64_C(1) << 31) - SECTOR, UINT64_C(1) << 31, (UINT64_C(1) << 32) - SECTOR,
		UINT64_C(1) << 32, 5 * 1024 * MIB,
	};
	struct plan plan = { .chunk = SECTOR };
	struct run *run = calloc(1, sizeof(*run));
	size_t i, n = sizeof(at) / sizeof(at[0]);
	FILE *f = tmpfile();
	int bad = 0;

	if (run == NULL || f == NULL)
		exit(1);
	run->plan = &plan;
	run->buf = unit_file;
	run->file.fd = run->file.io = fileno(f);
	run->file.direct = -1;
	data_seed(&run->data, 1);
	for (i = 0; i < n; i++)
		bad += file_write_fresh(run, i % 2 == 0 ? FILE_WRITE : FILE_PWRITE, 7, at[i],
		    SECTOR) != 0;
	unit_ok(bad == 0, "sectors are written at 0 to 5 GiB");
	unit_ok(lseek(run->file.fd, 0, SEEK_END) == (off_t)(at[n - 1] + SECTOR),
	    "the file ends there");
	run->file.position = NOWHERE;
	for (i = 0; i < n; i++)
		bad += file_read_checked(run, i % 2 == 0 ? FILE_PREAD : FILE_READ, 7, at[i],
		    SECTOR) != 0;
	unit_ok(bad == 0, "each is where it was written");
	unit_ok(file_push(run, 5 * 1024 * MIB) == 0, "the hints reach that far");
	fclose(f);
	free(run);
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "rows") == 0)
		return unit_rows(argv[2]);
	unit_numbers();
	unit_clock();
	unit_latency();
	unit_meter();
	unit_contents();
	unit_order();
	unit_system();
	unit_table();
	unit_create_table();
	unit_seekers();
	unit_offsets();
	return unit_failed;
}
