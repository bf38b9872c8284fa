// Programs in processes of their own.
#define _GNU_SOURCE

#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// No descriptor from 3 on goes to the next program.
static void keep_descriptors(void) {
#ifdef SYS_close_range
    enum { close_on_exec = 1 << 2 };
    if (syscall(SYS_close_range, 3, ~0U, close_on_exec) == 0) return;
#endif
    struct rlimit open_files;
    rlim_t count = getrlimit(RLIMIT_NOFILE, &open_files) == 0 ? open_files.rlim_cur : 1024;
    for (rlim_t descriptor = 3; descriptor < count && descriptor < 1 << 20; descriptor++) {
        fcntl((int)descriptor, F_SETFD, FD_CLOEXEC);
    }
}

// Signals mean what they mean to every program. A shell's programs ignore what it ignores, but for two that this process ignores by itself.
static void reset_signals(int is_of_shell) {
    struct sigaction usual = {.sa_handler = SIG_DFL}, now;
    for (int number = 1; number < NSIG; number++) {
        int keeps = is_of_shell && number != SIGPIPE && number != SIGXFSZ;
        if (keeps && sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN) continue;
        sigaction(number, &usual, NULL);
    }
}

// What a new process does before it becomes another program. It shares the memory of this one until then: it makes system calls
// and nothing else.
static void become(const struct homeport_command *command, int parent, volatile int *failure) {
    sigset_t none;
    sigemptyset(&none);
    int input = command->input;
    struct rlimit memory = {command->memory_bytes, command->memory_bytes};
    struct rlimit descriptors = {command->descriptors, command->descriptors};
    struct rlimit core = {0, 0};
    reset_signals(command->is_of_shell);
    if (command->has_own_group && setpgid(0, 0) != 0) goto failed;
    if (command->death_signal != 0 && prctl(PR_SET_PDEATHSIG, command->death_signal) != 0) goto failed;
    // Its parent may have ended just before.
    if (getppid() != parent) _exit(127);
    if (input < 0 && !command->is_of_shell && (input = open("/dev/null", O_RDONLY)) < 0) goto failed;
    if (input >= 0 && dup2(input, 0) < 0) goto failed;
    if (command->output >= 0 && dup2(command->output, 1) < 0) goto failed;
    if (command->output >= 0 && !command->is_of_shell && dup2(command->output, 2) < 0) goto failed;
    if (!command->is_of_shell) {
        keep_descriptors();
        setrlimit(RLIMIT_CORE, &core);
        setrlimit(RLIMIT_NOFILE, &descriptors);
        if (setrlimit(RLIMIT_DATA, &memory) != 0) goto failed;
    }
    if (command->folder != NULL && chdir(command->folder) != 0) goto failed;
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) goto failed;
    if (command->is_of_shell) execvpe(command->file, command->words, command->variables);
    else execve(command->file, command->words, command->variables);
failed:
    *failure = errno;
    _exit(127);
}

int homeport_start_process(const struct homeport_command *command) {
    sigset_t all, before;
    volatile int failure = 0;
    int parent = getpid();
    sigfillset(&all);
    // No handler of this process may run in the new one, which has the same memory.
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return -1;
    // This thread waits until the new process is another program, and nothing of the memory is copied for that.
    pid_t process = vfork();
    if (process == 0) become(command, parent, &failure);
    int problem = process < 0 ? errno : failure;
    if (process > 0 && problem != 0) {
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (problem == 0) return process;
    errno = problem;
    return -1;
}

int homeport_process_descriptor(int process) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, process, 0);
#else
    (void)process;
    errno = ENOSYS;
    return -1;
#endif
}

int homeport_take_end_of_process(int process) {
    int status;
    pid_t ended;
    do ended = waitpid(process, &status, WNOHANG); while (ended < 0 && errno == EINTR);
    if (ended != process) return -1;
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

int homeport_limit_memory(int process, uint64_t bytes) {
    struct rlimit memory = {bytes, bytes};
    return prlimit(process, RLIMIT_DATA, &memory, NULL);
}

int homeport_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    homeport_set_nonblocking(ends[0]);
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

#else

int homeport_start_process(const struct homeport_command *command) {
    (void)command;
    errno = ENOTSUP;
    return -1;
}

int homeport_process_descriptor(int process) {
    (void)process;
    errno = ENOTSUP;
    return -1;
}

int homeport_take_end_of_process(int process) {
    (void)process;
    return -1;
}

int homeport_limit_memory(int process, uint64_t bytes) {
    (void)process, (void)bytes;
    errno = ENOTSUP;
    return -1;
}

int homeport_pipe(int *reading, int *writing) {
    (void)reading, (void)writing;
    errno = ENOTSUP;
    return -1;
}

#endif
