// SPDX-License-Identifier: GPL-2.0
/* More functions than any module has. */
#include "trace_sites.h"

SITES_1000(0)
SITES_1000(1)
SITES_1000(2)
SITES_1000(3)
SITES_1000(4)
SITES_1000(5)
SITES_1000(6)
SITES_1000(7)
SITES_1000(8)
SITES_1000(9)

MODULE_DESCRIPTION("ten thousand call sites");
