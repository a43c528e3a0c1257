/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hundreds of functions that nobody calls: call sites to be found, listed and switched. No two are
 * the same, so that the compiler does not merge them.
 */
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/module.h>

#define SITE(n)		static noinline __used int trace_site_##n(void) { return 1##n; }
#define SITES_10(n)	SITE(n##0) SITE(n##1) SITE(n##2) SITE(n##3) SITE(n##4) \
			SITE(n##5) SITE(n##6) SITE(n##7) SITE(n##8) SITE(n##9)
#define SITES_100(n)	SITES_10(n##0) SITES_10(n##1) SITES_10(n##2) SITES_10(n##3) \
			SITES_10(n##4) SITES_10(n##5) SITES_10(n##6) SITES_10(n##7) \
			SITES_10(n##8) SITES_10(n##9)
#define SITES_1000(n)	SITES_100(n##0) SITES_100(n##1) SITES_100(n##2) SITES_100(n##3) \
			SITES_100(n##4) SITES_100(n##5) SITES_100(n##6) SITES_100(n##7) \
			SITES_100(n##8) SITES_100(n##9)

/* Without __used, clang keeps only the name init_module(), which the macro below gives it. */
static int __init __used trace_sites_init(void)
{
	return 0;
}
module_init(trace_sites_init);

static void __exit trace_sites_exit(void)
{
}
module_exit(trace_sites_exit);

MODULE_LICENSE("GPL");
