# SPDX-License-Identifier: GPL-2.0
#
# Recording trace events, on the ring buffer of this program: records.c. The Makefile includes this.

EVENTS	:= $(ROOT)/kernel/trace/events
RECORDS	:= $(KERNEL) record users shim shim_events records records_cpus records_judge \
	   records_readers records_settings records_stubs

# Each of these includes shim_events.h; those of REAL include the real one.
EVENT_SHIMS := $(patsubst %,linux/%.h, array_size bitops compiler fs interrupt irqflags jump_label \
	   kernel list minmax perf_event sched seq_buf spinlock_types stdarg tracepoint \
	   xarray) asm/page.h
REAL	:= $(patsubst %,linux/%.h, trace_entry trace_events trace_events_perf trace_recursion \
	   trace_seq)

HEADERS	+= $(wildcard $(EVENTS)/*.h $(EVENTS)/*/*.h $(ROOT)/kernel/trace/core/*.h) \
	   $(addprefix $(ROOT)/include/,$(REAL))

$(O)/shim/.made-events: records.mk $(O)/shim/.made
	@for h in $(EVENT_SHIMS); do \
		mkdir -p $(O)/shim/$$(dirname $$h); \
		echo '#include "shim_events.h"' > $(O)/shim/$$h; \
	done
	@for h in $(REAL); do \
		echo "#include \"$(abspath $(ROOT)/include)/$$h\"" > $(O)/shim/$$h; \
	done
	@touch $@

RECORD_VARIANTS := plain asan tsan

define record_variant
$(O)/%-$1.o: $(EVENTS)/%.c $(O)/shim/.made-events $(HEADERS)
	$$(CC) $$(CFLAGS) $$(FLAGS_$1) -c -o $$@ $$<
$(patsubst %,$(O)/%-$1.o,$(filter records% shim_events,$(RECORDS))): \
	$(O)/shim/.made-events $(HEADERS) $(ROOT)/kernel/trace/core/scratch.c
$(O)/records-$1: $(patsubst %,$(O)/%-$1.o,$(RECORDS))
	$$(CC) $$(CFLAGS) $$(FLAGS_$1) -o $$@ $$^
endef
$(foreach v,$(RECORD_VARIANTS),$(eval $(call record_variant,$v)))

.PHONY: check-records check-records-long
check: check-records
check-records: $(RECORD_VARIANTS:%=$(O)/records-%)
	$(O)/records-plain -e 2000000
	$(O)/records-asan -e 300000
	$(O)/records-asan -e 500000 -x
	$(O)/records-plain -e 2000000 -x
	$(O)/records-plain -e 500000 -x -c 4 -r 30
	$(O)/records-tsan -e 40000
	$(O)/records-tsan -e 60000 -x

check-long: check-records-long
check-records-long: $(RECORD_VARIANTS:%=$(O)/records-%)
	$(O)/records-plain -e 500000000
	$(O)/records-plain -e 500000000 -x
	$(O)/records-plain -e 100000000 -x -c 4 -r 30
	$(O)/records-asan -e 50000000
	$(O)/records-asan -e 50000000 -x -s 2
	$(O)/records-tsan -e 3000000
	$(O)/records-tsan -e 3000000 -x -s 2

all: $(RECORD_VARIANTS:%=$(O)/records-%)
