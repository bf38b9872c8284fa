#define _GNU_SOURCE

#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#else
#include <sys/uio.h>
#endif

int64_t homeport_moved_milliseconds = 0;

void homeport_move_time(int64_t milliseconds) {
    __atomic_store_n(&homeport_moved_milliseconds, milliseconds, __ATOMIC_RELAXED);
}

int homeport_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int homeport_set_close_on_exec(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
}

int homeport_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

#ifndef __linux__
extern char **environ;
#endif

static int argument_count = 0;
static char **argument_values = NULL;

#if defined(__GLIBC__) || defined(__APPLE__)
// Called before `main`, with what `main` gets. Whoever looks for the arguments later has only the environment to start from,
// and a library that was loaded first may have moved that.
__attribute__((constructor(101))) static void keep_arguments(int count, char **values) {
    static char *no_variables[] = {NULL};
    argument_count = count;
    argument_values = values;
    // Such a library may have taken all variables away, and Swift's runtime reads them without looking whether there are any.
    if (environ == NULL) environ = no_variables;
}
#endif

int homeport_argument_count(void) { return argument_count; }

const char *homeport_argument(int index) {
    return index >= 0 && index < argument_count ? argument_values[index] : NULL;
}

char **homeport_variables(void) { return environ; }

const int32_t homeport_peek = MSG_PEEK;

#ifdef MSG_NOSIGNAL
const int32_t homeport_send_quietly = MSG_NOSIGNAL;
#else
const int32_t homeport_send_quietly = 0;
#endif

#ifdef MSG_MORE
const int32_t homeport_send_more = MSG_MORE;
#else
const int32_t homeport_send_more = 0;
#endif

#ifdef __linux__

int homeport_accept(int listener, void *address, uint32_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int homeport_watch(void) {
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

int homeport_watch_folder(int watch, const char *folder) {
    const uint32_t changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF;
    return inotify_add_watch(watch, folder, changes | IN_ONLYDIR) >= 0 ? 0 : -1;
}

int homeport_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : -1;
}

int64_t homeport_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t start = offset;
    return sendfile(socket, file, &start, count);
}

int64_t homeport_copy_range(int source, int64_t offset, int target, size_t count) {
    off_t start = offset;
    return copy_file_range(source, &start, target, NULL, count, 0);
}

void homeport_begin_writing_out(int file, int64_t offset, int64_t count) {
    sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}

int homeport_rename_new(const char *from, const char *to) {
    // By its number: some C libraries have no function for it.
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // A file system that cannot: it never takes another file's name for a second one either.
    if (link(from, to) != 0) return -1;
    return unlink(from);
}

int homeport_usable_cores(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void homeport_begin_elsewhere(void *attributes) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE) return;
    CPU_CLR(here, &cores);
    if (CPU_COUNT(&cores) > 0) pthread_attr_setaffinity_np(attributes, sizeof cores, &cores);
}

void homeport_go_anywhere(void) {
    cpu_set_t cores;
    // The process's number is that of its first thread, which nobody has confined.
    if (sched_getaffinity(getpid(), sizeof cores, &cores) == 0) sched_setaffinity(0, sizeof cores, &cores);
}

_Static_assert(homeport_epoll_in == EPOLLIN && homeport_epoll_out == EPOLLOUT, "the bits of the header are the system's");
_Static_assert(homeport_epoll_error == EPOLLERR && homeport_epoll_hangup == EPOLLHUP, "the bits of the header are the system's");
_Static_assert(homeport_epoll_add == EPOLL_CTL_ADD && homeport_epoll_remove == EPOLL_CTL_DEL, "so are the operations");
_Static_assert(homeport_epoll_change == EPOLL_CTL_MOD, "so are the operations");

enum { events_max = 1024 };

int homeport_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int homeport_epoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data = {.u64 = key}};
    return epoll_ctl(poller, operation, descriptor, &event);
}

int homeport_epoll_wait(int poller, struct homeport_epoll_event *events, int count, int milliseconds) {
    struct epoll_event found[events_max];
    int ready = epoll_wait(poller, found, count < events_max ? count : events_max, milliseconds);
    for (int index = 0; index < ready; index++) {
        events[index].key = found[index].data.u64;
        events[index].events = found[index].events;
    }
    return ready;
}

int homeport_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#else

int homeport_accept(int listener, void *address, uint32_t *length) {
    int connection = accept(listener, address, length);
    if (connection >= 0) {
        int on = 1;
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
        homeport_set_nonblocking(connection);
        homeport_set_close_on_exec(connection);
    }
    return connection;
}

int homeport_watch(void) {
    errno = ENOTSUP;
    return -1;
}

int homeport_watch_folder(int watch, const char *folder) {
    (void)watch, (void)folder;
    errno = ENOTSUP;
    return -1;
}

int homeport_unsent_bytes(int socket) {
    int count = 0;
    socklen_t size = sizeof count;
    return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? count : -1;
}

int64_t homeport_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t sent = (off_t)count;
    int outcome = sendfile(file, socket, offset, &sent, 0, 0);
    return outcome == 0 || sent > 0 ? sent : -1;
}

int64_t homeport_copy_range(int source, int64_t offset, int target, size_t count) {
    (void)source, (void)offset, (void)target, (void)count;
    errno = ENOTSUP;
    return -1;
}

void homeport_begin_writing_out(int file, int64_t offset, int64_t count) {
    (void)file, (void)offset, (void)count;
}

int homeport_rename_new(const char *from, const char *to) { return renamex_np(from, to, RENAME_EXCL); }

int homeport_usable_cores(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }

void homeport_begin_elsewhere(void *attributes) { (void)attributes; }

void homeport_go_anywhere(void) {}

#endif
