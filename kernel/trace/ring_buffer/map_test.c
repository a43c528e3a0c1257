// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the view that user space has of a mapped CPU, and the operations that fail meanwhile.
 */
#include <kunit/test.h>
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "test_ring.h"

/* The number of pages to map: the meta page, those of the slots, and the reader's. */
#define TEST_PAGES	(TEST_SLOTS + 2)

static int map_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct test_ring *ring = file->private_data;

	return ring_buffer_map(ring->buffer, ring->cpu, vma);
}

static const struct file_operations map_fops = {
	.mmap	= map_mmap,
};

/* Map @pages from page @from on, as user space would. Return the address, or a negative errno. */
static long map_pages(struct kunit *test, unsigned long from, unsigned long pages,
		      unsigned long prot, unsigned long flags)
{
	struct file *file;
	long addr;

	/* A thread without user space gets one with this. */
	addr = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	KUNIT_ASSERT_NE(test, addr, 0);
	file = anon_inode_getfile("ring_buffer_map", &map_fops, test->priv, O_RDWR);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	addr = vm_mmap(file, 0, pages * PAGE_SIZE, prot, flags, from * PAGE_SIZE);
	fput(file);
	return addr;
}

static long map_all(struct kunit *test)
{
	long addr = map_pages(test, 0, TEST_PAGES, PROT_READ, MAP_SHARED);

	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(addr));
	return addr;
}

static void map_undo(struct kunit *test, long addr)
{
	struct test_ring *ring = test->priv;

	KUNIT_EXPECT_EQ(test, vm_munmap(addr, TEST_PAGES * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(ring->buffer, ring->cpu), 0);
}

static struct trace_buffer_meta map_meta(struct kunit *test, long addr)
{
	struct trace_buffer_meta meta;

	KUNIT_ASSERT_EQ(test, 0, copy_from_user(&meta, (void __user *)addr, sizeof(meta)));
	return meta;
}

static struct trace_buffer_meta map_get_reader(struct kunit *test, long addr)
{
	struct test_ring *ring = test->priv;

	KUNIT_EXPECT_EQ(test, ring_buffer_map_get_reader(ring->buffer, ring->cpu), 0);
	return map_meta(test, addr);
}

/* The long word at @offset in the reader's sub-buffer. */
static unsigned long map_word(struct kunit *test, long addr, unsigned long offset)
{
	struct trace_buffer_meta meta = map_meta(test, addr);
	unsigned long word;

	addr += (meta.reader.id + 1) * PAGE_SIZE + offset;
	KUNIT_ASSERT_EQ(test, 0, get_user(word, (unsigned long __user *)addr));
	return word;
}

static unsigned long map_commit(struct kunit *test, long addr)
{
	return map_word(test, addr, offsetof(struct rb_page, commit));
}

static void ring_test_map_refused(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	const struct {
		unsigned long from, pages, prot, flags;
		int err;
	} bad[] = {
		{ 0, 1, PROT_READ | PROT_WRITE, MAP_SHARED, -EPERM },
		{ 0, 1, PROT_READ | PROT_EXEC, MAP_SHARED, -EPERM },
		{ 0, 1, PROT_READ, MAP_PRIVATE, -EPERM },
		{ 0, TEST_PAGES + 1, PROT_READ, MAP_SHARED, -EINVAL },
		{ 1, TEST_PAGES, PROT_READ, MAP_SHARED, -EINVAL },
		{ TEST_PAGES, 1, PROT_READ, MAP_SHARED, -EINVAL },
		{ 1UL << 40, 1, PROT_READ, MAP_SHARED, -EINVAL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ(test, bad[i].err, map_pages(test, bad[i].from, bad[i].pages,
							    bad[i].prot, bad[i].flags));
	KUNIT_EXPECT_EQ(test, ring_buffer_map(ring->buffer, ring->cpu, NULL), -ENODEV);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(ring->buffer, ring->cpu), -ENODEV);
	KUNIT_EXPECT_EQ(test, ring_buffer_map_get_reader(ring->buffer, ring->cpu), -ENODEV);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(ring->buffer, 9 * TEST_DATA, ring->cpu), 0);
}

static void ring_test_map_read(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer_meta meta;
	long addr = map_all(test);

	meta = map_meta(test, addr);
	KUNIT_EXPECT_EQ(test, meta.meta_page_size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, meta.meta_struct_len, sizeof(meta));
	KUNIT_EXPECT_EQ(test, meta.subbuf_size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, meta.nr_subbufs, TEST_SLOTS + 1);
	KUNIT_EXPECT_EQ(test, meta.reader.id + meta.reader.read + meta.entries, 0);

	rb_test_write_many(ring, 0, 16);
	KUNIT_EXPECT_EQ(test, map_meta(test, addr).entries, 0);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.reader.id, 1);
	KUNIT_EXPECT_EQ(test, meta.reader.read, 16 * TEST_SMALL);
	KUNIT_EXPECT_EQ(test, meta.entries, 16);
	KUNIT_EXPECT_EQ(test, meta.read, 16);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr), 16 * TEST_SMALL);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), 0);
	/* More events are visible at once, and count as read after get_reader. */
	rb_test_write_many(ring, 16, TEST_FIT + 1);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr), TEST_FIT * TEST_SMALL);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(ring->buffer), TEST_FIT - 15);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.reader.id, 1);
	KUNIT_EXPECT_EQ(test, meta.read, TEST_FIT);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.reader.id, 2);
	KUNIT_EXPECT_EQ(test, meta.read, TEST_FIT + 1);
	KUNIT_EXPECT_EQ(test, map_get_reader(test, addr).read, TEST_FIT + 1);
	map_undo(test, addr);
}

/* The number of lost events is in the meta page, and after the events if it fits. */
static void ring_test_map_lost(struct kunit *test)
{
	const unsigned int size = 32, fit = TEST_DATA / size;
	struct test_ring *ring = test->priv;
	struct trace_buffer_meta meta;
	u8 data[32 - TEST_SMALL / 2] = { };
	long addr = map_all(test);
	u32 i, lost;

	for (i = 0; i < 20 * fit; i++)
		ring_buffer_write(ring->buffer, sizeof(data), data);
	lost = ring_buffer_overruns(ring->buffer);
	KUNIT_EXPECT_EQ(test, lost, (20 - TEST_SLOTS) * fit);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.reader.lost_events, lost);
	KUNIT_EXPECT_EQ(test, meta.overrun, lost);
	KUNIT_EXPECT_EQ(test, meta.entries, 20 * fit);
	KUNIT_EXPECT_EQ(test, meta.read, fit);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr),
			fit * size | RB_PAGE_MISSED_EVENTS | RB_PAGE_MISSED_STORED);
	KUNIT_EXPECT_EQ(test, map_word(test, addr, offsetof(struct rb_page, data) + fit * size),
			lost);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.reader.lost_events, 0);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr), fit * size);
	map_undo(test, addr);
}

static void ring_test_map_busy(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct trace_buffer *buffer = ring->buffer, *other;
	long addr = map_all(test), part;

	other = ring_buffer_alloc(TEST_SLOTS * TEST_DATA, RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	part = map_pages(test, 2, 3, PROT_READ, MAP_SHARED);
	KUNIT_EXPECT_FALSE(test, IS_ERR_VALUE(part));
	KUNIT_EXPECT_EQ(test, ring_buffer_map(buffer, ring->cpu, NULL), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, vm_munmap(part, 3 * PAGE_SIZE), 0);

	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, TEST_SLOTS * TEST_DATA, ring->cpu),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 9 * TEST_DATA, RING_BUFFER_ALL_CPUS),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 0), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 1), -EBUSY);
	preempt_disable();
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, other, ring->cpu), -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(other, buffer, ring->cpu), -EBUSY);
	preempt_enable();
	map_undo(test, addr);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 9 * TEST_DATA, ring->cpu), 0);
	ring_buffer_free(other);
}

/* Other readers leave the memory where it is, and consume events. */
static void ring_test_map_others(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	struct buffer_data_read_page *read;
	struct trace_buffer_meta meta;
	struct rb_page *page;
	long addr = map_all(test);

	read = ring_buffer_alloc_read_page(ring->buffer, ring->cpu);
	KUNIT_ASSERT_FALSE(test, IS_ERR(read));
	page = ring_buffer_read_page_data(read);
	rb_test_write_many(ring, 0, 3 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_page(ring->buffer, read, PAGE_SIZE, ring->cpu, 1),
			0);
	KUNIT_EXPECT_PTR_EQ(test, ring_buffer_read_page_data(read), page);
	KUNIT_EXPECT_EQ(test, local_read(&page->commit), TEST_FIT * TEST_SMALL);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), TEST_FIT);
	KUNIT_EXPECT_EQ(test, map_meta(test, addr).read, 0);
	meta = map_get_reader(test, addr);
	KUNIT_EXPECT_EQ(test, meta.read, 2 * TEST_FIT);
	KUNIT_EXPECT_EQ(test, meta.reader.id, 2);
	KUNIT_EXPECT_EQ(test, rb_test_consume(ring), 2 * TEST_FIT);

	ring_buffer_reset_cpu(ring->buffer, ring->cpu);
	meta = map_meta(test, addr);
	KUNIT_EXPECT_EQ(test, meta.entries + meta.overrun + meta.read + meta.reader.read, 0);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr), 0);
	rb_test_write(ring, 1);
	KUNIT_EXPECT_EQ(test, map_get_reader(test, addr).read, 1);
	KUNIT_EXPECT_EQ(test, map_commit(test, addr), TEST_SMALL);
	ring_buffer_free_read_page(ring->buffer, ring->cpu, read);
	map_undo(test, addr);
}

/* Sub-buffers of two pages cannot be mapped from the middle on. */
static void ring_test_map_order(struct kunit *test)
{
	struct test_ring *ring = test->priv;
	unsigned long pages, commit;
	long addr;

	KUNIT_ASSERT_EQ(test, ring_buffer_subbuf_order_set(ring->buffer, 1), 0);
	KUNIT_EXPECT_EQ(test, map_pages(test, 1, 1, PROT_READ, MAP_SHARED), -EINVAL);
	addr = map_pages(test, 0, 1, PROT_READ, MAP_SHARED);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(addr));
	KUNIT_EXPECT_EQ(test, map_meta(test, addr).meta_page_size, 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, map_meta(test, addr).subbuf_size, 2 * PAGE_SIZE);
	pages = 2 * (map_meta(test, addr).nr_subbufs + 1);
	KUNIT_EXPECT_EQ(test, vm_munmap(addr, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, map_pages(test, 2, pages - 1, PROT_READ, MAP_SHARED), -EINVAL);
	addr = map_pages(test, 0, pages, PROT_READ, MAP_SHARED);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(addr));
	rb_test_write(ring, 7);
	KUNIT_EXPECT_EQ(test, map_get_reader(test, addr).reader.id, 1);
	/* The commit of sub-buffer 1, which begins at page 4. */
	KUNIT_EXPECT_EQ(test, 0, get_user(commit, (unsigned long __user *)
					  (addr + 4 * PAGE_SIZE +
					   offsetof(struct rb_page, commit))));
	KUNIT_EXPECT_EQ(test, commit, TEST_SMALL);
	KUNIT_EXPECT_EQ(test, vm_munmap(addr, pages * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(ring->buffer, ring->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_unmap(ring->buffer, ring->cpu), 0);
}

static struct kunit_case ring_map_cases[] = {
	KUNIT_CASE(ring_test_map_refused),
	KUNIT_CASE(ring_test_map_read),
	KUNIT_CASE(ring_test_map_lost),
	KUNIT_CASE(ring_test_map_busy),
	KUNIT_CASE(ring_test_map_others),
	KUNIT_CASE(ring_test_map_order),
	{ }
};

static struct kunit_suite ring_map_suite = {
	.name = "ring_buffer_map",
	.init = rb_test_init,
	.exit = rb_test_exit,
	.test_cases = ring_map_cases,
};

kunit_test_suite(ring_map_suite);

MODULE_DESCRIPTION("KUnit tests of the tracing ring buffer");
MODULE_LICENSE("GPL");
