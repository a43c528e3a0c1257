// SPDX-License-Identifier: GPL-2.0
/* The event without a mistake */
#define CREATE_TRACE_POINTS
#include "refused.h"
