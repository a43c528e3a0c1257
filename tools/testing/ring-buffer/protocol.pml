/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small model of the protocol of write.c and read.c: one CPU, whose writers interrupt each other,
 * and a consumer on another CPU. Spin tries every order of steps; a step is one access to shared
 * memory.
 *
 * Left out are discarding, overwrite=0, iterators (they only look), and the wrapping of indexes.
 * Of memory order, only the release of commit is modelled: see EARLY_COMMIT.
 *
 * Each step that the proofs in write.c and read.c rely on can be taken out by defining one of
 * these names. Then Spin has to find an error:
 *
 *	STALE_TIME	a writer that lost an exchange keeps the time that it had
 *	OWN_TIME	it takes the latest time of its own depth, not of deeper ones
 *	ONE_PAIR	one pair { time, position } for writers of all depths
 *	EARLY_COMMIT	commit is seen before the event that it covers
 *	LOOK_ONCE	the head is not compared again after nest = 0
 *	LAP		an index is given up that is not before the commit's
 *	NO_HELP		a tail that was left behind is taken as it is
 *	BLIND_TAKE	the consumer takes the slot without comparing its word
 *	NO_SKIP		the consumer takes any index for the one that it expects
 */
#define SLOTS	2
#define SUBBUFS	(SLOTS + 1)
#define WORDS	3
#define DEPTHS	2
#define TASK_EVENTS	3	/* of one word */
#define IRQ_EVENTS	2	/* of one word or two; also between the task's */
#define EVENTS		(TASK_EVENTS + IRQ_EVENTS)

/* rb_pos(): index, events in the sub-buffer, words used in it. */
#define POS(index, events, words)	((index) * 16 + (events) * 4 + (words))
#define INDEX(pos)	((pos) / 16)
#define COUNT(pos)	((pos) / 4 % 4)
#define USED(pos)	((pos) % 4)
#define NONE		255

/* rb_slot(): what a slot holds. Indexes here begin with SLOTS, so none is negative. */
#define SLOT(index, id, free)	((index) * 8 + (id) * 2 + (free))
#define SLOT_INDEX(word)	((word) / 8)
#define SLOT_ID(word)		((word) / 2 % 4)
#define FIRST_INDEX		SLOTS

#define NEXT(slot)	(((slot) + 1) % SLOTS)

/* struct rb_cpu and struct rb_subbuf */
byte head = POS(FIRST_INDEX, 0, 0);
byte commit = POS(FIRST_INDEX, 0, 0);
byte tail = 0, committed = 0, nest = 0;
byte slots[SLOTS];
byte sub_index[SUBBUFS], sub_slot[SUBBUFS], sub_first[SUBBUFS];
byte sub_end[SUBBUFS];
byte last_ts[DEPTHS], last_pos[DEPTHS];
byte now = 1;

/* The events: how the time is stored, and what the time really is. A kind of 0 is padding. */
byte page_ts[SUBBUFS];
#define CELL(id, word)	((id) * WORDS + (word))
mtype = { DELTA, ABSOLUTE };
mtype kind[SUBBUFS * WORDS];
byte stored[SUBBUFS * WORDS], true_ts[SUBBUFS * WORDS];

/* The level that runs, unless it is interrupted; 0: none. */
byte level = 0;
byte written, refused, finished;

/* cmpxchg(): @ok is true if @place was @old. */
#define EXCHANGE(place, old, new, ok)	\
	d_step { ok = (place == old); if :: ok -> place = new :: else fi }

#ifdef ONE_PAIR
#define PAIR	0
#else
#define PAIR	(depth - 1)
#endif
#define LATER(a, b)	((a) > (b) -> (a) : (b))

/* A level may start at any time while a lower one runs. */
byte left[DEPTHS], below[DEPTHS];

active proctype interrupts()
{
	do
	:: atomic { level == 0 && left[0] > 0 -> left[0]--; below[0] = 0; level = 1 }
	:: atomic { level < 2 && left[1] > 0 -> left[1]--; below[1] = level; level = 2 }
	:: level == 0 && left[0] == 0 && left[1] == 0 -> break
	od
}

/* The writers are processes 2 and 3, since init starts them first. */
proctype writer(byte mine) provided (level == _pid - 1)
{
	byte depth, size, pos, id, next_id, ts, word, slot, time, place, pair;
	bool ok, again;

event:	/* rb_reserve_usual() */
	atomic {
		nest++;
		depth = nest;
		again = false;
		pair = PAIR;
		if
		:: size = 1
		:: mine == 2 -> size = 2
		fi
	}
claim:	/* rb_plan() */
	pos = head;
	/* rb_tail() */
	atomic {
		id = tail;
		if
#ifndef NO_HELP
		:: sub_index[id] + 1 == INDEX(pos)
#endif
		:: else -> goto plan
		fi
	}
	next_id = SLOT_ID(slots[NEXT(sub_slot[id])]);
	atomic { EXCHANGE(tail, id, next_id, ok); id = next_id }
plan:	/* The clock, or rb_latest() */
	atomic {
		if
		:: !again -> ts = now; now++
#ifndef STALE_TIME
#ifdef OWN_TIME
		:: again -> ts = last_ts[PAIR]
#else
		:: again -> ts = LATER(last_ts[0], last_ts[1])
#endif
#endif
		:: else
		fi
	}
	/* The pair of this depth, or of the writer that has interrupted it */
	time = last_ts[pair];
	atomic {
		place = last_pos[pair];
		if
		:: USED(pos) + size > WORDS -> goto cross
		:: else
		fi
	}
	atomic {
		EXCHANGE(head, pos, pos + POS(0, 1, size), ok);
		if
		:: ok -> goto claimed
		:: else -> again = true
		fi
	}
	/* rb_interrupter(): nobody interrupts depth 2. */
	atomic {
		if
		:: last_pos[1] == head -> pair = 1
		:: else -> pair = PAIR
		fi;
		goto claim
	}
claimed:
	last_ts[PAIR] = ts;
	last_pos[PAIR] = pos + POS(0, 1, size);
#ifdef EARLY_COMMIT
	atomic { if :: depth == 1 -> commit = head :: else fi }
#endif
	/* rb_fill() */
	atomic {
		true_ts[CELL(id, USED(pos))] = ts;
		if
		:: USED(pos) == 0 ->
			page_ts[id] = ts;
			kind[CELL(id, 0)] = DELTA;
			stored[CELL(id, 0)] = 0
		:: USED(pos) != 0 && place != pos ->
			kind[CELL(id, USED(pos))] = ABSOLUTE;
			stored[CELL(id, USED(pos))] = ts
		:: else ->
			kind[CELL(id, USED(pos))] = DELTA;
			stored[CELL(id, USED(pos))] = ts - time
		fi;
		if
		:: size == 2 -> kind[CELL(id, USED(pos) + 1)] = 0
		:: else
		fi;
		written++;
		goto leave
	}

cross:	/* rb_cross(), with the tail of above; rb_prepare_slot() */
	atomic {
		if
		:: sub_index[id] != INDEX(pos) -> goto claim
		:: else
		fi;
		slot = NEXT(sub_slot[id]);
		word = slots[slot]
	}
prepare: atomic {
		if
		:: SLOT_INDEX(word) == INDEX(pos) + 1 -> goto prepared
#ifndef LAP
		:: SLOT_INDEX(word) != INDEX(pos) + 1 &&
		   INDEX(pos) + 1 - SLOTS >= INDEX(commit) -> refused++; goto leave
#endif
		:: else
		fi
	}
	atomic {
		EXCHANGE(slots[slot], word, SLOT(INDEX(pos) + 1, SLOT_ID(word), 0), ok);
		word = slots[slot];
		goto prepare
	}
prepared:
	atomic {
		next_id = SLOT_ID(word);
		sub_index[next_id] = INDEX(pos) + 1;
		sub_slot[next_id] = slot
	}
	atomic {
		EXCHANGE(head, pos, POS(INDEX(pos) + 1, 0, 0), ok);
		if
		:: !ok -> goto claim
		:: else
		fi
	}
	sub_end[id] = pos;
	atomic { EXCHANGE(tail, id, next_id, ok); goto claim }

leave:	/* rb_leave() */
	atomic {
		if
		:: nest > 1 -> nest--; goto out
		:: else
		fi
	}
publish: /* rb_publish() */
	nest = 1;
	pos = head;
	/* rb_finish() */
	atomic {
		id = committed;
		do
		:: sub_index[id] == INDEX(pos) -> break
		:: else ->
			next_id = SLOT_ID(slots[NEXT(sub_slot[id])]);
			sub_first[next_id] = sub_first[id] + COUNT(sub_end[id]);
			id = next_id
		od;
		committed = id
	}
	commit = pos;
	nest = 0;
#ifndef LOOK_ONCE
	atomic {
		if
		:: head != pos -> goto publish
		:: else
		fi
	}
#endif
out:	/* The interrupted level goes on. */
	atomic {
		finished++;
		level = below[mine - 1];
		/* Clear what is not needed any more, so that Spin sees fewer states. */
		depth = 0; size = 0; pos = 0; id = 0; next_id = 0; ts = 0; word = 0;
		slot = 0; time = 0; place = 0; pair = 0; ok = 0; again = 0;
		goto event
	}
}

/* The consumer */
byte reader = SUBBUFS - 1, read_slot = 0, read_index = FIRST_INDEX;
byte expected, seen, lost;

proctype consumer()
{
	byte at, time, before, word, c, cell;
	bool reading, ok;

look:	/* rb_next_event() */
	atomic {
		c = commit;
		if
		:: finished == EVENTS && level == 0 ->
			/* All writers are done, so everything has to be committed. */
			assert(commit == head);
			if
			:: reading && sub_index[reader] == INDEX(c) && at == USED(c) -> goto done
			:: else
			fi
		:: else
		fi;
		if
		:: !reading -> goto take
		:: else
		fi
	}
	atomic {
		do
		:: at >= (sub_index[reader] == INDEX(c) -> USED(c) : USED(sub_end[reader])) -> break
		:: else ->
			cell = CELL(reader, at);
			at++;
			if
			:: kind[cell] == 0
			:: else ->
				time = (kind[cell] == DELTA -> time + stored[cell] : stored[cell]);
				assert(time == true_ts[cell]);
				assert(time >= before);
				before = time;
				expected++;
				seen++
			fi
		od;
		cell = 0;
		if
		:: sub_index[reader] == INDEX(c) -> goto look
		:: else
		fi
	}
take:	/* rb_take_subbuf(), and rb_more() */
	atomic {
		c = commit;
		if
		:: INDEX(c) < read_index || (INDEX(c) == read_index && USED(c) == 0) -> goto look
		:: else
		fi
	}
	atomic {
		word = slots[read_slot];
#ifndef NO_SKIP
		if
		:: SLOT_INDEX(word) != read_index ->
			read_index = SLOT_INDEX(word) - SLOTS + 1;
			read_slot = NEXT(read_slot);
			goto take
		:: else
		fi
#endif
	}
	atomic {
#ifdef BLIND_TAKE
		slots[read_slot] = SLOT(read_index, reader, 1);
#else
		EXCHANGE(slots[read_slot], word, SLOT(read_index, reader, 1), ok);
		if
		:: !ok -> goto take
		:: else
		fi;
#endif
		/* rb_start_subbuf() */
		reader = SLOT_ID(word);
		reading = true;
		at = 0;
		time = page_ts[reader];
		assert(sub_first[reader] >= expected);
		lost = lost + sub_first[reader] - expected;
		expected = sub_first[reader];
		read_index++;
		read_slot = NEXT(read_slot);
		goto look
	}
done:
	assert(seen + lost == written);
	assert(written + refused == EVENTS)
}

init
{
	atomic {
		slots[0] = SLOT(FIRST_INDEX, 0, 0);
		slots[1] = SLOT(FIRST_INDEX - 1, 1, 1);
		sub_index[0] = FIRST_INDEX;
		last_pos[0] = NONE;
		last_pos[1] = NONE;
		left[0] = TASK_EVENTS;
		left[1] = IRQ_EVENTS;
		run writer(1);
		run writer(2);
		run consumer()
	}
}
