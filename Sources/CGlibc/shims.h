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

// Swift's Glibc leaves epoll out.

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

/// An epoll file that is readable each time `file` has something of priority to tell; -1 where there is none.
static inline int cglibc_watch_priority(int file) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (poll < 0) return -1;
    struct epoll_event event = {.events = EPOLLPRI | EPOLLET};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, file, &event) == 0) return poll;
    close(poll);
    return -1;
}

/// Takes what the epoll file has to tell, without waiting; 0 where it has nothing.
static inline int cglibc_take_event(int poll) {
    struct epoll_event event;
    return epoll_wait(poll, &event, 1, 0) > 0;
}

/// An epoll file on which sockets are watched for the other side's leaving; -1 where there is none.
static inline int cglibc_hangup_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Watches a socket, once; `number` comes back when the other side has left.
static inline int cglibc_watch_hangup(int poll, int file, uint64_t number) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = number};
    return epoll_ctl(poll, EPOLL_CTL_ADD, file, &event);
}

static inline void cglibc_unwatch(int poll, int file) { epoll_ctl(poll, EPOLL_CTL_DEL, file, 0); }

/// The number of a socket whose other side has left, without waiting; 0 where there is none.
static inline uint64_t cglibc_take_hangup(int poll) {
    struct epoll_event event;
    return epoll_wait(poll, &event, 1, 0) > 0 ? event.data.u64 : 0;
}
