# Bonnie: make; make test (seconds); make check (everything); make install PREFIX=/usr/local
.POSIX:

CC = cc
CFLAGS = -O2
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man/man1

all: bonnie

bonnie: bonnie.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ bonnie.c

# What a change can break most easily, in seconds.
test: bonnie
	CC="$(CC)" tests/run unit cli run

# Everything; what needs root or a tool that is missing is skipped, with the reason.
check: bonnie
	CC="$(CC)" tests/run

install: bonnie
	mkdir -p $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	cp bonnie $(DESTDIR)$(BINDIR)/bonnie
	chmod 755 $(DESTDIR)$(BINDIR)/bonnie
	cp bonnie.1 $(DESTDIR)$(MANDIR)/bonnie.1
	chmod 644 $(DESTDIR)$(MANDIR)/bonnie.1

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/bonnie $(DESTDIR)$(MANDIR)/bonnie.1

clean:
	rm -rf bonnie tests/out bonnie-*.tar.gz

# The version stands in bonnie.c only.
dist:
	v=`sed -n 's/^#define VERSION.*"\(.*\)".*/\1/p' bonnie.c` && rm -rf bonnie-$$v && \
	mkdir bonnie-$$v && cp -R Makefile README LICENSE bonnie.c bonnie.1 tests scripts bonnie-$$v && \
	rm -rf bonnie-$$v/tests/out && tar cf - bonnie-$$v | gzip -9 >bonnie-$$v.tar.gz && \
	rm -rf bonnie-$$v

.PHONY: all test check install uninstall clean dist
