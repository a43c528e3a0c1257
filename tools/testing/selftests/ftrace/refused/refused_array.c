// SPDX-License-Identifier: GPL-2.0
/* A field whose name is an array: __array() is for that. */
#define REFUSED_ARRAY
#define CREATE_TRACE_POINTS
#include "refused.h"
