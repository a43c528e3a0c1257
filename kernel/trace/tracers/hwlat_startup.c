// SPDX-License-Identifier: GPL-2.0
/*
 * The startup test of hwlat
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/init.h>

#include "../core/instance.h"
#include "startup.h"

/*
 * No clock is read in no time, so there is always something that takes as long. It is recorded
 * when half a second is over.
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
