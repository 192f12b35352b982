# Two commands do everything on a bare Debian 12 with a Swift 6 toolchain: `make run` and `make test`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# ---- Settings: override as `make test FILTER=TidyTests` or through the environment ----

SWIFT ?= swift
# Runs only tests whose name matches, such as FILTER=StoreEngineTests.
FILTER ?=
PREFIX ?= /usr/local
DESTDIR ?=
# The languages for make protos-clients. Empty means all.
CLIENTS ?=
# Arguments for ghoststore-bench, such as ARGUMENTS='--seconds 10'.
ARGUMENTS ?=
# The number of times that make compare measures everything. For a number above 1, make compare prints the median, the
# minimum and the maximum of each figure.
RUNS ?= 1
# The amount of work of the long targets. CRASH_SEED, FUZZ_SEED and CLIENT_FAULT_SEED repeat a run.
CRASH_ROUNDS ?= 200
POWER_CUTS ?= 100
# The numbers of power cuts on the simulated disk: CUTS with all syncs, CONTROL_CUTS while the syncs of one place in the
# code do nothing.
CUTS ?= 100000
CONTROL_CUTS ?= 2000
CUT_SEED ?= $(shell echo $$RANDOM$$RANDOM)
INIT_ROUNDS ?= 100
ROTATION_ROUNDS ?= 40
FUZZ_ROUNDS ?= 20000
FLOOD_REQUESTS ?= 1000000
FUZZ_SECONDS ?= 3600
FUZZ_TARGETS ?=
SOAK_SECONDS ?= 60
APPEND_COUNT ?= 1000000
REPLICA_SEEDS ?= 1000
CLOCK_SEEDS ?= 2000
IMPORT_MESSAGES ?= 100000
BRIDGE_SEEDS ?= 50
REPLICATION_ROUNDS ?= 200
REPLICATION_SEED ?= $(shell echo $$RANDOM$$RANDOM)
FAULT_STEPS ?= 12
# The target that make check-containers runs in each container.
CHECK ?= check
CLIENT_CALLS ?= 100000

PROGRAMS := ghoststored ghoststorectl ghoststore-sync
EXAMPLES := chat-example talk-example
# The folder into which the tests and the programs that they start are built.
TESTED := .build-tests/release
RELEASE := .build/release
# The package in Benchmarks is built into a folder of its own.
BENCH_SCRATCH := .build-bench
MAN := .build/man
DEB := .build/deb
DOCS := .build/docs
# Debian's own Python, which has the packages that the tests need. On some machines another one comes first in PATH.
PYTHON ?= /usr/bin/python3
PYTHON_PACKAGE := clients/python
WHEEL := .build/wheel
# The documented libraries, and StoreBasics for the types that StoreClient exports from it.
DOCUMENTED := StoreBasics StoreClient StoreClientTesting ConversationStorage SceneStorage SceneStorageMacros \
	AppendLog BlobStorage FileVault
FORMATTED = $(shell find Package.swift Sources Tests Examples \
	Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests -name '*.swift' -not -path '*/Generated/*')
# At run time the programs load only the system's libsqlcipher, libsodium, libyaml and libnats. The programs do not
# contain the path of the folder in which they were built, neither in messages of C code (__FILE__) nor in debug
# information. SWIFT_DETERMINISTIC_HASHING fixes the order of traits: see scripts/build-tests.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -debug-info-format none \
	-Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^# ---- /{gsub(/^# -+ | -+$$/, ""); print "\n" $$0} \
		/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- The two commands ----

.PHONY: run
run: release ## Install what is missing, build, start a daemon on a new store under var/, show what it does
	scripts/run-demo

.PHONY: test
test: test-build $(if $(FILTER),,python-dependencies) ## Install what is missing, build, run every test (FILTER=name for some)
	$(if $(FILTER),scripts/run-tests $(FILTER),scripts/run-all-tests)

.PHONY: test-long
test-long: test-macros test-bench ## Every test with many seeds, rounds and sizes, macros and bench: each night, before a release
	TEST_TIER=long $(MAKE) --no-print-directory test

# swift-syntax alone takes minutes to build, so these tests are run only after changes of the macros and before a
# release.
.PHONY: test-macros
test-macros: dependencies ## Build the macros with swift-syntax in .build-macros, run their tests and compile the articles
	TESTS_ONLY=SceneStorageMacrosTests,ExampleTests SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test \
		--scratch-path .build-macros --disable-xctest --no-parallel --filter 'SceneStorageMacrosTests|ArticleTests'

# The bench is a tool for developers. Its tests start the daemon and the agent that make test builds.
.PHONY: test-bench
test-bench: test-build ## Build ghoststore-bench, the package in Benchmarks, in .build-bench and run its tests
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test --package-path Benchmarks --scratch-path $(CURDIR)/$(BENCH_SCRATCH) \
		--disable-xctest --no-parallel

.PHONY: import-long
import-long: python-dependencies ## Import 100,000 messages of each of six formats, and kill the bridge to Signal (IMPORT_MESSAGES, BRIDGE_SEEDS)
	cd $(PYTHON_PACKAGE) && GHOSTSTORE_IMPORT_MESSAGES=$(IMPORT_MESSAGES) GHOSTSTORE_BRIDGE_SEEDS=$(BRIDGE_SEEDS) \
		PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m pytest -q -s tests/test_import_many.py tests/test_signal_bridge.py

.PHONY: test-python
test-python: python-dependencies ## Check and test the Python package against the daemon that was built last
	cd $(PYTHON_PACKAGE) && PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m mypy --cache-dir ../../.build/mypy
	cd $(PYTHON_PACKAGE) && PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m pytest -q $(ARGUMENTS)

# The tests start the programs, and one test checks that the generated code is what protoc generates.
.PHONY: test-build
test-build: dependencies ## Build what make test runs
	SWIFT=$(SWIFT) scripts/build-tests $(PROGRAMS) $(EXAMPLES) recovery-code-probe disk-simulator protoc-gen-swift

# ---- Building ----

.PHONY: dependencies
dependencies: ## Install the missing Debian packages (nothing when all are there)
	@SWIFT=$(SWIFT) scripts/install-dependencies

.PHONY: python-dependencies
python-dependencies: ## Install the Debian packages that the Python package is checked and built with
	@SWIFT=$(SWIFT) scripts/install-dependencies --with-python

.PHONY: build
build: dependencies ## Debug build of the programs
	for program in $(PROGRAMS); do $(BUILD) --product $$program; done

.PHONY: release-programs
release-programs: dependencies ## Release build of the programs, without manual pages
	for program in $(PROGRAMS); do $(BUILD) $(RELEASE_FLAGS) --product $$program; done

.PHONY: release-sync
release-sync: dependencies ## Release build of ghoststore-sync alone, in .build/release
	$(BUILD) $(RELEASE_FLAGS) --product ghoststore-sync

.PHONY: release-bench
release-bench: dependencies ## Release build of ghoststore-bench, in .build-bench/release
	$(BUILD) $(RELEASE_FLAGS) --package-path Benchmarks --scratch-path $(CURDIR)/$(BENCH_SCRATCH) --product ghoststore-bench

.PHONY: release
release: release-programs ## Release build of the programs, in .build/release, and their manual pages
	scripts/make-man-pages $(RELEASE) $(MAN)

.PHONY: chat
chat: dependencies ## Build the example and start it: a daemon on a new store, two people in tmux
	for product in ghoststored chat-example; do $(BUILD) $(RELEASE_FLAGS) --product $$product; done
	Examples/chat/start

.PHONY: protos
protos: protos-clients ## Write everything that is generated from proto-docs: messages in Swift, clients, conversions
	$(BUILD) --product protoc-gen-swift
	PROTOC_GEN_SWIFT=.build/debug/protoc-gen-swift scripts/generate-protos

.PHONY: protos-clients
protos-clients: dependencies ## Write only clients and conversions of the daemon, in seconds (CLIENTS=swift, python or server)
	PYTHONDONTWRITEBYTECODE=1 $(PYTHON) clients/generator/generate.py $(CLIENTS)

.PHONY: wheel
wheel: python-dependencies ## Build the Python package's wheel into .build/wheel, without a network
	scripts/build-wheel $(WHEEL)

.PHONY: clean
clean: ## Remove what was built, and the demonstration's store under var/
	rm -rf .build .build-* var

# ---- Style ----

.PHONY: lint
lint: ## Check the formatting of every hand-written Swift file
	@$(SWIFT) format lint --strict --parallel --configuration .swift-format $(FORMATTED)
	@# swift format does not check the length of comments.
	@! LC_ALL=C.UTF-8 grep -nE '^ *//' $(FORMATTED) /dev/null | LC_ALL=C.UTF-8 grep -E ':[0-9]+:.{121,}' \
		|| { echo "hint: no line is longer than 120 columns" >&2; exit 1; }

.PHONY: format
format: ## Format every hand-written Swift file in place
	@$(SWIFT) format format --in-place --parallel --configuration .swift-format $(FORMATTED)

# ---- Documentation ----

.PHONY: docs
docs: dependencies ## Build the documentation as a web site into .build/docs, warnings and broken links as errors
	rm -rf $(DOCS) && mkdir -p $(DOCS)
	GHOSTSTORE_DOCS=1 $(SWIFT) package --allow-writing-to-directory $(DOCS) generate-documentation \
		$(addprefix --target ,$(DOCUMENTED)) --enable-experimental-combined-documentation \
		--warnings-as-errors --hosting-base-path libraries --output-path $(DOCS)/libraries
	@test -d $(DOCS)/libraries/documentation || { echo "DocC wrote nothing into $(DOCS)/libraries" >&2; exit 1; }
	scripts/make-site $(DOCS)
	@echo "to read all of it: python3 -m http.server -d $(DOCS), then http://localhost:8000"

.PHONY: man
man: release ## Write the manual pages into .build/man, and look them over with mandoc
	mandoc -T lint -W warning $(MAN)/*
	@echo "for one of them: man $(MAN)/ghoststorectl.1"

# ---- Measuring ----

.PHONY: bench
bench: release-programs release-bench ## Measure a daemon of our own: every scenario, latencies as a table
	scripts/run-bench $(ARGUMENTS)

.PHONY: bench-replication
bench-replication: release-programs release-bench ## Measure groups of stores over a nats-server on loopback: latency, throughput, cost
	$(BENCH_SCRATCH)/release/ghoststore-bench replication $(ARGUMENTS)

.PHONY: compare
compare: release-programs release-bench ## Measure against Redis, PostgreSQL, a C echo and in-process SQLCipher (installs them); RUNS=5 repeats it
	SWIFT=$(SWIFT) scripts/install-dependencies --with-peers
	scripts/compare-runs --runs $(RUNS) $(ARGUMENTS)

.PHONY: compare-files
compare-files: release ## Measure files beside gocryptfs (through FUSE) and age on this disk (installs them; needs root)
	SWIFT=$(SWIFT) scripts/install-dependencies --with-file-peers
	scripts/compare-files --bin $(RELEASE) $(ARGUMENTS)

# ---- Long tests ----

.PHONY: crash-long
crash-long: test-build ## kill -9 and power cuts under writers, at first starts, in rotations: CRASH_ROUNDS=200, ...
	CRASH_ROUNDS=$(CRASH_ROUNDS) POWER_CUTS=$(POWER_CUTS) INIT_ROUNDS=$(INIT_ROUNDS) ROTATION_ROUNDS=$(ROTATION_ROUNDS) \
		scripts/run-tests 'IntegrationTests.*(Crash|FirstStart)'

# Runs one process for each processor. Each process does its part of the work.
define in_parts
processes=$$(nproc); for part in $$(seq $$processes); do $(1) & jobs="$${jobs:-} $$!"; done; \
	for job in $$jobs; do wait $$job; done
endef

.PHONY: simulate-long
simulate-long: dependencies ## Power cuts of a simulated disk under the engine: CUTS=100000, CUT_SEED
	$(BUILD) $(RELEASE_FLAGS) --product disk-simulator
	SECONDS=0; $(call in_parts,$(RELEASE)/disk-simulator cuts \
		--seed $$(($(CUT_SEED) + part * 1000000000)) --count $$(($(CUTS) / processes))); \
		echo "$(CUTS) cuts by $$processes processes, $$(($(CUTS) / (SECONDS + 1))) a second"

.PHONY: simulate-controls
simulate-controls: test-build ## Leave out the syncs of each place in turn, fail each operation: CONTROL_CUTS=2000
	$(call in_parts,$(TESTED)/disk-simulator faults --seed $(CUT_SEED) --count 1000000 --part $$part/$$processes)
	$(call in_parts,$(TESTED)/disk-simulator controls --count $(CONTROL_CUTS) --part $$part/$$processes)

.PHONY: fuzz
fuzz: test-build ## Random, damaged and far too many frames: FUZZ_ROUNDS=20000, FLOOD_REQUESTS=1000000
	FUZZ_ROUNDS=$(FUZZ_ROUNDS) FLOOD_REQUESTS=$(FLOOD_REQUESTS) \
		scripts/run-tests 'IntegrationTests.*(Hostile|Flood)'

.PHONY: fuzz-long
fuzz-long: dependencies ## Everything that reads bytes of others under libFuzzer: FUZZ_SECONDS=3600 each, FUZZ_TARGETS=
	SWIFT=$(SWIFT) FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz $(FUZZ_TARGETS)

.PHONY: sanitize
sanitize: dependencies ## Tests of libraries, engine, server, client under thread and address sanitizer (FILTER=)
	SWIFT=$(SWIFT) FILTER='$(FILTER)' scripts/sanitize

.PHONY: fault-long
fault-long: test-build ## Fail calls of libcrypto and of the system in the daemon, one by one: FAULT_STEPS=12
	FAULT_STEPS=$(FAULT_STEPS) scripts/run-tests 'IntegrationTests.*Fault'

.PHONY: append-long
append-long: test-build ## A million appends into a 1 MiB log: store size and speed (APPEND_COUNT)
	APPEND_COUNT=$(APPEND_COUNT) scripts/run-tests LogCapacityTests

.PHONY: replica-long
replica-long: test-build ## Stores of a group under random edits and deliveries: REPLICA_SEEDS=1000
	REPLICA_SEEDS=$(REPLICA_SEEDS) scripts/run-tests 'StoreEngineTests.Replica(Convergence|Order)Tests'

.PHONY: clocks-long
clocks-long: test-build ## Stores and groups whose clocks are set to anything: CLOCK_SEEDS=2000, CLOCK_FIRST_SEED
	CLOCK_SEEDS=$(CLOCK_SEEDS) CLOCK_FIRST_SEED=$(CLOCK_FIRST_SEED) scripts/run-tests \
		'StoreEngineTests.Clock(Fleet|Store)Tests'

.PHONY: replication-long
replication-long: test-build ## Agents and nats-servers killed, frozen, wiped: REPLICATION_ROUNDS=200, REPLICATION_SEED
	REPLICATION_ROUNDS=$(REPLICATION_ROUNDS) REPLICATION_SEED=$(REPLICATION_SEED) \
		scripts/run-tests 'ReplicaTransportTests.*(Fault|Agent|Stream)Tests'

.PHONY: replication-faults
replication-faults: test-build ## Daemons, agents, servers and their network under faults: REPLICATION_ROUNDS=200, REPLICATION_SEED, REPLICATION_FAULTS
	REPLICATION_ROUNDS=$(REPLICATION_ROUNDS) REPLICATION_SEED=$(REPLICATION_SEED) REPLICATION_FAULTS=$(REPLICATION_FAULTS) \
		scripts/run-tests 'ReplicaTransportTests.FaultRoundTests'

.PHONY: damage-long
damage-long: test-build ## Every page, sector and length of a store's files damaged, in every moment of its life
	DAMAGE_CASES=all scripts/run-tests 'StoreEngineTests\.(Damaged|JournalDamage|WALLoss|Segment|ReplayEquality)'

.PHONY: client-long
client-long: test-build ## The client through a proxy at which connections fail: CLIENT_CALLS=100000, CLIENT_FAULT_SEED
	CLIENT_CALLS=$(CLIENT_CALLS) scripts/run-tests 'StoreClientTests.*FaultTests'

.PHONY: soak
soak: test-build ## Writers and readers at once, and administration beside them: SOAK_SECONDS=60
	SOAK_SECONDS=$(SOAK_SECONDS) scripts/run-tests 'IntegrationTests.*(Soak|Beside)'

.PHONY: check-library
check-library: test-build ## Build and run a program elsewhere that names this package by path, without traits
	SWIFT=$(SWIFT) scripts/check-library

.PHONY: check-sqlcipher
check-sqlcipher: test-build ## Build SQLCipher 4, run the engine on it, change a store between it and the system's
	SWIFT=$(SWIFT) scripts/check-sqlcipher

# ---- Installing ----

.PHONY: install
install: ## Install what `make release` built, with units, configuration, manual (PREFIX=/usr/local, DESTDIR=)
	DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) scripts/install

.PHONY: install-sync
install-sync: ## Install ghoststore-sync too, with its units, configuration, manual
	DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) scripts/install --sync

.PHONY: uninstall
uninstall: ## Remove what install put there, but for the configuration and the store
	DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) scripts/install --uninstall

.PHONY: deb
deb: release ## Build the Debian packages into .build/deb, for Debian 12 and 13
	SWIFT=$(SWIFT) scripts/install-dependencies --with-packaging
	scripts/build-deb $(DEB)
	ls -l $(DEB)/*.deb

.PHONY: sbom
sbom: release ## Write which software of others the programs hold or load, as SPDX (.build/ghoststore.spdx.json)
	SWIFT=$(SWIFT) scripts/make-sbom $(RELEASE) .build/ghoststore.spdx.json

.PHONY: check
check: ## All that is to pass before a release and takes no virtual system: style, tests, documents, packages, units
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory promtool test
	$(MAKE) --no-print-directory docs
	$(MAKE) --no-print-directory deb
	$(MAKE) --no-print-directory check-service

.PHONY: promtool
promtool: ## Put Prometheus' promtool into .build (19 MB from Debian), where the tests of metrics look for it
	scripts/fetch-promtool

.PHONY: check-metrics
check-metrics: promtool test-build ## Check metrics, alerts and dashboard, with promtool
	scripts/run-tests 'CommandLineTests.*(Promtool|Observation)'

.PHONY: check-reproducible
check-reproducible: dependencies ## Build daemon and agent twice, in two new folders, and compare them bit for bit
	SWIFT=$(SWIFT) scripts/check-reproducible

.PHONY: check-containers
check-containers: ## make check in containers of Debian 12, 13 and Ubuntu 24.04 (CHECK=target)
	CHECK=$(CHECK) scripts/check-containers

.PHONY: check-service
check-service: ## Rate the hardening of the service files with systemd-analyze (at most 0.7, and 1.5 with a network)
	systemd-analyze security --offline=true --threshold=7 systemd/ghoststored.service
	systemd-analyze security --offline=true --threshold=15 systemd/ghoststore-sync.service

.PHONY: check-boot
check-boot: deb ## Boot Debian 12 and 13, install the packages, use them as four users, upgrade, purge (as root)
	SWIFT=$(SWIFT) scripts/check-boot
