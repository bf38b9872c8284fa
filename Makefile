# `make` says what there is.

SWIFT ?= swift
CONFIG ?= config/minimal.json
DEBUG_BINARY = .build/debug/homeport
# The random tests run this many rounds in `make fuzz`, those that compare two databases a part of them; in `make test` they run few.
FUZZ_ROUNDS ?= 200000
FUZZ_SECONDS ?= 60
# `make soak` kills the server so often, and then watches it for so long.
KILLS ?= 100
SOAK_SECONDS ?= 60
# Optimised, but with the checks of a debug build: what reads beyond its memory is to trap.
FUZZ_BUILD = -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --scratch-path .build-fuzz
SOURCES = Package.swift Plugins Sources Tests Kits/swift bench/sources
SHELL_SCRIPTS = $(shell grep -lE '^\#!.*(ba)?sh$$' scripts/*) Fuzz/run .ci/run Kits/action/install

.PHONY: help dependencies build run build-tests test test-postgres test-release fuzz soak mutants sanitize bench bench-instructions bench-build format lint lint-sources documents release packages wheel npm tarball deb image sbom packages-check clean

help: ## Say what there is.
	@grep -hE '^[a-z -]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /	/' | expand -t 20

dependencies: ## Install the libraries that the build needs, where apt can.
	@scripts/dependencies

# As in scripts/run-tests: without a bound all of several thousand cases begin at once.
test-release fuzz soak: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= $(shell expr 6 '*' "$$(nproc)")

# These binaries carry the libraries that they need, where that can be.
build bench release: export HOMEPORT_STATIC = $(shell scripts/carried-libraries)

build: ## Build the release binary: about a quarter of an hour the first time.
	@scripts/before-build release
	@scripts/dependencies
	$(SWIFT) build -c release --product homeport

run: ## Build a debug binary, about five minutes the first time, and serve a sample schema.
	@scripts/before-build debug
	@scripts/dependencies
	$(SWIFT) build --product homeport
	@echo "This is a debug build, about ten times slower than the release build that make build makes."
	$(DEBUG_BINARY) serve --config $(CONFIG)

build-tests: dependencies
	$(SWIFT) build --build-tests

test: build-tests ## Run all tests: those of the rooms beside the random ones, then packages, clients in Python and the console in a browser. Say at the end what was skipped.
	SWIFT=$(SWIFT) scripts/run-tests

test-postgres: build-tests ## Run of them those of the rooms that keep data, over a PostgreSQL that is made for them (/usr/lib/postgresql has to have one).
	SWIFT=$(SWIFT) scripts/rooms-over-postgres

test-release: release build-tests ## Run the tests of the whole program against the binary that is released: optimisers find other mistakes.
	HOMEPORT_REFUSED_STARTS=300 HOMEPORT_PROGRAM=$(CURDIR)/homeport $(SWIFT) test --skip-build --filter 'CommandLineTests|ConformanceTests'

fuzz: dependencies ## Run the random tests for long, then the parsers against libFuzzer. HOMEPORT_FUZZ_SEED repeats a run.
	$(SWIFT) build --build-tests $(FUZZ_BUILD)
	HOMEPORT_FUZZ_ROUNDS=$(FUZZ_ROUNDS) $(SWIFT) test --skip-build $(FUZZ_BUILD) --filter 'Fuzz|DifferenceTests'
	for target in http http2 websocket json postgres; do Fuzz/run $$target $(FUZZ_SECONDS) || exit 1; done

soak: dependencies ## Kill the server again and again and look for what it acknowledged, then watch its memory for a minute.
	$(SWIFT) build --build-tests
	HOMEPORT_KILLS=$(KILLS) HOMEPORT_SOAK_SECONDS=$(SOAK_SECONDS) $(SWIFT) test --skip-build --filter 'Kill[A-Za-z]*Tests|NodeCutTests|BackupTests|SoakTests'

mutants: dependencies ## Put mistakes into a copy, one at a time, and say which of them no test notices. ROOM=, MUTANT=, CONTINUE=1.
	scripts/mutants run $(if $(ROOM),--room $(ROOM)) $(if $(MUTANT),--mutant $(MUTANT)) $(if $(CONTINUE),--continue)

sanitize: dependencies ## Run the tests of the rooms that have threads under ThreadSanitizer, then under AddressSanitizer.
	scripts/sanitize thread
	scripts/sanitize address

bench: dependencies ## Compare with nginx, and with graphql-js where it is; see how long others wait. Needs wrk and nginx.
	for product in homeport homeport-echo graphql-bench; do \
		$(SWIFT) build -c release --static-swift-stdlib --scratch-path .build-release --product $$product || exit 1; done
	python3 bench/requests.py .build-release/release/homeport --echo .build-release/release/homeport-echo
	bench/language .build-release/release/graphql-bench
	bench/models .build-release/release/homeport
	bench/fairness .build-release/release/homeport

bench-instructions: dependencies ## Count the instructions of requests to the debug build, and fail where they have become more.
	$(SWIFT) build --product homeport
	bench/instructions $(DEBUG_BINARY)

bench-build: dependencies ## Measure clean and incremental builds in a copy: an hour.
	bench/build

format: ## Lay the sources out.
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint: dependencies ## Check the layout of the sources, the scripts, that texts from outside are compared by their bytes, that mutants have their places, that the page is whole and small, and that comments begin plainly.
	@$(MAKE) --no-print-directory lint-sources & sources=$$!; \
	SWIFT=$(SWIFT) scripts/text-comparisons; texts=$$?; wait $$sources && exit $$texts

# What needs nothing that is built.
lint-sources:
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@if command -v shellcheck > /dev/null; then shellcheck $(SHELL_SCRIPTS); else echo "shellcheck is not here: scripts are not checked"; fi
	@if command -v python3 > /dev/null; then scripts/mutants check && scripts/console-page --check && scripts/comment-words --check; else echo "python3 is not here: mutants, the page and comments are not checked"; fi

documents: dependencies ## Write the documents that come from tables in the code.
	$(SWIFT) build --build-tests
	HOMEPORT_UPDATE_DOCUMENTS=1 $(SWIFT) test --skip-build --filter 'what the table says|isDocumented'

release: dependencies ## Build a stripped binary that needs no Swift on its machine, and beside it the symbols that a debugger wants of it.
	$(SWIFT) build -c release --product homeport --static-swift-stdlib --scratch-path .build-release
	objcopy --only-keep-debug .build-release/release/homeport homeport.symbols
	strip -o homeport .build-release/release/homeport
	objcopy --add-gnu-debuglink=homeport.symbols homeport
	@ls -l homeport homeport.symbols

# What `make release` has made, or another one that is named.
BINARY ?= homeport
PACKAGES ?= .build-packages
packages wheel npm tarball deb image sbom: export HOMEPORT_SWIFT_VERSION ?= $(shell $(SWIFT) --version 2> /dev/null | sed -nE 's/.*Swift version ([0-9.]+).*/\1/p')

packages: ## Package BINARY, which make release has made, for pip, npm, Debian and containers, with a list of what is in it: PACKAGES names the folder.
	scripts/packages $(BINARY) $(PACKAGES)

wheel npm tarball deb image sbom: ## One of these packages alone.
	scripts/packages $(BINARY) $(PACKAGES) $@

packages-check: ## Install the packages of PACKAGES as people do, without network, and try them.
	scripts/packages-check $(BINARY) $(PACKAGES)

clean: ## Remove what was built.
	rm -rf .build .build-release .build-fuzz .build-mutants .build-measured .build-start .build-python .build-console .build-packages homeport homeport.symbols
