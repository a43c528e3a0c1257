# SPDX-License-Identifier: GPL-2.0
"""Making, recording, linking and reading objects, for check."""

import os
import re
import struct
import subprocess

SYMTAB, RELA, GROUP, ADDRSIG = 2, 4, 17, 0x6fff4c03  # types of sections

MACROS = """
	.macro func name
	.balign 4
	.type \\name, %function
\\name:
	nop
	.endm
	.macro global name
	.globl \\name
	func \\name
	.endm
	.macro weak name
	.weak \\name
	func \\name
	.endm
	.macro site name
site_\\name:
	mcount
	.endm
"""

LINKER_SCRIPT = """
SECTIONS {
	. = 0x10000;
	.text : { text_start = .; *(.text .text.*) }
	.init.text : { *(.init.text) }
	.exit.text : { *(.exit.text) }
	.data : { *(.data) }
	__mcount_loc : { KEEP(*(__mcount_loc)) }
	/DISCARD/ : { *(.discard .discard.*) }
}
"""

STUB = """
	global _mcount
	ret
	global other
	ret
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.stderr or done.returncode}")
    return done.stdout


def recordmcount(*arguments, **options):
    return subprocess.run(["../recordmcount", *arguments], capture_output=True, text=True, errors="replace", timeout=600,
                          **options)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


class Elf:
    """An ELF object, as far as needed to spoil its fields."""
    SHDR = {"name": (0, "I"), "type": (4, "I"), "flags": (8, "Q"), "offset": (24, "Q"), "size": (32, "Q"),
            "link": (40, "I"), "info": (44, "I"), "align": (48, "Q"), "entsize": (56, "Q")}

    def __init__(self, path):
        self.path = path
        self.bytes = bytearray(read(path))
        self.shoff = self.get(40, "Q")
        self.shnum = self.get(60, "H")
        self.names = self.get(62, "H")

    def get(self, at, kind):
        return struct.unpack_from("<" + kind, self.bytes, at)[0]

    def set(self, at, kind, value):
        struct.pack_into("<" + kind, self.bytes, at, value)

    def header(self, section, field):
        return self.get(self.shoff + section * 64 + self.SHDR[field][0], self.SHDR[field][1])

    def set_header(self, section, field, value):
        self.set(self.shoff + section * 64 + self.SHDR[field][0], self.SHDR[field][1], value)

    def find(self, kind):
        return next(i for i in range(self.shnum) if self.header(i, "type") == kind)

    def data(self, section):
        start = self.header(section, "offset")
        return self.bytes[start:start + self.header(section, "size")]

    def save(self, path=None):
        return write(path or self.path, self.bytes)


class Objects:
    """A unittest case with methods to make objects, in a directory of its own, and to look at them."""

    def setUp(self):
        os.mkdir(self.id())
        os.chdir(self.id())

    def tearDown(self):
        os.chdir("..")

    def assemble(self, name, text):
        write(f"{name}.S", (MACROS + self.MACROS + text).encode())
        run(self.CROSS + "as", *self.AS, f"{name}.S", "-o", f"{name}.o")
        return f"{name}.o"

    def record(self, path, *options):
        done = recordmcount(*options, path)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return done.stderr

    def refuse(self, path, why, **options):
        """recordmcount must fail with one line that says why, and change nothing."""
        before = read(path) if os.path.isfile(path) else None
        done = recordmcount(path, **options)
        self.assertRegex(done.stderr, f"\\Arecordmcount: {re.escape(path)}: .*{why}.*\n\\Z")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        if before is not None:
            self.assertEqual(read(path), before)
        self.no_leftovers()

    def no_leftovers(self):
        self.assertEqual([name for name in os.listdir(".") if name.startswith(".tmp_")], [])

    def link(self, *objects, options=()):
        stub = self.assemble("stub", STUB)
        write("script.lds", LINKER_SCRIPT.encode())
        run(self.CROSS + "ld", *options, "-T", "script.lds", "-o", "linked", *objects, stub)
        return "linked"

    def no_warning(self, path):
        done = subprocess.run([self.CROSS + "readelf", "-aW", path], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def symbols(self, path):
        found = re.findall(r"^([0-9a-f]+) \S (\S+)$", run(self.CROSS + "nm", path), re.M)
        return {name: int(address, 16) for address, name in found}

    def relocations(self, path):
        """All relocations: (section, offset, type, symbol and addend)."""
        found, section = [], None
        for line in run(self.CROSS + "readelf", "-rW", path).splitlines():
            if match := re.match(r"Relocation section '(\S+)'", line):
                section = match.group(1)
            elif match := re.match(r"([0-9a-f]{16})  [0-9a-f]{16} (R_\S+) +[0-9a-f]{16} (.*)", line):
                found.append((section, *match.groups()))
        return found

    def listed(self, path):
        run(self.CROSS + "objcopy", "-O", "binary", "-j", "__mcount_loc", path, "words")
        words = read("words")
        return sorted(struct.unpack(f"<{len(words) // 8}Q", words))

    def check_linked(self, path, count):
        """Check that the table has all labels, and nothing else."""
        sites = [address for name, address in self.symbols(path).items() if name.startswith("site_")]
        self.assertEqual(len(sites), count)
        self.assertEqual(self.listed(path), sorted(sites))
