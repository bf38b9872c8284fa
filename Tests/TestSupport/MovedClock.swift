import Foundation

/// A time of day for programs that run with it: the machine's, with a lead that a test sets at any moment.
///
/// The C library's functions are replaced by those of a library that is loaded first. What lies between two moments (`CLOCK_MONOTONIC`) is
/// the machine's.
package final class MovedClock: Sendable {
    package static var isPossible: Bool { PreloadedLibrary.isPossible }

    /// The variables of a program that goes by it.
    package let environment: [String: String]
    private let library: PreloadedLibrary
    private let folder = TemporaryFolder()

    package init(leadMilliseconds: Int64 = 0) throws {
        let file = try folder.write(String(repeating: "\0", count: MemoryLayout<Int64>.size), to: "lead")
        library = try PreloadedLibrary(Self.source)
        environment = ["LD_PRELOAD": library.path, "MOVED_CLOCK": file]
        try set(leadMilliseconds: leadMilliseconds)
    }

    /// The programs have another time from now on. A negative lead is behind.
    package func set(leadMilliseconds: Int64) throws {
        // In place: the programs share its memory.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("lead")))
        defer { try? file.close() }
        try file.write(contentsOf: withUnsafeBytes(of: leadMilliseconds) { Data($0) })
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static const volatile long long *lead;

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("MOVED_CLOCK");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *memory = mmap(0, sizeof *lead, PROT_READ, MAP_SHARED, file, 0);
            close(file);
            if (memory != MAP_FAILED) lead = memory;
        }

        int clock_gettime(clockid_t clock, struct timespec *moment) {
            static int (*machine)(clockid_t, struct timespec *);
            if (!machine) machine = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
            int code = machine(clock, moment);
            if (code != 0 || !lead || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return code;
            long long milliseconds = moment->tv_sec * 1000LL + moment->tv_nsec / 1000000 + *lead;
            moment->tv_sec = milliseconds / 1000;
            moment->tv_nsec = milliseconds % 1000 * 1000000 + moment->tv_nsec % 1000000;
            return 0;
        }

        int gettimeofday(struct timeval *moment, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            moment->tv_sec = now.tv_sec;
            moment->tv_usec = now.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *moment) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (moment) *moment = now.tv_sec;
            return now.tv_sec;
        }
        """
}
