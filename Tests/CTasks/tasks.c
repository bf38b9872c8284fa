// The threads of all tasks, for tests.
//
// Swift has as many threads for tasks as there are cores. A test that waits for a socket, a process or another thread holds
// one of them; two such tests on two cores stop everything, the tasks of the program among it, for as long as they wait. Tests may
// wait: with threads enough, none holds up another.
//
// The runtime offers every task without an executor of its own to this hook before it takes it itself.

#include <pthread.h>
#include <stdlib.h>

#include "tasks.h"

// More than twice as many as tests that run at once on two cores.
enum { threads = 32 };

typedef struct job job;

typedef struct {
    void *identity;
    void *implementation;
} executor;

typedef __attribute__((swiftcall)) void (*original_enqueue)(job *);

extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(job *, original_enqueue);
extern __attribute__((swiftcall)) void swift_job_run(job *, executor);

typedef struct waiting {
    struct waiting *next;
    job *job;
} waiting;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
static waiting *first;
static waiting **end = &first;

static job *next_job(void) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&has_work, &lock);
    waiting *taken = first;
    first = taken->next;
    if (!first) end = &first;
    pthread_mutex_unlock(&lock);
    job *next = taken->job;
    free(taken);
    return next;
}

static void *run(void *nothing) {
    // No executor of its own: what tasks without one run on.
    for (;;) swift_job_run(next_job(), (executor){NULL, NULL});
    return nothing;
}

static __attribute__((swiftcall)) void enqueue(job *job, original_enqueue original) {
    waiting *place = malloc(sizeof *place);
    if (!place) return original(job);
    *place = (waiting){NULL, job};
    pthread_mutex_lock(&lock);
    *end = place;
    end = &place->next;
    pthread_cond_signal(&has_work);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void begin(void) {
    for (int number = 0; number < threads; number++) {
        pthread_t thread;
        // Without the hook tasks have the threads of the runtime.
        if (pthread_create(&thread, NULL, run, NULL) != 0) return;
        pthread_detach(thread);
    }
    swift_task_enqueueGlobal_hook = enqueue;
}
