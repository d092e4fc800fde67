# The one front door. Every target is a short list of scripts in scripts/; read those for the how.
# Variables: ARGS (arguments for the program being run), JOBS (parallel compile jobs, default: all cores), INSPECTOR (OFF: build
# without the web page and without Node.js, until ON).

.DEFAULT_GOAL := help
.NOTPARALLEL:
export JOBS INSPECTOR
unexport ARGS

.PHONY: help run test build check dev unit test-release test-asan sdk test-sdk security real-agents pictures fuzz fuzz-all fuzz-coverage chaos soak test-tsan bench bench-sdk performance tidy format reference dist dist-check packages setup clean

help: ## this list
	@scripts/help Makefile

run: build ## build, then start the daemon in the foreground (ARGS="--port 3000")
	@exec scripts/run $(ARGS)

test: ## everything: setup, checks, both builds, every test
	@scripts/test

build: setup ## the static release binary at build/release/sandbox-agent
	@scripts/build release sandbox-agent

check: setup ## format, layering, words, drift, clang-tidy on changed files; seconds
	@scripts/check

dev: setup ## a debug build in build/dev
	@scripts/build dev

unit: setup ## only the unit tests (ARGS='-tc="a reader*"' picks some)
	@scripts/build release unit_tests
	@build/release/unit_tests $(ARGS)

test-release: setup ## the tests of the release tree (ARGS="-R name" picks some)
	@scripts/build release
	@scripts/test-tree release $(ARGS)

test-asan: setup ## the tests under AddressSanitizer and UBSan (ARGS="-R name" picks some)
	@scripts/build asan
	@scripts/test-tree asan $(ARGS)

security: setup ## what an attacker would try, each with its answer: the tests labelled so, of the release tree; a minute
	@scripts/build release
	@scripts/test-tree release -L security $(ARGS)

sdk: setup ## the TypeScript packages into sdk/*/dist, and the types of everything there
	@scripts/build-sdk --types

test-sdk: setup ## the tests of the TypeScript packages (ARGS="turn": only files so named)
	@scripts/build release sandbox-agent
	@scripts/test-sdk $(ARGS)

real-agents: setup ## whole turns of five real agents against a stub model; writes the agent matrix (ARGS="pi": only one)
	@scripts/build release sandbox-agent
	@scripts/real-agents $(ARGS)

pictures: setup ## the pictures of the inspector that README and guide show, taken anew
	@scripts/build release sandbox-agent
	@SANDBOX_AGENT_UNDER_TEST=build/release/sandbox-agent node scripts/inspector-pictures.mjs docs/guide/pictures

bench: setup ## CPU, latency and memory against floors of the same run; four minutes (ARGS="--quick"; PEER=1: beside the published server)
	@scripts/build release sandbox-agent sandbox_bench
	@scripts/bench $(if $(PEER),--with-peer) $(ARGS)

performance: setup ## all of that with the published server, written to docs/reference/performance.md with its plots; five minutes
	@scripts/build release sandbox-agent sandbox_bench
	@scripts/bench-performance $(ARGS)

bench-sdk: setup ## what a turn costs in a client, ours and the published one; a log, stored and converted; a minute (ARGS="100000": updates)
	@scripts/build release sandbox-agent
	@scripts/build-sdk
	@node bench/sdk/bench.mjs $(ARGS)
	@echo && node bench/sdk/transcript.mjs
	@echo && node bench/sdk/stores.mjs

chaos: setup ## seeded schedules of faults that were never played before (ARGS="--seed 7": that one; ARGS="--seeds 200 --parallel 4")
	@scripts/build release sandbox-agent fake_agent chaos_tests
	@scripts/chaos $(ARGS)

soak: setup ## ten minutes of mixed traffic, after which the daemon must have no more than before (ARGS="60": seconds)
	@scripts/build release sandbox-agent fake_agent chaos_tests
	@scripts/soak $(ARGS)

test-tsan: setup ## the tests under ThreadSanitizer (ARGS="-R name" picks some); minutes
	@scripts/build tsan
	@scripts/test-tree tsan $(ARGS)

fuzz: setup ## one fuzzer with new inputs (ARGS="envelope 60": name, seconds; ARGS="envelope --merge" keeps what it found)
	@scripts/fuzz $(ARGS)

fuzz-all: setup ## every fuzzer, two at a time, until each has tried so many inputs; hours (ARGS="10000000")
	@scripts/fuzz-all $(ARGS)

fuzz-coverage: setup ## how much of each parser the corpora of the fuzzers reach; written into tests/fuzz/README.md
	@scripts/fuzz-coverage

tidy: setup ## clang-tidy on every source file; minutes
	@scripts/check-tidy --all

format: setup ## rewrite all C++ and TypeScript files as their formatters want them
	@scripts/list-files '*.cc' '*.h' | xargs -0r clang-format-19 -i
	@scripts/npm-packages
	@scripts/list-files '*.ts' '*.tsx' | xargs -0r node_modules/.bin/prettier --log-level warn --write

reference: build ## regenerate the pages under docs/reference/, and the SDK's types made from them
	@scripts/check-drift --write
	@scripts/sdk-types
	@scripts/transcript-schema
	@scripts/events-page

dist: setup ## what is released, into build/dist: static binaries for x86_64 and aarch64, their parts, npm packages, checksums (ARGS="x86_64")
	@scripts/dist $(ARGS)

dist-check: setup ## is a release the same when it is built elsewhere? Builds everything twice; minutes (ARGS="x86_64 aarch64")
	@scripts/dist-check $(ARGS)

packages: setup ## the npm packages of the binaries in build/dist, into build/dist/npm
	@scripts/npm-pack

setup: ## install missing Debian packages; nothing to do is instant
	@scripts/setup

clean: ## remove what was built
	@rm -rf build sdk/*/dist
