# make install, uninstall and dist: what goes where, with DESTDIR and PREFIX, and that all of it goes again.
. tests/lib.sh
make -s install DESTDIR="$T/root" PREFIX=/opt/x >"$T/log" 2>&1
is "make install: status 0" "$?" 0
is "make install: these files" "$(cd "$T/root" && find . -type f | sort)" "./opt/x/bin/bonnie
./opt/x/bin/bonnie-many
./opt/x/bin/bonnie-report
./opt/x/share/man/man1/bonnie-many.1
./opt/x/share/man/man1/bonnie-report.1
./opt/x/share/man/man1/bonnie.1"
ok "the installed program runs" "$T/root/opt/x/bin/bonnie" -V
ok "the installed script runs" "$T/root/opt/x/bin/bonnie-report" -h
make -s uninstall DESTDIR="$T/root" PREFIX=/opt/x >"$T/log" 2>&1
is "make uninstall: nothing stays" "$(find "$T/root" -type f)" ""
# A tarball, built where nothing of the repository is.
make -s dist >"$T/log" 2>&1
is "make dist: status 0" "$?" 0
version=$("$BONNIE" -V | cut -d ' ' -f 2)
ok "make dist: a tarball of this version" test -s "bonnie-$version.tar.gz"
(cd "$T" && gzip -dc "$OLDPWD/bonnie-$version.tar.gz" | tar xf -)
rm -f "bonnie-$version.tar.gz"
ok "the tarball builds" make -s -C "$T/bonnie-$version" CC="$CC" CFLAGS=-O1
is "what it builds is this version" "$("$T/bonnie-$version/bonnie" -V)" "bonnie $version"
ok "make clean" make -s -C "$T/bonnie-$version" clean
ok "make clean takes the program away" test ! -e "$T/bonnie-$version/bonnie"
finish
