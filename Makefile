# SPDX-License-Identifier: GPL-2.0
#
# The front door.  Every target installs what it needs on Debian 12 (as root),
# builds only what is out of date, and says in one line what went wrong.

ARCH   ?= arm64
CONFIG ?= default
export ARCH CONFIG STOCK SCRIPT EXTRA APPEND SMP MEM MACHINE CPU ICOUNT TIMEOUT SEED QEMU CCACHE GDB V

# "make check" means all architectures unless the command line names one.
ARCHS := $(if $(filter command environment,$(firstword $(origin ARCH))),$(ARCH))

.DEFAULT_GOAL := help
.PHONY: help run shell kernel guest script quick check flaky check-long check-fresh bench stats tree series series-check clean

help:
	@sed -n 's/^## //p' Makefile

## make run          build and boot the kernel, trace it, print the head of the trace
## make shell        an interactive guest with tracefs mounted; takes the settings of "make guest"
## make kernel       build/ARCH-CONFIG[-stock]: Image and modules
## make guest SCRIPT=file [EXTRA=dir] [APPEND="..."] [SMP=n] [MEM=size] [SEED=n]
##            [MACHINE=gic-version=3] [CPU=max] [ICOUNT=1] [TIMEOUT=s] [QEMU=system|newer] [GDB=port]
##                   run a script as root in a guest; fail if it fails
## make quick [BASE=rev]
##                   one architecture: KUnit, and the cases of files changed since BASE: minutes
## make check        all tests [ARCH=...] [TESTS="row row:case kernel/row ..."] [N=times] [FAILED=1]
##                   [TURN=group] [LIST=1]: shows the rows and cases instead
## make flaky TESTS=row:case [N=50]
##                   how often a case fails while guests are delayed at times
## make check-long [RESUME=1]
##                   also rows that take hours; RESUME=1 continues the last run
## make check-fresh  the first steps of README.md in a new minimal Debian root
## make bench        costs, beside stock [ARCH=...] [ROWS="groups: see guest/bench"]
## make stats        lines, functions and sizes of the code, beside stock [ARCH=...]
## make tree         build/linux: the base without base/removed, with base/patches and our files
## make series       build/series: the tree as patches; check that git am makes the tree of them
## make series-check [FROM=n] [TO=n]
##                   checkpatch, and builds after each patch: hours
## make clean        remove everything built
##
## ARCH=arm64|riscv|um|x86_64  CONFIG=default|debug|mcount|mcount-debug|mcount-preempt|static|kcsan|faults|distro|nograph|bti|rt|voluntary|off|um|x86  STOCK=1 (the base as it is)

run: kernel
	@SCRIPT=guest/first-trace guest/run

shell: kernel
	@guest/run --shell

guest: script kernel
	@guest/run

script:
	@test -f "$(SCRIPT)" || { echo "make guest: no file SCRIPT=$(SCRIPT)" >&2; exit 1; }

kernel:
	@guest/kernel

tree:
	@guest/need tree linux-source-6.12 python3 git patch xz-utils
	@base/mktree

series:
	@guest/need series linux-source-6.12 python3 git patch xz-utils perl
	@base/mkseries

series-check:
	@guest/need series-check linux-source-6.12 python3 git patch xz-utils perl
	@base/mkseries --checkpatch
	@guest/series-check $(or $(FROM),1) $(TO)

quick:
	@guest/need quick python3
	@guest/check --quick $(if $(BASE),--base=$(BASE)) "$(ARCHS)"

check:
	@guest/need check python3
	@guest/check $(if $(N),--times=$(N)) $(if $(FAILED),--failed) $(if $(TURN),--turn=$(TURN)) \
		$(if $(LIST),--list) "$(ARCHS)" "$(TESTS)"

flaky:
	@guest/need flaky python3
	@guest/check --times=$(or $(N),50) --torment "$(ARCHS)" "$(TESTS)"

check-long:
	@guest/need check-long python3
	@guest/check --long $(if $(RESUME),--resume) "$(ARCHS)" "$(TESTS)"

check-fresh:
	@TESTS="$(TESTS)" guest/fresh

bench:
	@guest/need bench python3
	@guest/bench "$(ARCHS)" "$(ROWS)"

stats:
	@guest/need stats python3 git
	@guest/stats $(ARCH)

clean:
	rm -rf build
