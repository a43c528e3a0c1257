// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that modules may call to take snapshots, in a kernel without
 * CONFIG_TRACER_SNAPSHOT.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/trace.h>

/**
 * tracing_snapshot - warn that this kernel has no snapshots
 *
 * Context: any.
 */
void tracing_snapshot(void)
{
	WARN_ONCE(1, "tracing: a snapshot was asked for, and there are none\n");
}
EXPORT_SYMBOL_GPL(tracing_snapshot);

/**
 * tracing_alloc_snapshot - warn that this kernel has no snapshots
 *
 * Context: any.
 * Return: -ENODEV.
 */
int tracing_alloc_snapshot(void)
{
	tracing_snapshot();
	return -ENODEV;
}
EXPORT_SYMBOL_GPL(tracing_alloc_snapshot);

/**
 * tracing_snapshot_alloc - warn that this kernel has no snapshots
 *
 * Context: any.
 */
void tracing_snapshot_alloc(void)
{
	tracing_snapshot();
}
EXPORT_SYMBOL_GPL(tracing_snapshot_alloc);
