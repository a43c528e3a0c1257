// SPDX-License-Identifier: GPL-2.0
/* As many functions as a module may have. */
#include "trace_sites.h"

SITES_100(0)

MODULE_DESCRIPTION("a hundred call sites");
