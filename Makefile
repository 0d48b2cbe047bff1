# `make` lists what can be made.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Every target that `make help` lists.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))

# SwiftPM hands the package's traits to the compiler in the order of a set. With its usual random hashing that order
# changes from one build to the next, and every other build compiles everything again.
export SWIFT_DETERMINISTIC_HASHING := 1
# Before what runs tests: these see sets and dictionaries in any order.
ANY_ORDER := env -u SWIFT_DETERMINISTIC_HASHING

EXTRA_PACKAGES ?=
# $(call timed,WHAT,COMMAND): runs the command and says how long it took.
timed = @.ci/timed "$(1)" $(2)
# MARQUEE_BUILD_FLAGS are for all debug builds of a checkout: others compile everything again. With MARQUEE_BUILT set
# nothing is built: CI has built it, and even a build that finds nothing to do takes a while.
DEBUG_BUILD := swift build $(MARQUEE_BUILD_FLAGS)
SWIFT_BUILD := $(if $(MARQUEE_BUILT),@: )$(DEBUG_BUILD)
SWIFT_SOURCES := Package.swift Sources Server Client Tools Tests Samples/Embedding/Package.swift Samples/Embedding/Sources \
	Samples/SwiftUIApp/Package.swift Samples/SwiftUIApp/Sources Samples/SwiftUIApp/Tests \
	Samples/UIKitApp/Package.swift Samples/UIKitApp/Sources Samples/UIKitApp/Tests \
	Samples/FilmsApp Samples/SwiftUIApp/App Samples/UIKitApp/App \
	Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Load/Package.swift Benchmarks/GRPC/Package.swift Benchmarks/GRPC/Sources
PROTOC_C_VERSION := $(shell cat Proto/PROTOC_C_VERSION)
PROTOC_C_FOUND = $(shell protoc-c --version 2>/dev/null | sed -n 's/^protobuf-c //p')
PROTOC_C := protoc-c --proto_path=Proto
GENERATED := .build/generated
# The descriptor sets that tests read, each made from the .proto file beside it, or from Proto/presets.proto.
PROTOC_VERSION := 3.21.12
PROTOC_FOUND = $(shell protoc --version 2>/dev/null | sed -n 's/^libprotoc //p')
FIXTURES := Tests/TypesTests/Fixtures
# $(call descriptor-sets,FOLDER): makes all of them in FOLDER.
descriptor-sets = for file in $(FIXTURES)/*.proto; do \
		name=$$(basename "$$file" .proto); \
		protoc --proto_path=$(FIXTURES) --include_imports --descriptor_set_out="$(1)/$$name.desc" "$$name.proto"; \
	done; \
	protoc --proto_path=Proto --include_imports --descriptor_set_out="$(1)/presets.desc" presets.proto

# The descriptor sets of the samples, each beside its .proto file.
SAMPLE_PROTOS := $(wildcard Samples/*/*.proto)
# $(call sample-descriptor-set,PROTO,FILE): makes that of PROTO as FILE.
sample-descriptor-set = protoc --proto_path="$$(dirname $(1))" --proto_path=Proto --include_imports \
	--descriptor_set_out=$(2) "$$(basename $(1))" 2>/dev/null

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the system's libraries that a build needs, if the system has apt
	@.ci/deps $(EXTRA_PACKAGES)

# Packages that pictures, tests, benchmarks, packages and CI need besides those of a build.
PICTURE_PACKAGES := libcairo2-dev libpango1.0-dev libgdk-pixbuf-2.0-dev fonts-inter fonts-noto-cjk
TEST_PACKAGES := $(PICTURE_PACKAGES) libvterm-dev python3-venv protobuf-compiler openssl postgresql
BENCH_PACKAGES := libssl-dev openssl valgrind redis-server nats-server mosquitto nginx-light libnginx-mod-nchan sqlite3 postgresql
DEB_PACKAGES := $(PICTURE_PACKAGES) dpkg-dev binutils python3 libicu-dev
# For the client and the screen element in JavaScript; their checks say which are missing.
JS_PACKAGES := nodejs chromium chromium-driver node-typescript esbuild python3-selenium node-react node-react-dom
BROWSER_PACKAGES := firefox-esr webkit2gtk-driver xvfb
# The languages of Docs/feeding.md that nothing else needs; its check says what is missing.
FEEDING_PACKAGES := curl php-cli
CHECK_DEB_PACKAGES := lintian mandoc systemd zsh fish
CI_PACKAGES := $(TEST_PACKAGES) $(BENCH_PACKAGES) $(DEB_PACKAGES) $(CHECK_DEB_PACKAGES) $(JS_PACKAGES) $(FEEDING_PACKAGES) protobuf-c-compiler libprotobuf-dev libprotobuf-java protoc-gen-go

deps-all: ## Install what tests, benchmarks and CI need as well; like `make deps`, this needs root
	@.ci/deps $(EXTRA_PACKAGES) $(CI_PACKAGES)

build: deps ## Build the two programs, marquee-server and marquee
	$(SWIFT_BUILD) --product marquee-server
	$(SWIFT_BUILD) --product marquee

# Package.swift has the program that draws, and its tests, only with this. Nothing else is built differently for it.
marquee-pictures pictures test chaos documentation deb: export MARQUEE_PICTURES := 1

marquee-pictures: ## Build the program with which `marquee render` draws pictures
	@.ci/deps $(EXTRA_PACKAGES) $(PICTURE_PACKAGES)
	$(SWIFT_BUILD) --product marquee-pictures

run: deps ## Serve the sample catalogue and watch it change, or with APP=a, b, c, d, podcasts, conference, league, guide or directory a sample app
	@Samples/run.sh $(APP)

CERTS ?= .build/certs
NAMES ?=

certs: ## Make an authority of your own and certificates to try TLS with: CERTS=folder, NAMES="films.example 10.0.0.1" of the server
	@.ci/deps openssl
	@Samples/certs.sh "$(CERTS)" $(NAMES)

pictures: marquee-pictures ## Draw the screens of the sample apps to Docs/pictures; APPS="a b" draws only those
	@Samples/pictures.sh $(APPS)

terminal-picture: deps ## Record what `make run` shows in a terminal of 80 x 24, to Docs/pictures/terminal.svg
	@Samples/terminal-picture.sh

test: ## Build and run the tests, those of the clients in Python, C and JavaScript and the examples of feeding included
	@.ci/deps $(EXTRA_PACKAGES) $(TEST_PACKAGES)
	$(call timed,Building,$(DEBUG_BUILD) --build-tests)
	$(call timed,The tests,$(ANY_ORDER) .ci/tests)
	$(call timed,The clients in Python and C,Tests/python/run.sh)
	$(call timed,The client and the screen element in JavaScript,Tests/js/run.sh)
	$(call timed,The examples of feeding from a program,Tests/feeding/run.sh)

CYCLES ?= 1000
COMMITS ?= 100000
SECONDS_OF_CHAOS ?= 120

# $(call whole,NAME,LEAST): fails unless the variable is a whole number of at least 0 or 1.
whole = @[[ "$($(1))" =~ ^(0|[1-9][0-9]*)$$ && "$($(1))" -ge $(2) ]] || \
	{ echo "$(1)=$($(1)): a whole number of at least $(2) is needed" >&2; exit 64; }

chaos: CHAOS_SEED := $(or $(SEED),$(shell date +%s))
chaos: ## Break real connections, processes and disks for long: CYCLES= kills, and as many of two processes on a mirror, and power cuts; SECONDS_OF_CHAOS=, COMMITS= past a stalled client, SEED=
	$(call whole,CYCLES,1)
	$(call whole,COMMITS,1)
	$(call whole,SECONDS_OF_CHAOS,1)
	$(call whole,CHAOS_SEED,0)
	@.ci/deps $(EXTRA_PACKAGES) $(TEST_PACKAGES)
	$(SWIFT_BUILD) --build-tests
	@echo "chaos: CYCLES=$(CYCLES) SECONDS_OF_CHAOS=$(SECONDS_OF_CHAOS) COMMITS=$(COMMITS) SEED=$(CHAOS_SEED)"
	MARQUEE_FAULT_CYCLES=$(CYCLES) MARQUEE_FAULT_SECONDS=$(SECONDS_OF_CHAOS) MARQUEE_FAULT_COMMITS=$(COMMITS) \
		MARQUEE_FAULT_SEED=$(CHAOS_SEED) $(ANY_ORDER) swift test --skip-build --filter 'EndToEndTests\.(Faults|HalfOpenTests)/|MirrorTests\.PowerCutTests/'

NAME ?=
ROUNDS ?=
BENCH_OPTIONS ?=

bench: deps ## Measure ours beside its peers and the limit: NAME="fanout diff" runs those alone, ROUNDS=, BENCH_OPTIONS=; see Benchmarks/README.md
	$(if $(ROUNDS),$(call whole,ROUNDS,1))
	@.ci/deps $(EXTRA_PACKAGES) $(BENCH_PACKAGES)
	@python3 Benchmarks/bench.py $(NAME) $(if $(ROUNDS),--rounds $(ROUNDS)) $(BENCH_OPTIONS)

c-client: deps ## Build the client in C to .build/marquee-client-c, and say how large it is
	@$(MAKE) --no-print-directory --silent --always-make -C Samples/c-client
	@echo "c-client: .build/marquee-client-c, $$(wc -c <.build/marquee-client-c) bytes"

# Where the sample apps are built, and their flags. CI builds them last of all, where the packages that they share with the
# rest are compiled already; what `make test` built has to be made again after that.
EMBEDDING_SCRATCH ?= Samples/Embedding/.build
EMBEDDING_BUILD := $(DEBUG_BUILD) --package-path Samples/Embedding --scratch-path $(EMBEDDING_SCRATCH)

embedding: deps ## Build the sample apps as apps do, without libprotobuf-c; check what they resolve and need, and that they work
	$(SWIFT_BUILD) --product marquee-server
	$(EMBEDDING_BUILD) --product Embedding
	$(EMBEDDING_BUILD) --product Records
	@EMBEDDING_SCRATCH=$(EMBEDDING_SCRATCH) $(ANY_ORDER) .ci/embedding

wire-tests: deps ## Run the tests of the wire as apps build it, without libprotobuf-c
	$(ANY_ORDER) swift test --package-path Samples/Embedding

# The release build that all long checks share. `make simulate RELEASE_BUILD=` uses the debug build, which is there
# after `make test` and much slower; so for `siege` and `nodes`.
RELEASE_BUILD ?= -c release --scratch-path .build/optimized
SEEDS ?= 1000
FROM ?= 1

simulate: ## Run seeded schedules of faults: SEEDS=n of them (0: until Ctrl-C), or SEED=x alone, told line by line
	$(call whole,SEEDS,0)
	$(call whole,FROM,0)
	$(if $(SEED),$(call whole,SEED,0))
	$(if $(and $(SEED),$(findstring command,$(origin SEEDS))),$(error say SEED= for one schedule or SEEDS= for many))
	@.ci/deps $(EXTRA_PACKAGES)
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product simulate
	@"$$(swift build $(RELEASE_BUILD) --show-bin-path)/simulate" $(if $(SEED),--seed $(SEED),--seeds $(SEEDS) --from $(FROM))

SIEGE_SECONDS ?= 15
SIEGE_CONNECTIONS ?= 1000
SIEGE_OPTIONS ?=
MODES ?=

siege: ## Put a server under every kind of pressure, alongside one ordinary client: MODES="idle churn", SIEGE_SECONDS=, SIEGE_CONNECTIONS=
	@.ci/deps $(EXTRA_PACKAGES)
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product marquee-server
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product siege
	@"$$(swift build $(RELEASE_BUILD) --show-bin-path)/siege" --seconds $(SIEGE_SECONDS) \
		--connections $(SIEGE_CONNECTIONS) $(SIEGE_OPTIONS) $(MODES)

NODES_CLIENTS ?= 1000
NODES_SECONDS ?= 15
NODES_SEED ?= 1
NODES_ROUNDS ?= 1
NODES_OPTIONS ?=
PHASES ?=
# Names with a comma between them.
FAULTS ?=
# The server that the rolling restart ends with: a copy with a step more in its schema, built beside. Empty for the same
# version. Without phases there is no such restart.
NODES_NEWER ?= $(if $(FAULTS),$(if $(PHASES),$(NODES_NEWER_BUILD)),$(NODES_NEWER_BUILD))
NODES_NEWER_BUILD := .build/newer/build/release/marquee-server

nodes: ## Kill nodes on one PostgreSQL, relays and PostgreSQL itself under clients, and judge all they show: PHASES="node relay", FAULTS=promotion,restore, NODES_SEED=, NODES_ROUNDS=, NODES_CLIENTS=, NODES_SECONDS=
	$(call whole,NODES_CLIENTS,1)
	$(call whole,NODES_ROUNDS,1)
	@.ci/deps $(EXTRA_PACKAGES) postgresql
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product marquee-server
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product nodes
	$(if $(filter .build/newer/%,$(NODES_NEWER)),$(if $(MARQUEE_BUILT),@: )Tests/nodes/newer-schema .build/newer)
	@"$$(swift build $(RELEASE_BUILD) --show-bin-path)/nodes" --clients $(NODES_CLIENTS) --seconds $(NODES_SECONDS) \
		--seed $(NODES_SEED) --rounds $(NODES_ROUNDS) $(if $(FAULTS),--faults $(FAULTS)) \
		$(if $(NODES_NEWER),--newer-server $(NODES_NEWER)) $(NODES_OPTIONS) $(PHASES)

SOURCES_SEED ?= 1
SOURCES_CLIENTS ?= 20
SOURCES_OPTIONS ?=
# A million rows, 500,000 in one transaction, and each killed several times: what `make check-release` runs.
SOURCES_FULL ?=

sources: ## Follow a PostgreSQL under writers while each part is killed, its slot lost, its tables changed and yesterday restored, and compare all rows, records and mirrors: SOURCES_SEED=, SOURCES_CLIENTS=, SOURCES_FULL=1, SOURCES_OPTIONS=--help
	$(call whole,SOURCES_SEED,0)
	$(call whole,SOURCES_CLIENTS,1)
	@.ci/deps $(EXTRA_PACKAGES) postgresql python3-venv protobuf-compiler
	$(SWIFT_BUILD) $(RELEASE_BUILD) --product marquee-server
	@MARQUEE_SERVER_BIN="$$(swift build $(RELEASE_BUILD) --show-bin-path)/marquee-server" Tests/sources/run.sh \
		--seed $(SOURCES_SEED) --clients $(if $(SOURCES_FULL),200,$(SOURCES_CLIENTS)) \
		$(if $(SOURCES_FULL),--full --rows 1000000 --large 500000 --seconds 20) $(SOURCES_OPTIONS)

# With Swift's own libraries inside, so that the package works without a toolchain. In a folder of its own: every
# file is compiled differently for that, so that this and `make simulate` would build everything again after each other.
DEB_BUILD ?= -c release --scratch-path .build/static --static-swift-stdlib --disable-local-rpath
DEB_FOLDER := .build/deb
DEB_VERSION ?=
# The package that `make deb` made last.
DEB_FILE = $(shell ls -t $(DEB_FOLDER)/marquee_*.deb 2>/dev/null | head -n 1)
# $(packaged): fails unless there is a package.
packaged = @[ -n "$(DEB_FILE)" ] || { echo "there is no package in $(DEB_FOLDER); run 'make deb' first" >&2; exit 66; }

# $(deb-version): fails if DEB_VERSION is given and isn't a version.
deb-version = @[ -z "$(DEB_VERSION)" ] || dpkg --validate-version "$(DEB_VERSION)" || \
	{ echo "DEB_VERSION=$(DEB_VERSION): a version as Debian's packages have is needed" >&2; exit 64; }

deb: ## Make a Debian package of the two programs in .build/deb, which needs no rights: DEB_VERSION=
	$(deb-version)
	@.ci/deps $(EXTRA_PACKAGES) $(DEB_PACKAGES)
	swift build $(DEB_BUILD) --product marquee-server
	swift build $(DEB_BUILD) --product marquee
	swift build $(DEB_BUILD) --product marquee-pictures
	@DEB_VERSION="$(DEB_VERSION)" Server/packaging/build-deb "$$(swift build $(DEB_BUILD) --show-bin-path)" $(DEB_FOLDER)

check-packages: ## Check what `make deb` made: lintian, manual pages, completions, and how exposed the service is
	$(packaged)
	@.ci/deps $(EXTRA_PACKAGES) $(CHECK_DEB_PACKAGES)
	@Server/packaging/check-packages $(DEB_FILE)

check-deb: ## Install, use, upgrade and remove what `make deb` made, in a Debian and under a systemd of its own; this needs root
	$(packaged)
	@Server/packaging/check-deb $(DEB_FILE)

check-image: ## Try the steps of Server/packaging/Dockerfile with what `make deb` made, without an engine; this needs root
	$(packaged)
	@Server/packaging/check-image $(DEB_FILE)

MUTANT_SCHEDULES ?= 2000
MUTANT_BUILD := --package-path .build/mutants/tree --scratch-path .build/mutants/build -c release

mutants: ## Plant faults in a copy, switch them on one by one, and see the simulation find each: MUTANT=name for only one
	$(call whole,MUTANT_SCHEDULES,1)
	@.ci/deps $(EXTRA_PACKAGES)
	swift run $(MARQUEE_BUILD_FLAGS) plant-mutants .build/mutants/tree
	swift build $(MUTANT_BUILD) --product simulate
	@"$$(swift build $(MUTANT_BUILD) --show-bin-path)/simulate" --seeds $(MUTANT_SCHEDULES) $(if $(MUTANT),--mutant $(MUTANT))

check-mutants: ## Say whether each fault that `make mutants` plants still has its place in a copy of the code, and whether that is still a package
	swift run $(MARQUEE_BUILD_FLAGS) plant-mutants .build/mutants/tree
	@swift package --package-path .build/mutants/tree --scratch-path .build/mutants/build describe >/dev/null

FUZZ_TARGETS := frames session sync patch programme types publish import web
TARGET ?=
INPUT ?=
SECONDS ?= 60

fuzz: ## Feed what reads bytes from outside with inputs guided by coverage: TARGET= (all of them by default), SECONDS= for each, INPUT=file
	$(call whole,SECONDS,1)
	@$(foreach target,$(TARGET),[[ " $(FUZZ_TARGETS) " == *" $(target) "* ]] || \
		{ echo "TARGET=$(target): there are $(FUZZ_TARGETS)" >&2; exit 64; };)
	$(if $(INPUT),@[ "$(words $(TARGET))" = 1 ] || { echo "INPUT=$(INPUT): name its target with TARGET=" >&2; exit 64; })
	@.ci/deps $(EXTRA_PACKAGES)
	@Tests/Fuzzing/run.sh $(if $(INPUT),--input "$(INPUT)" $(TARGET),$(SECONDS) $(or $(TARGET),$(FUZZ_TARGETS)))

THREADS_TESTS ?= ^EndToEndTests\.

browsers: ## Test the client in JavaScript, the screen element and the window in Firefox and WebKitGTK: BROWSERS=firefox
	@Tests/js/browsers.sh --check $(BROWSERS)
	@.ci/deps $(EXTRA_PACKAGES) $(JS_PACKAGES) $(BROWSER_PACKAGES)
	$(SWIFT_BUILD) --product marquee-server
	$(SWIFT_BUILD) --product marquee
	@Tests/js/browsers.sh $(BROWSERS)

threads: ## Run the end-to-end tests, or those of THREADS_TESTS=, under ThreadSanitizer, in a build of their own
	@.ci/deps $(EXTRA_PACKAGES)
	@Tests/threads/run.sh '$(THREADS_TESTS)'

# In the folder of the sample app: what both need is the same, and compiled once.
swift-protobuf: deps ## Build and run the tests of MarqueeSwiftProtobuf, in a package of their own: the trait stays off here
	$(ANY_ORDER) swift test --package-path Tests/SwiftProtobuf --scratch-path Samples/Embedding/.build

documentation: deps ## Build the documentation of what apps import, as a site in .build/documentation; a warning is an error
	@.ci/documentation

ONLY ?= $(shell .ci/release --list | cut -d ' ' -f 1)

check-release: ## Check all that takes long, before a tag or after a change of what a part guards: ONLY="siege nodes"; empty lists the parts
	$(if $(strip $(ONLY)),.ci/release $(ONLY),@.ci/release --list)

check-uikit: ## Type-check the UIKit adapters, and the views of their sample app, against UIKit's documented signatures
	@Tests/AppleStubs/check.sh UIKit

check-swiftui: ## Type-check the SwiftUI views, and those of the sample app, against SwiftUI's documented signatures
	@Tests/AppleStubs/check.sh SwiftUI

check-network: ## Type-check the connection by Network.framework, and what follows an app's life, against documented signatures
	@Tests/AppleStubs/check.sh Network

check-face: ## Count what an app sees of the client library, and compare it with Docs/public-face.md; wants the package built
	@.ci/check-face

generate: ## Generate the C code and the descriptor sets from the schemas, and embed the window's files
	Tools/embed-window
	@if [ "$(PROTOC_C_FOUND)" != "$(PROTOC_C_VERSION)" ]; then \
		echo "protoc-c $(PROTOC_C_VERSION) is needed, found: '$(PROTOC_C_FOUND)'; on Debian 12: apt-get install protobuf-c-compiler" >&2; \
		exit 1; \
	fi
	$(PROTOC_C) --c_out=Proto/CMarqueeProto marquee.proto
	mv Proto/CMarqueeProto/marquee.pb-c.h Proto/CMarqueeProto/include/
	$(PROTOC_C) --c_out=Proto/CMarqueePresets presets.proto
	mv Proto/CMarqueePresets/presets.pb-c.h Proto/CMarqueePresets/include/
	$(PROTOC_C) --c_out=Proto/CMarqueeDescriptors descriptors.proto
	mv Proto/CMarqueeDescriptors/descriptors.pb-c.h Proto/CMarqueeDescriptors/include/
	@if [ "$(PROTOC_FOUND)" != "$(PROTOC_VERSION)" ]; then \
		echo "generate: the tests' descriptor sets are left alone; protoc $(PROTOC_VERSION) is needed, found: '$(PROTOC_FOUND)'"; \
	else \
		$(call descriptor-sets,$(FIXTURES)); \
		for file in $(SAMPLE_PROTOS); do $(call sample-descriptor-set,$$file,"$${file%.proto}.desc"); done; \
	fi

check-generated: ## Compare the C code and the descriptor sets with what the schemas generate, and the window's files with those embedded
	@Tools/embed-window --check
	@if [ "$(PROTOC_C_FOUND)" != "$(PROTOC_C_VERSION)" ]; then \
		echo "check-generated: skipped; protoc-c $(PROTOC_C_VERSION) is needed, found: '$(PROTOC_C_FOUND)'"; \
	else \
		mkdir -p $(GENERATED); \
		$(PROTOC_C) --c_out=$(GENERATED) marquee.proto presets.proto descriptors.proto; \
		diff --brief $(GENERATED)/marquee.pb-c.c Proto/CMarqueeProto/marquee.pb-c.c; \
		diff --brief $(GENERATED)/marquee.pb-c.h Proto/CMarqueeProto/include/marquee.pb-c.h; \
		diff --brief $(GENERATED)/presets.pb-c.c Proto/CMarqueePresets/presets.pb-c.c; \
		diff --brief $(GENERATED)/presets.pb-c.h Proto/CMarqueePresets/include/presets.pb-c.h; \
		diff --brief $(GENERATED)/descriptors.pb-c.c Proto/CMarqueeDescriptors/descriptors.pb-c.c; \
		diff --brief $(GENERATED)/descriptors.pb-c.h Proto/CMarqueeDescriptors/include/descriptors.pb-c.h; \
		echo "check-generated: the generated code is up to date"; \
	fi
	@if [ "$(PROTOC_FOUND)" != "$(PROTOC_VERSION)" ]; then \
		echo "check-generated: descriptor sets skipped; protoc $(PROTOC_VERSION) is needed, found: '$(PROTOC_FOUND)'"; \
	else \
		mkdir -p $(GENERATED); \
		$(call descriptor-sets,$(GENERATED)); \
		for file in $(FIXTURES)/*.proto; do \
			name=$$(basename "$$file" .proto); cmp "$(GENERATED)/$$name.desc" "$(FIXTURES)/$$name.desc"; \
		done; \
		cmp "$(GENERATED)/presets.desc" "$(FIXTURES)/presets.desc"; \
		for file in $(SAMPLE_PROTOS); do \
			$(call sample-descriptor-set,$$file,$(GENERATED)/sample.desc); \
			cmp $(GENERATED)/sample.desc "$${file%.proto}.desc"; \
		done; \
		echo "check-generated: the descriptor sets are up to date"; \
	fi

LANGUAGES ?=

check-schema: ## Compile the protocol's schema for other languages, with the generators that Debian has: LANGUAGES="cpp python" alone
	@.ci/check-schema $(LANGUAGES)

format: ## Lay out the Swift code
	swift format format --in-place --parallel --recursive --configuration .swift-format $(LINTED)

# LINTED= limits it to some files.
LINTED ?= $(SWIFT_SOURCES)

lint: ## Check the layout of the Swift code, its comments, the links and length of all pages, versions, and what rooms import
	swift format lint --strict --parallel --recursive --configuration .swift-format $(LINTED)
	@.ci/check-comments
	@.ci/check-links
	@.ci/check-words
	@.ci/check-versions
	@.ci/check-rooms

clean: ## Remove everything that was built, and the data of `make run`
	rm -rf .build Samples/Embedding/.build Samples/SwiftUIApp/.build Samples/UIKitApp/.build
