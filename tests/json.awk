# A strict reader of JSON (RFC 8259), one object a line, for the tests:
#
#	awk -f tests/json.awk FILE
#	awk -v flat=1 -f tests/json.awk FILE
#
# Says on stdout what is wrong, with status 1: the grammar, escapes, control characters, UTF-8 that is
# not valid, surrogates without a partner, a key that comes twice in an object, anything but exactly one
# object on a line, no line at all.  With flat=1 prints PATH=VALUE for every value (phases.0.seconds=1.5),
# strings decoded but for control characters.  To be run with LC_ALL=C, so that a character is a byte.
BEGIN {
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	for (i = 0; i < 16; i++) {
		hex[substr("0123456789abcdef", i + 1, 1)] = i
		hex[substr("0123456789ABCDEF", i + 1, 1)] = i
	}
	split("b \\u0008 f \\u000c n \\u000a r \\u000d t \\u0009 / / \" \" \\ \\", pair, " ")
	for (i = 1; i in pair; i += 2)
		escapes[pair[i]] = pair[i + 1]
}

function fail(why) {
	if (!wrong)
		print "line " NR ", byte " at ": " why
	wrong = bad = 1
	return ""
}

function blank() {
	while (index(" \t\r", substr(text, at, 1)) && at <= size)
		at++
}

# The bytes of a character, or for a control character how it is escaped.
function encode(n) {
	if (n < 32 || n == 127)
		return sprintf("\\u%04x", n)
	if (n < 128)
		return sprintf("%c", n)
	if (n < 2048)
		return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
	if (n < 65536)
		return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
	return sprintf("%c%c%c%c", 240 + int(n / 262144), 128 + int(n / 4096) % 64,
	    128 + int(n / 64) % 64, 128 + n % 64)
}

# Four hexadecimal digits.
function unit(    n, i, c) {
	for (i = n = 0; i < 4; i++) {
		c = substr(text, at++, 1)
		if (c == "" || !(c in hex))
			return fail("\\u without four hexadecimal digits")
		n = n * 16 + hex[c]
	}
	return n
}

# What follows a backslash.
function escape(    c, n, low) {
	c = substr(text, at++, 1)
	if (c != "u")
		return c != "" && c in escapes ? escapes[c] : fail("an escape that json has not")
	n = unit()
	if (wrong || n < 55296 || n > 57343)
		return encode(n)
	if (n > 56319 || substr(text, at, 2) != "\\u")
		return fail("half a surrogate pair")
	at += 2
	low = unit()
	if (low < 56320 || low > 57343)
		return fail("half a surrogate pair")
	return encode(65536 + (n - 55296) * 1024 + low - 56320)
}

# A character of two to four bytes, whose first is c.
function utf8(c,    n, more, all, least, i) {
	n = code[c]
	more = n < 194 ? 0 : n < 224 ? 1 : n < 240 ? 2 : n < 245 ? 3 : 0
	if (!more)
		return fail("not UTF-8")
	least = more == 1 ? 128 : more == 2 ? 2048 : 65536
	n -= more == 1 ? 192 : more == 2 ? 224 : 240
	for (i = 0; i < more; i++) {
		c = c (all = substr(text, at++, 1))
		if (all == "" || code[all] < 128 || code[all] > 191)
			return fail("not UTF-8")
		n = n * 64 + code[all] - 128
	}
	if (n < least || n > 1114111 || (n > 55295 && n < 57344))
		return fail("not UTF-8")
	return c
}

function string(    c, s) {
	if (substr(text, at++, 1) != "\"")
		return fail("a string is missing")
	while (!wrong) {
		c = substr(text, at++, 1)
		if (c == "")
			return fail("a string has no end")
		if (c == "\"")
			return s
		if (c == "\\")
			s = s escape()
		else if (!(c in code) || code[c] < 32)
			return fail("a control character in a string")
		else
			s = s (code[c] < 128 ? c : utf8(c))
	}
}

function number(    rest) {
	rest = substr(text, at)
	if (!match(rest, /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/))
		return fail("not a value")
	at += RLENGTH
	return substr(rest, 1, RLENGTH)
}

# Members of an object up to its end.
function object(path,    key, id) {
	id = ++objects
	at++
	blank()
	if (substr(text, at, 1) == "}") {
		at++
		return
	}
	while (!wrong) {
		blank()
		key = string()
		if ((id, key) in keys)
			return fail("the key " key " comes twice")
		keys[id, key]
		blank()
		if (substr(text, at++, 1) != ":")
			return fail("no colon behind a key")
		value(path == "" ? key : path "." key)
		if (more("}"))
			return
	}
}

function array(path,    n) {
	at++
	blank()
	if (substr(text, at, 1) == "]") {
		at++
		return
	}
	for (n = 0; !wrong; n++) {
		value(path "." n)
		if (more("]"))
			return
	}
}

# Whether this was the last member.
function more(end,    c) {
	blank()
	c = substr(text, at++, 1)
	if (c != end && c != ",")
		fail("neither a comma nor " end)
	return c == end
}

function value(path,    c, v) {
	blank()
	c = substr(text, at, 1)
	if (c == "{")
		return object(path)
	if (c == "[")
		return array(path)
	if (c == "\"")
		v = string()
	else if (match(substr(text, at), /^(true|false|null)/)) {
		v = substr(text, at, RLENGTH)
		at += RLENGTH
	} else
		v = number()
	if (flat && !wrong)
		print path "=" v
}

{
	text = $0
	size = length(text)
	at = 1
	wrong = 0
	blank()
	if (substr(text, at, 1) != "{")
		fail("not an object")
	else {
		value("")
		blank()
		if (!wrong && at <= size)
			fail("something behind the object")
	}
}

END {
	if (NR == 0) {
		print "no line"
		bad = 1
	}
	exit bad + 0
}
