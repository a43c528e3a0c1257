// SPDX-License-Identifier: GPL-2.0
/*
 * The startup tests of tracers that record functions
 */
#include "startup.h"

STARTUP_TEST(function) = {
	.act	= startup_test_call,
	.saw	= SAW_CALL,
};

STARTUP_TEST(graph) = {
	.act	= startup_test_call,
	.saw	= SAW_ENTRY | SAW_RETURN,
};
