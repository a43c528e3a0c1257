// SPDX-License-Identifier: GPL-2.0
/*
 * The startup test of hwlat.
 */
#include <linux/compiler.h>
#include <linux/delay.h>

#include "../core/instance.h"
#include "startup.h"

/*
 * Each reading of the clock takes more than 1 ns, so with this threshold there is always something
 * to record. It is recorded when the width of half a second is over.
 */
static void __init read_clock(void)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	WRITE_ONCE(tracing_thresh, 1);
	msleep(600);
	WRITE_ONCE(tracing_thresh, thresh);
}

STARTUP_TEST(hwlat) = {
	.act	= read_clock,
	.saw	= SAW_HWLAT,
};
