# The address and key to try the server out with. The key is no secret: it is for a server that
# only this machine reaches. On another HOST the server makes one and prints it.
HOST = 127.0.0.1
PORT = 8080
KEY = $(if $(filter 127.0.0.1 ::1 localhost,$(HOST)),try-out-key)
ARGS =

SWIFT = swift
SHELL = /bin/sh

.PHONY: help run test build setup clean

help:
	@echo "make run    build, and serve the demo on http://$(HOST):$(PORT)/"
	@echo "            (HOST=… PORT=… KEY=… ARGS='…' say otherwise)"
	@echo "make test   build, and run all tests"
	@echo "make build  build .build/release/freshet"
	@echo "make setup  check for Swift, and install the libraries that are missing"
	@echo "make clean  remove everything that was built"

run: build
	.build/release/freshet serve --demo --host '$(HOST)' --port '$(PORT)' $(if $(KEY),--key '$(KEY)') $(ARGS)

build:
	@scripts/setup build
	$(SWIFT) build --configuration release --product freshet

test:
	@scripts/setup test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest
	scripts/test-web

setup:
	@scripts/setup test

clean:
	rm -rf .build
