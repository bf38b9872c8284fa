// What Linux offers and Swift cannot see: epoll, eventfd, accept4, and C functions with variable arguments.
#ifndef HOMEPORT_SYSTEM_H
#define HOMEPORT_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static inline int homeport_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

static inline int homeport_set_close_on_exec(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
}

#ifdef __linux__
extern int sched_getaffinity(int, size_t, void *);
#endif

// The cores that this process is allowed to use.
static inline int homeport_usable_cores(void) {
#ifdef __linux__
    unsigned char mask[1024] = {0};
    if (sched_getaffinity(0, sizeof mask, mask) == 0) {
        int count = 0;
        for (size_t index = 0; index < sizeof mask; index++) count += __builtin_popcount(mask[index]);
        if (count > 0) return count;
    }
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static inline int homeport_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int homeport_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// The event structure is packed, and its union does not import: the key travels as a plain integer.
static inline int homeport_epoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data = {.u64 = key}};
    return epoll_ctl(poller, operation, descriptor, &event);
}

static inline uint64_t homeport_epoll_key(const struct epoll_event *event) { return event->data.u64; }

static inline int homeport_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int64_t homeport_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t start = offset;
    return sendfile(socket, file, &start, count);
}

static inline int homeport_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static const uint32_t homeport_epoll_in = EPOLLIN;
static const uint32_t homeport_epoll_out = EPOLLOUT;
static const uint32_t homeport_epoll_read_hangup = EPOLLRDHUP;
static const uint32_t homeport_epoll_error = EPOLLERR;
static const uint32_t homeport_epoll_hangup = EPOLLHUP;

#else

#include <sys/types.h>
#include <sys/uio.h>

static inline int homeport_accept(int listener, struct sockaddr *address, socklen_t *length) {
    int connection = accept(listener, address, length);
    if (connection >= 0) {
        int on = 1;
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
        homeport_set_nonblocking(connection);
        homeport_set_close_on_exec(connection);
    }
    return connection;
}

static inline int64_t homeport_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t sent = (off_t)count;
    int outcome = sendfile(file, socket, offset, &sent, 0, 0);
    return outcome == 0 || sent > 0 ? sent : -1;
}

#endif
#endif
