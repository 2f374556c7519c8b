#pragma once

// What of glibc Swift's own Glibc module leaves out.

#include <getopt.h>
#include <malloc.h>

// getopt_long keeps its state in globals, which Swift will not touch: these read and write them, on the one thread
// that reads the command line.

static inline void cglibc_getopt_restart(void) {
    optind = 0;
    opterr = 0;
}
static inline int cglibc_getopt_index(void) { return optind; }
static inline int cglibc_getopt_unknown(void) { return optopt; }
static inline const char *cglibc_getopt_value(void) { return optarg; }

static inline void cglibc_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }
