// Slows a process's monotonic clocks down, as the machine that counts its instructions slows the process down: what takes
// 20 ms of a loop without it takes 20 ms with it. The time of day is as it is. Loaded by `bench/instructions`.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLOWER_BITS = 10 };

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_THREAD_CPUTIME_ID)) {
        long long nanoseconds = (time->tv_sec * 1000000000LL + time->tv_nsec) >> SLOWER_BITS;
        time->tv_sec = nanoseconds / 1000000000;
        time->tv_nsec = nanoseconds % 1000000000;
    }
    return (int)result;
}
