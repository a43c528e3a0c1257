// SPDX-License-Identifier: GPL-2.0
/* An event whose parameters are not those of its class */
#define REFUSED_CLASS
#define CREATE_TRACE_POINTS
#include "refused.h"
