/* SPDX-License-Identifier: GPL-2.0 */
/* The place of data of variable size in a record, for printers and probes */
#define __get_dynamic_array(item)							\
	((void *)__entry + (__entry->__data_loc_##item & 0xffff))
#define __get_dynamic_array_len(item)	(__entry->__data_loc_##item >> 16)
#define __get_str(item)			((char *)__get_dynamic_array(item))
#define __get_sockaddr(item)		((struct sockaddr *)__get_dynamic_array(item))

/*
 * Counted from the record, not from the field: FORTIFY_SOURCE knows that the field has four bytes,
 * and would warn of what is written behind it.
 */
#define __get_rel_dynamic_array(item)							\
	((void *)__entry + offsetofend(typeof(*__entry), __rel_loc_##item) +		\
	 (__entry->__rel_loc_##item & 0xffff))
#define __get_rel_dynamic_array_len(item)	(__entry->__rel_loc_##item >> 16)
#define __get_rel_str(item)		((char *)__get_rel_dynamic_array(item))
#define __get_rel_sockaddr(item)	((struct sockaddr *)__get_rel_dynamic_array(item))
