// Copies of this process, and descriptors that go from one process to another.
#define _GNU_SOURCE

#include "CSystem.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

int homeport_socket_pair(int *one, int *other) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

// Room for the descriptors of a message, in the form that the system wants.
union descriptors {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * homeport_descriptors_max)];
};

int64_t homeport_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    union descriptors sent;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count < 0 || descriptor_count > homeport_descriptors_max) {
        errno = EINVAL;
        return -1;
    }
    if (descriptor_count > 0) {
        memset(&sent, 0, sizeof sent);
        message.msg_control = sent.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)descriptor_count);
    }
    ssize_t done;
    do done = sendmsg(socket, &message, MSG_NOSIGNAL); while (done < 0 && errno == EINTR);
    return done;
}

int64_t homeport_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
    union descriptors received;
    struct iovec part = {bytes, count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = received.bytes, .msg_controllen = sizeof received.bytes};
    *descriptor_count = 0;
    ssize_t done;
    do done = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (done < 0 && errno == EINTR);
    if (done < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t length = header->cmsg_len - CMSG_LEN(0);
        int found = (int)(length / sizeof(int));
        memcpy(descriptors, CMSG_DATA(header), sizeof(int) * (size_t)found);
        *descriptor_count = found;
    }
    return done;
}

// Whether this process is a copy, whose first thread has a stack as all others have.
static int is_copy = 0;
// Where the first thread's frames of the process that was copied begin. Nothing runs on them in the copy.
static char *old_frames = NULL;

// A message to a process that makes copies of itself.
enum { folder_bytes_max = 4096 };
struct order {
    // The copy that is to end; 0: one is to be made, with two descriptors.
    int32_t ended;
    // Whether the copy is killed before its end is waited for.
    int32_t kills;
    // The folder of a copy that is to be made, up to a 0.
    char folder[folder_bytes_max];
};

int homeport_ask_for_copy(int connection, const char *folder, int input, int output) {
    struct order order = {0};
    int descriptors[homeport_descriptors_max] = {input, output};
    size_t length = strlen(folder);
    if (length >= folder_bytes_max) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(order.folder, folder, length);
    size_t count = offsetof(struct order, folder) + length;
    return homeport_send_descriptors(connection, &order, count, descriptors, homeport_descriptors_max) == (int64_t)count ? 0 : -1;
}

int homeport_ask_for_end(int connection, int number, int kills) {
    struct order order = {.ended = number, .kills = kills};
    size_t count = offsetof(struct order, folder);
    return homeport_send_descriptors(connection, &order, count, NULL, 0) == (int64_t)count ? 0 : -1;
}

struct copy {
    void (*life)(void *context, const char *folder, int input, int output);
    void *context;
    const char *folder;
    const int *descriptors;
    pid_t number;
    int error;
};

static void *copied(void *context) {
    struct copy *copy = context;
    copy->number = fork();
    copy->error = errno;
    if (copy->number == 0) {
        is_copy = 1;
        old_frames = context;
        copy->life(copy->context, copy->folder, copy->descriptors[0], copy->descriptors[1]);
        for (;;) pause();
    }
    return NULL;
}

// The most looks for the end of a thread that has done its work.
enum { thread_ends_max = 100000 };

// The number of a copy, or below 0 why there is none.
static int64_t copy_for(
    const struct order *order, const int *descriptors,
    void (*life)(void *context, const char *folder, int input, int output), void *context) {
    for (int looks = 0; homeport_thread_count() > 1; looks++) {
        if (looks == thread_ends_max) return -EBUSY;
        sched_yield();
    }
    if (homeport_thread_count() != 1) return -EBUSY;
    // On a thread that has run nothing: a lock of the language remembers the number of each thread that has used one, which is another one
    // in the copy.
    struct copy copy = {
        .life = life, .context = context, .folder = order->folder, .descriptors = descriptors, .number = -1};
    pthread_t thread;
    int code = pthread_create(&thread, NULL, copied, &copy);
    if (code != 0) return -code;
    pthread_join(thread, NULL);
    return copy.number > 0 ? copy.number : -copy.error;
}

// The number of a copy that has ended, or below 0 why it has not.
static int64_t end_of(const struct order *order) {
    siginfo_t state;
    // Until it is waited for, nobody else has its number.
    if (order->ended <= 0 || waitid(P_PID, (id_t)order->ended, &state, WEXITED | WNOHANG | WNOWAIT) != 0) return -ECHILD;
    if (order->kills) kill(-order->ended, SIGKILL);
    int status = 0;
    while (waitpid(order->ended, &status, 0) < 0) {
        if (errno != EINTR) return -errno;
    }
    return order->ended;
}

void homeport_serve_forks(
    int connection, void (*life)(void *context, const char *folder, int input, int output), void *context) {
    struct order order;
    for (;;) {
        int descriptors[homeport_descriptors_max], count = 0;
        // The folder ends, whatever has come.
        ssize_t bytes = homeport_receive_descriptors(connection, &order, sizeof order - 1, descriptors, &count);
        if (bytes <= 0) return;
        ((char *)&order)[bytes] = 0;
        int64_t answer = -EINVAL;
        if (bytes >= (ssize_t)offsetof(struct order, folder)) {
            if (order.ended != 0) answer = end_of(&order);
            else if (count == homeport_descriptors_max) answer = copy_for(&order, descriptors, life, context);
        }
        for (int place = 0; place < count; place++) close(descriptors[place]);
        if (homeport_send_descriptors(connection, &answer, sizeof answer, NULL, 0) != sizeof answer) return;
    }
}

int homeport_thread_count(void) {
    static const char *const path = "/proc/self/task";
    // A folder for each, and two links more: that is known without memory for their list.
    struct stat state;
    if (stat(path, &state) == 0 && state.st_nlink > 2) return (int)state.st_nlink - 2;
    DIR *threads = opendir(path);
    if (threads == NULL) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) count += entry->d_name[0] != '.';
    closedir(threads);
    return count;
}

// Far enough below this function's frame for the calls that it makes.
enum { stack_margin = 4096 };
// The most that is given back below the old frames. What is not there is passed over.
enum { old_stack_bytes = 1 << 20 };

// Where the stack of the first thread begins, below the arguments.
extern void *__libc_stack_end __attribute__((weak));

static void give_old_stack_back(void) {
    if (old_frames == NULL || &__libc_stack_end == NULL) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)old_frames & ~(page - 1)) - old_stack_bytes;
    uintptr_t end = (uintptr_t)__libc_stack_end & ~(page - 1);
    if (begin < end && end - begin < 2 * (uintptr_t)old_stack_bytes) madvise((void *)begin, end - begin, MADV_DONTNEED);
    old_frames = NULL;
}

__attribute__((noinline)) void homeport_give_memory_back(void) {
    malloc_trim(0);
    give_old_stack_back();
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    // The first thread's grows by itself, and its end is known to the system alone.
    if ((!is_copy && getpid() == gettid()) || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &stack, &size) == 0) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        uintptr_t end = ((uintptr_t)__builtin_frame_address(0) - stack_margin) & ~(page - 1);
        if (end > (uintptr_t)stack) madvise(stack, end - (uintptr_t)stack, MADV_DONTNEED);
    }
    pthread_attr_destroy(&attributes);
}

// The largest piece that is looked for between others, and how far apart the sizes are.
enum { gap_bytes_max = 64 << 10, gap_step = 16 };

void homeport_close_gaps(void) {
    malloc_trim(0);
    // Behind it all memory is free.
    char *end = (char *)sbrk(0) - mallinfo2().keepcost;
    for (size_t size = gap_bytes_max; size >= gap_step; size -= size > 4096 ? 1024 : gap_step) {
        char *piece;
        while ((piece = malloc(size - 8)) != NULL && piece < end) {}
        free(piece);
    }
}

#else

static int unsupported(void) {
    errno = ENOTSUP;
    return -1;
}

int homeport_socket_pair(int *one, int *other) {
    (void)one, (void)other;
    return unsupported();
}

int64_t homeport_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    (void)socket, (void)bytes, (void)count, (void)descriptors, (void)descriptor_count;
    return unsupported();
}

int64_t homeport_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
    (void)socket, (void)bytes, (void)count, (void)descriptors;
    *descriptor_count = 0;
    return unsupported();
}

void homeport_serve_forks(
    int connection, void (*life)(void *context, const char *folder, int input, int output), void *context) {
    (void)connection, (void)life, (void)context;
}

int homeport_ask_for_copy(int connection, const char *folder, int input, int output) {
    (void)connection, (void)folder, (void)input, (void)output;
    return unsupported();
}

int homeport_ask_for_end(int connection, int number, int kills) {
    (void)connection, (void)number, (void)kills;
    return unsupported();
}

int homeport_thread_count(void) { return unsupported(); }

void homeport_give_memory_back(void) {}

void homeport_close_gaps(void) {}

#endif
