# SPDX-License-Identifier: GPL-2.0
#
# Sourced by every script that builds a kernel, from the top of the tree.
#
# The kernel's make gets no variables of the calling make.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
# ccache: objects do not depend on the directory. The locale is part of its key, and differs between
# a login shell and a CI. It does not preprocess, as nearly everything is compiled for the first
# time.
export CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR=$PWD LANG=C.UTF-8
unset LC_ALL LC_CTYPE LC_MESSAGES
