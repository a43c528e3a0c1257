# SPDX-License-Identifier: GPL-2.0
#
# What every script that builds a kernel sources, from the top of the tree.
#
# Nothing of the calling make reaches the kernel's.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
# ccache: what was compiled in one directory is the same in any other. It asks for the locale, too,
# which differs between a login shell and a CI. No preprocessing for its sake: nearly everything is
# compiled for the first time.
export CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR=$PWD LANG=C.UTF-8
unset LC_ALL LC_CTYPE LC_MESSAGES
