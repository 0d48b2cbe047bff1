# `make` lists what can be made.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help deps build run test embedding generate check-generated format lint clean

EXTRA_PACKAGES ?=
SWIFT_SOURCES := Package.swift Sources Server Client Tests Samples/Embedding/Package.swift Samples/Embedding/Sources
PROTOC_C_VERSION := $(shell cat Proto/PROTOC_C_VERSION)
GENERATED := .build/generated

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the system's libraries that a build needs, where apt is at hand
	@.ci/deps $(EXTRA_PACKAGES)

build: deps ## Build everything but the tests
	swift build

run: deps ## Serve the sample catalogue, replay its chart, and watch the home screen change
	@Samples/run.sh

test: deps embedding ## Build and run all tests
	swift build --build-tests
	swift test --skip-build

embedding: ## Build the sample app that embeds the client library
	swift build --package-path Samples/Embedding --scratch-path .build/embedding

generate: ## Generate the C code of the protocol from its schema
	@version=$$(protoc-c --version 2>/dev/null | sed -n 's/^protobuf-c //p'); \
	if [ "$$version" != "$(PROTOC_C_VERSION)" ]; then \
		echo "protoc-c $(PROTOC_C_VERSION) is needed, this is '$${version:-none}'; on Debian 12: apt-get install protobuf-c-compiler" >&2; \
		exit 1; \
	fi
	protoc-c --proto_path=Proto --c_out=Proto/CMarqueeProto marquee.proto
	mv Proto/CMarqueeProto/marquee.pb-c.h Proto/CMarqueeProto/include/

check-generated: ## Compare the C code of the protocol with what its schema generates
	@version=$$(protoc-c --version 2>/dev/null | sed -n 's/^protobuf-c //p'); \
	if [ "$$version" != "$(PROTOC_C_VERSION)" ]; then \
		echo "check-generated: skipped, as protoc-c $(PROTOC_C_VERSION) is needed and this is '$${version:-none}'"; \
		exit 0; \
	fi; \
	mkdir -p $(GENERATED); \
	protoc-c --proto_path=Proto --c_out=$(GENERATED) marquee.proto; \
	diff --brief $(GENERATED)/marquee.pb-c.c Proto/CMarqueeProto/marquee.pb-c.c; \
	diff --brief $(GENERATED)/marquee.pb-c.h Proto/CMarqueeProto/include/marquee.pb-c.h; \
	echo "check-generated: the generated code is up to date"

format: ## Lay out the Swift code
	swift format format --in-place --parallel --recursive --configuration .swift-format $(SWIFT_SOURCES)

lint: ## Check the layout of the Swift code
	swift format lint --strict --parallel --recursive --configuration .swift-format $(SWIFT_SOURCES)

clean: ## Remove everything that was built, and the data of `make run`
	rm -rf .build
