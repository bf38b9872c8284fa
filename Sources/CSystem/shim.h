// What Linux offers and Swift cannot see: epoll, eventfd, accept4, and C functions with variable arguments.
#ifndef HOMEPORT_SYSTEM_H
#define HOMEPORT_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static inline int homeport_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

static inline int homeport_set_close_on_exec(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD, 0);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
}

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
static inline int homeport_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static const uint32_t homeport_epoll_in = EPOLLIN;
static const uint32_t homeport_epoll_out = EPOLLOUT;
static const uint32_t homeport_epoll_read_hangup = EPOLLRDHUP;
static const uint32_t homeport_epoll_error = EPOLLERR;
static const uint32_t homeport_epoll_hangup = EPOLLHUP;

#endif
#endif
