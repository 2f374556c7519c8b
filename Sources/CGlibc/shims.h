#pragma once

// What of glibc Swift's own Glibc module leaves out.

#include <getopt.h>
#include <malloc.h>

// getopt_long keeps its state in globals, which Swift will not touch: these read and write them. Who calls them takes
// turns.

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

// MARK: Processes that talk over a socket

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <linux/memfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/// Sends one message with one file beside it, or none where `file` is -1. What sendmsg returns; it does not wait for
/// room.
static inline ssize_t cglibc_send(int socket, const void *bytes, size_t count, int file) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union { struct cmsghdr header; char room[CMSG_SPACE(sizeof(int))]; } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &file, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Receives one message and the file that came with it, -1 where none did. What recvmsg returns.
static inline ssize_t cglibc_receive(int socket, void *bytes, size_t count, int *file) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union { struct cmsghdr header; char room[CMSG_SPACE(sizeof(int))]; } control;
    // Room for one file exactly: with its padding, the kernel would put a second one there, which nobody closes.
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int))};
    *file = -1;
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len >= CMSG_LEN(sizeof(int)))
            memcpy(file, CMSG_DATA(header), sizeof(int));
    }
    return got;
}

/// Memory that has a file descriptor, of a size that cannot be changed any more.
static inline int cglibc_sealed_memory(size_t size) {
    // fcntl.h has these for GNU programs alone, and linux/fcntl.h does not go with it.
    enum { add_seals = 1033, seal = 1, shrink = 2, grow = 4 };
    int file = (int)syscall(SYS_memfd_create, "cameo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)size) == 0 && fcntl(file, add_seals, grow | shrink | seal) == 0) return file;
    close(file);
    return -1;
}

/// Where a worker's host is at the other end; -1 before that is known.
static int cglibc_host_socket = -1;

/// Ends the process if its host is gone, looks again in a while otherwise. A handler of SIGALRM: it may interrupt anything.
static inline void cglibc_look_for_host(int number) {
    (void)number;
    int before = errno;
    struct pollfd entry = {.fd = cglibc_host_socket};
    if (poll(&entry, 1, 0) > 0) _exit(1);
    alarm(2);
    errno = before;
}

/// Has the process end soon after its host, whose socket this is, has gone, whatever it is doing then; until the alarm is
/// switched off.
static inline void cglibc_end_with_host(int socket) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = cglibc_look_for_host;
    action.sa_flags = SA_RESTART;
    cglibc_host_socket = socket;
    sigaction(SIGALRM, &action, NULL);
    alarm(2);
}

/// Forks a child whose parent is this process's own parent, which may wait for it. Only for a process of one thread: the
/// C library is not told. -1 where there is none, 0 in the child.
static inline int cglibc_fork_for_parent(void) {
    enum { clone_parent = 0x8000, child_signal = 17 };
    return (int)syscall(SYS_clone, clone_parent | child_signal, 0, 0, 0, 0);
}

// MARK: Giving up rights

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static inline int cglibc_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
/// Sets the processor time of a process (0 is the caller), or asks for nothing where `limit` is null.
static inline int cglibc_limit(pid_t process, const struct rlimit *limit) {
    return (int)syscall(SYS_prlimit64, process, RLIMIT_CPU, limit, 0);
}
static inline int cglibc_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline void cglibc_close_from(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
    // Linux before 5.9.
    long count = sysconf(_SC_OPEN_MAX);
    for (int file = first; file < count; file++) close(file);
}

/// Filters the system calls of the whole process by `program`.
static inline int cglibc_install_filter(const struct sock_filter *program, unsigned short count) {
    struct sock_fprog filter = {.len = count, .filter = (struct sock_filter *)program};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

/// Takes all of the file system away from this thread and those it starts; 0, or what went wrong:
/// ENOSYS and EOPNOTSUPP where the kernel has no Landlock.
static inline int cglibc_forbid_files(void) {
    struct landlock_ruleset_attr rules = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE
            | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
            | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
            | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
            | LANDLOCK_ACCESS_FS_MAKE_SYM};
    int file = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (file < 0) return errno;
    int problem = syscall(SYS_landlock_restrict_self, file, 0) == 0 ? 0 : errno;
    close(file);
    return problem;
}

/// The architecture that a filter has to ask for; 0 on one that is not known here.
static inline unsigned cglibc_architecture(void) {
#if defined(__x86_64__)
    return 0xC000003Eu;
#elif defined(__aarch64__)
    return 0xC00000B7u;
#else
    return 0;
#endif
}

/// System calls that work on memory, on files that are open, on the process's own threads and on time.
static const int cglibc_harmless_calls[] = {
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_sendmsg, SYS_recvmsg, SYS_ppoll,
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_exit, SYS_exit_group, SYS_gettid, SYS_getpid, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_sched_getattr, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_setitimer, SYS_getrusage,
    SYS_getrandom, SYS_uname, SYS_sysinfo,
#if defined(SYS_poll)
    SYS_poll, SYS_time, SYS_alarm, SYS_arch_prctl,
#endif
};

/// A system call's number by what it is called in Cameo's filter.
enum cglibc_call {
    cglibc_call_mmap = SYS_mmap, cglibc_call_mprotect = SYS_mprotect, cglibc_call_clone = SYS_clone,
    cglibc_call_clone3 = SYS_clone3, cglibc_call_prctl = SYS_prctl, cglibc_call_tgkill = SYS_tgkill,
    cglibc_call_prlimit = SYS_prlimit64, cglibc_call_newfstatat = SYS_newfstatat, cglibc_call_fcntl = SYS_fcntl,
};

/// The flag of posix_spawn by which a process begins a session of its own: POSIX_SPAWN_SETSID, which glibc names for GNU
/// programs alone.
static inline short cglibc_spawn_session(void) { return 0x80; }
