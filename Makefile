# plumb: `make help` lists the targets.

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
BENCH ?= $(firstword $(wildcard ../bench ../*/bench))
SUITE ?= public
FUZZTIME ?= 30s
CORPUS := sqlite3 redis tmux leveldb
STATES := lua5.4 redis sqlite3

# One static binary: no cgo anywhere.
export CGO_ENABLED := 0

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 22

.PHONY: build
build: ## build bin/plumb, one static binary
	$(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X github.com/plumb-project/plumb/internal/cli.version=$(VERSION)' -o bin/plumb ./cmd/plumb

PREFIX ?= /usr/local

.PHONY: install
install: build ## install plumb, its manual page and completions below PREFIX (/usr/local)
	install -D bin/plumb '$(DESTDIR)$(PREFIX)/bin/plumb'
	ln -sf plumb '$(DESTDIR)$(PREFIX)/bin/plumb-cc'
	ln -sf plumb '$(DESTDIR)$(PREFIX)/bin/plumb-c++'
	@# Put this directory before others on PATH, and every build uses plumb's compilers.
	mkdir -p '$(DESTDIR)$(PREFIX)/lib/plumb'
	@for name in cc gcc clang c++ g++ clang++; do ln -sf ../../bin/plumb '$(DESTDIR)$(PREFIX)/lib/plumb/'$$name; done
	@set -e; share='$(DESTDIR)$(PREFIX)/share'; \
	put() { file="$$share/$$1"; shift; mkdir -p "$$(dirname "$$file")"; bin/plumb "$$@" >"$$file"; echo "$$file"; }; \
	put man/man1/plumb.1 man; \
	put bash-completion/completions/plumb completion bash; \
	put zsh/site-functions/_plumb completion zsh; \
	put fish/vendor_completions.d/plumb.fish completion fish

.PHONY: demo
demo: ## build plumb and let it find, pinpoint and fix the leaks of examples/demo
	@scripts/setup.sh base
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh

.PHONY: test
test: ## run all tests, installing the Debian packages they use
	@scripts/setup.sh base test
	$(GO) test ./...

.PHONY: check
check: ## format, vet, staticcheck, package layers, short tests
	@bad=$$(gofmt -l cmd internal *.go); if [ -n "$$bad" ]; then echo "gofmt: run gofmt -w on:" $$bad >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -run '^TestLayers$$' .
	$(GO) test -short ./...

.PHONY: bench
bench: build ## benchmarks of every phase, then cost against clang on five programs
	@scripts/setup.sh base test corpus
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...
	@scripts/bench.sh

.PHONY: bench-run
bench-run: build ## cost of plumb run against plain, LeakSanitizer and memcheck
	@scripts/setup.sh base test corpus
	@scripts/bench-run.sh

.PHONY: bench-guard
bench-guard: ## cost of guarded fixes against the program without them
	@scripts/setup.sh base test corpus
	@scripts/bench-guard.sh

.PHONY: stress-run
stress-run: build ## ten threads allocating and losing for a minute, forks among them: exact totals
	@scripts/stress-run.sh $(SECONDS)

.PHONY: bench-states
bench-states: build ## count the states of the check on lua, redis and sqlite
	@scripts/setup.sh base test corpus
	@scripts/corpus.sh build $(STATES)
	$(GO) run ./internal/tools/states -cache .corpus/cache -o docs/measurements/states.md $(addprefix .corpus/,$(STATES))

.PHONY: corpus
corpus: build ## hold the reader against llvm-dis on four real programs
	@scripts/setup.sh base test corpus
	@scripts/corpus.sh build $(CORPUS)
	$(GO) run ./internal/tools/corpus -cache .corpus/cache -o docs/measurements/corpus.md $(addprefix .corpus/,$(CORPUS))

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (30s)
	@scripts/fuzz.sh $(FUZZTIME)

.PHONY: score
score: build ## score plumb on an annotated suite: BENCH=DIR [SUITE=public]
	@scripts/score.sh '$(BENCH)' '$(SUITE)'

RUNSUITES ?= internal/runtest/testdata/programs $(if $(BENCH),$(BENCH)/$(SUITE))

.PHONY: score-run
score-run: build ## score plumb run on programs that say what they lose: [BENCH=DIR] [SUITE=public]
	@scripts/setup.sh base test
	$(GO) run ./internal/tools/runscore -plumb bin/plumb $(SCOREFLAGS) $(RUNSUITES)

.PHONY: oracle-run
oracle-run: ## hold plumb run against valgrind on the same programs, at every level
	@scripts/setup.sh base test
	$(GO) test -count=1 -timeout 60m -run '^TestOracle$$' ./internal/runtest -all

FIXSUITES ?= internal/fixtest/testdata/figures internal/runtest/testdata/programs internal/leak/testdata $(if $(BENCH),$(BENCH)/$(SUITE))

.PHONY: score-fix
score-fix: build ## let plumb fix mend programs and judge the patches by running them: [BENCH=DIR] [SUITE=public]
	@scripts/setup.sh base test
	$(GO) run ./internal/tools/fixscore -plumb bin/plumb -o docs/measurements/fix-score.md $(SCOREFLAGS) $(FIXSUITES)

.PHONY: fuzz-fix
fuzz-fix: ## let plumb fix mend SEEDS (200) random programs from SEED (1) on, and run what comes out
	@scripts/setup.sh base test
	$(GO) test -count=1 -timeout 0 -run '^TestRandom$$' ./internal/fixtest -seeds $(or $(SEEDS),200) -seed $(or $(SEED),1) -runs 40

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf bin
