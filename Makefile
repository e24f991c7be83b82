# The address to try the server out on, and the key: without one the server makes one, which it keeps
# in freshet-data/key, beside the feeds. Some shells set HOST to the machine's name, so it is not taken from the
# environment: make HOST=...
HOST = 127.0.0.1
PORT ?= 8080
KEY ?=
ARGS ?=

SWIFT ?= swift
TARGETS ?=
ROWS ?=
SHORT ?=
TRAITS ?=
SHELL = /bin/sh

# Where make install puts things; DESTDIR is a folder to put them in instead of /.
PREFIX ?= /usr/local
DESTDIR ?=
# The unit is systemd's own where the package is the system's.
UNITDIR ?= $(if $(filter /usr,$(PREFIX)),/usr/lib/systemd/system,$(PREFIX)/lib/systemd/system)

.PHONY: help run test check test-tsan test-asan test-openapi test-system test-cost fuzz siege soak bench build install uninstall deb \
	docs setup clean

help:
	@echo "make run    build, and serve the demo on http://$(HOST):$(PORT)/"
	@echo "            (make HOST=… PORT=… KEY=… ARGS='…' run: otherwise)"
	@echo "make test   build, and run all tests"
	@echo "make check  build, and run the tests of Swift and Node.js alone"
	@echo "make test-system"
	@echo "            test with PostgreSQL, proxies, Prometheus and others, which it installs"
	@echo "make test-tsan, make test-asan"
	@echo "            run all tests with the thread or the address sanitizer"
	@echo "make test-openapi"
	@echo "            compare the server with Public/openapi.json"
	@echo "make test-cost"
	@echo "            count what large inputs cost, against their bytes"
	@echo "make fuzz   fuzz the readers of what clients send (FUZZ_SECONDS=60 TARGETS='json …')"
	@echo "make siege  attack a server beside a normal client, and say what that client sees"
	@echo "make soak   everything at once for an hour (SOAK_MINUTES=60), and what it comes to"
	@echo "make bench  measure against other servers, and write Benchmarks/RESULTS.md"
	@echo "            (ROWS='poll diff' measures less; SHORT=yes only tries it out)"
	@echo "make docs   make the documentation of the Swift libraries in .build/docs"
	@echo "make build  build .build/release/freshet"
	@echo "make install, make uninstall"
	@echo "            the command, its manual page, completions, web client and systemd unit"
	@echo "            (PREFIX=$(PREFIX) DESTDIR=…)"
	@echo "make deb    make a Debian package in .build/deb"
	@echo "make setup  check for Swift, and install the libraries that are missing"
	@echo "make clean  remove everything that was built"

run: build
	@! command -v node >/dev/null || scripts/release-files.mjs --write
	.build/release/freshet serve --demo --host '$(HOST)' --port '$(PORT)' \
		$(if $(KEY),--key '$(KEY)') $(ARGS)

build:
	@scripts/setup build
	$(SWIFT) build --configuration release --product freshet

test:
	@scripts/setup test
	SWIFT='$(SWIFT)' scripts/dependency-picture --check
	scripts/test-structure
	$(SWIFT) build --build-tests
	SWIFT='$(SWIFT)' scripts/test-swift
	$(SWIFT)c -frontend -parse Examples/Stories/SwiftUI/*.swift Examples/Stories/UIKit/*.swift \
		Examples/prices/SwiftUI/*.swift
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target part-browser part-crash part-recipes \
		part-availability part-terminal part-conformance part-python part-node part-package part-docs

# Most of these wait for servers and disks most of their time, so they run side by side, the longest first.
part-browser part-node: part-%:
	scripts/test-web $*

part-%:
	SWIFT='$(SWIFT)' scripts/test-$*

# What tells most in the least time, for while one works.
check:
	@scripts/setup test
	scripts/test-structure
	$(SWIFT) build --build-tests
	SWIFT='$(SWIFT)' scripts/test-swift
	scripts/test-web node

test-system:
	$(SWIFT) build --build-tests
	SWIFT='$(SWIFT)' scripts/test-system

# The sanitizers' libraries need a newer linker than the default one. What threads still hold when the
# tests end, and what Foundation and libcurl keep, would be reported as leaks.
test-tsan:
	@scripts/setup test
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-tsan -Xswiftc -use-ld=lld
	TSAN_OPTIONS='suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt' \
		SWIFT='$(SWIFT)' scripts/test-swift --sanitize=thread --scratch-path .build-tsan

test-asan:
	@scripts/setup test
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build-asan -Xswiftc -use-ld=lld
	ASAN_OPTIONS=detect_leaks=0 \
		SWIFT='$(SWIFT)' scripts/test-swift --sanitize=address --scratch-path .build-asan

test-openapi: build
	scripts/test-openapi

test-cost:
	@scripts/setup build
	SWIFTC='$(SWIFT)c' scripts/test-cost

fuzz:
	@scripts/setup build
	SWIFT='$(SWIFT)' scripts/fuzz $(TARGETS)

siege: build
	python3 scripts/siege $(ARGS)

soak: build
	scripts/soak --report Benchmarks/SOAK.md $(ARGS)

# Other servers are fetched and compiled the first time, which takes minutes.
bench: build
	cd Benchmarks && $(SWIFT) build --configuration release $(if $(TRAITS),--traits '$(TRAITS)')
	cd Benchmarks && .build/release/Bench $(if $(SHORT),--short) $(ROWS)

docs:
	SWIFT='$(SWIFT)' scripts/docs

# Not after "build": with sudo, Swift may not be on the path.
install:
	scripts/install --prefix '$(PREFIX)' --units '$(UNITDIR)' --root '$(DESTDIR)'

uninstall:
	scripts/install --remove --prefix '$(PREFIX)' --units '$(UNITDIR)' --root '$(DESTDIR)'

deb:
	scripts/make-deb

setup:
	@scripts/setup test

clean:
	rm -rf .build .build-tsan .build-asan .build-fuzz .build-cost .build-soak Benchmarks/.build
