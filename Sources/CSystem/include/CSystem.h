// What the system offers and Swift cannot see: epoll, eventfd, accept4, and C functions with variable arguments.
//
// No header of the system is included here. Its declarations would then belong to two modules, this one and Swift's own
// view of the C library, and the compiler would find some of them in neither.
#ifndef HOMEPORT_SYSTEM_H
#define HOMEPORT_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

// How far the time of day of this process is from the machine's, in milliseconds: 0 unless somebody tests with another time.
// Every look at the time of day reads it, which costs as much as reading a field.
extern int64_t homeport_moved_milliseconds;

static inline int64_t homeport_moved_time(void) {
    return __atomic_load_n(&homeport_moved_milliseconds, __ATOMIC_RELAXED);
}

void homeport_move_time(int64_t milliseconds);

// The functions answer -1 and set errno like the system calls behind them.

int homeport_set_nonblocking(int descriptor);
int homeport_set_close_on_exec(int descriptor);
int homeport_duplicate(int descriptor);

// Flags of send and recv, which Swift sees as one type or another depending on what else is imported: a broken connection
// is an error and no signal; more comes at once, so no packet ends here; bytes are looked at and stay.
extern const int32_t homeport_send_quietly;
extern const int32_t homeport_send_more;
extern const int32_t homeport_peek;

// Accepts a connection that does not block. `address` has room for a struct sockaddr_storage.
int homeport_accept(int listener, void *address, uint32_t *length);

// Sends a part of a file over a socket.
int64_t homeport_sendfile(int socket, int file, int64_t offset, size_t count);

// Copies a part of a file to where another one is written next, without its passing through the process.
int64_t homeport_copy_range(int source, int64_t offset, int target, size_t count);

// Begins to bring a part of a file to the disk, and does not wait for it: whoever syncs the file later has less to wait for. Nothing is promised,
// so nothing fails.
void homeport_begin_writing_out(int file, int64_t offset, int64_t count);

// Gives a file another name that no file has: fails with EEXIST where one has it, and leaves both as they are.
int homeport_rename_new(const char *from, const char *to);

// What the process was started with, as the system handed it over: how many words, and one of them. 0 where the C library
// does not tell.
int homeport_argument_count(void);
const char *homeport_argument(int index);

// The environment variables, NAME=VALUE each, up to a NULL; NULL where all have been taken away.
char **homeport_variables(void);

// A program that is to run in a process of its own.
struct homeport_command {
    // The program's file. Where its name is relative, then to the folder.
    const char *file;
    // Its words and its variables, up to a NULL each.
    char *const *words;
    char *const *variables;
    // Where it runs; NULL: where this process does.
    const char *folder;
    // What it reads; below 0: nothing.
    int input;
    // What becomes of its output and of its errors; below 0: what becomes of this process's.
    int output;
    // Whether it is started as a shell would: looked for in PATH, with this process's errors, limits, open descriptors and ignored
    // signals, and where the two above are below 0 with its input and output too.
    int is_of_shell;
    // Whether it leads a group: signals that are typed on a terminal do not reach it.
    int has_own_group;
    // The signal that it gets when the calling thread ends before it; 0: none.
    int death_signal;
    // How much memory of its own it may write to, and how many descriptors it may have, unless it has the limits of this process.
    uint64_t memory_bytes;
    uint64_t descriptors;
};

// Starts a program with no signal blocked, and unless it is of a shell with none ignored and no descriptor of this process but its
// output. Answers its number; -1 where it could not be started, with errno from the call that failed, that of the new process
// included.
int homeport_start_process(const struct homeport_command *command);

// A descriptor that is ready to be read when the process has ended, and that no program inherits.
int homeport_process_descriptor(int process);

// The end of a process that has ended, in a form of its own: its exit code, or 256 and the number of the signal that ended it.
// -1 where it has not ended.
int homeport_take_end_of_process(int process);

// From now on a process that this one has started may have no more memory of its own that it can write to. What it has stays.
int homeport_limit_memory(int process, uint64_t bytes);

// Two ends of a pipe that no program inherits. The one that is read does not block.
int homeport_pipe(int *reading, int *writing);

// Two ends of a connection between processes, which keeps messages apart and which no program inherits.
int homeport_socket_pair(int *one, int *other);

// Sends a message with up to homeport_descriptors_max descriptors, which its receiver gets as its own. Answers the bytes that were sent.
enum { homeport_descriptors_max = 2 };
int64_t homeport_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

// Receives a message, and the descriptors that came with it: there is room for homeport_descriptors_max of them. No program inherits them.
int64_t homeport_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count);

// Makes copies of this process until nobody is at the other end of a connection any more. Each runs a life that never returns, on a thread
// that has run nothing before. A copy is refused (EBUSY) where this process has another thread: what that one holds at this moment would be
// held for ever in the copy. As few pages as can be are written here between two copies: each copy keeps what they were before.
void homeport_serve_forks(
    int connection, void (*life)(void *context, const char *folder, int input, int output), void *context);

// Asks the other end for a copy with a folder and two descriptors, or for the end of one that may be killed first. The answer to either is a
// number of 8 bytes: that of the copy, or below 0 that of an error. -1 where nothing was sent, with errno.
int homeport_ask_for_copy(int connection, const char *folder, int input, int output);
int homeport_ask_for_end(int connection, int number, int kills);

// The threads of this process; -1 where the system does not say.
int homeport_thread_count(void);

// Gives the system back what was freed, and, on any thread but the first, the stack that calls before this one have used. In a copy of a
// process, the stack of the thread that made it goes too.
void homeport_give_memory_back(void);

// Takes all memory that is free between pieces in use. What is asked for from then on lies behind them, close together: a copy of this
// process shares the pages of those pieces for longer.
void homeport_close_gaps(void);

// Follows folders: a descriptor that does not block, that no program inherits, and that is ready to be read when something in one
// of them was written, moved or removed. -1 where the system has none, with errno.
int homeport_watch(void);

// Has a folder followed too. -1 where it cannot be, with errno.
int homeport_watch_folder(int watch, const char *folder);

// The bytes that were written to a socket and that the peer's system has not confirmed.
int homeport_unsent_bytes(int socket);

// The cores that this process is allowed to use.
int homeport_usable_cores(void);

// Lets a thread made with these attributes of the threads library begin on a core other than the one this thread is on,
// where there is another one.
void homeport_begin_elsewhere(void *attributes);

// Lets this thread be on any core that the process may use, as threads that it makes from then on are.
void homeport_go_anywhere(void);

// Cyclic checksums: that of bytes which follow others with this checksum, 0 for none. The second one does without the
// processor's multiplication of polynomials.
enum homeport_crc_kind { homeport_crc32 = 0, homeport_crc32c = 1, homeport_crc64nvme = 2 };

uint64_t homeport_crc(enum homeport_crc_kind kind, uint64_t checksum, const void *bytes, size_t count);
uint64_t homeport_crc_by_table(enum homeport_crc_kind kind, uint64_t checksum, const void *bytes, size_t count);

#ifdef __linux__

// Bits of `events`.
enum { homeport_epoll_in = 0x001, homeport_epoll_out = 0x004, homeport_epoll_error = 0x008, homeport_epoll_hangup = 0x010 };

enum { homeport_epoll_add = 1, homeport_epoll_remove = 2, homeport_epoll_change = 3 };

struct homeport_epoll_event {
    uint64_t key;
    uint32_t events;
};

int homeport_epoll_create(void);
int homeport_epoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t key);

// Waits for events and writes them; `count` is at most 1024.
int homeport_epoll_wait(int poller, struct homeport_epoll_event *events, int count, int milliseconds);

int homeport_eventfd(void);

#endif
#endif
