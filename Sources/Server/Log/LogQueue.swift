import Glibc
import JSON

/// The lines that wait to be written, and the thread that writes them.
///
/// Two buffers change places: one is filled under the mutex, the other is written without it, so a producer waits
/// for a copy at most, never for the output. The first line wakes the writer; it then gathers for some milliseconds,
/// so that a busy server pays for one wake-up a batch and not one a request.
///
/// Unchecked: everything but the lock is read and written with the lock held.
package final class LogQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeUp = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let emptied = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let descriptor: Int32
    private let format: LogFormat
    private let bytesMax: Int

    private var filling: [UInt8] = []
    private var droppedUnreported = 0
    private var droppedTotal = 0
    private var isWriterIdle = false
    /// That of the line in most of a hurry.
    private var haste = Haste.little
    private var isWriting = false
    private var isStopping = false
    private var hasEnded = false

    /// How soon a line has to be written.
    package enum Haste: Int, Sendable, Comparable {
        /// A line of a request.
        case little
        case usual
        case urgent

        package static func < (first: Haste, second: Haste) -> Bool { first.rawValue < second.rawValue }

        /// How long other lines are waited for.
        fileprivate var gatherMilliseconds: Int {
            switch self {
            case .little: LogLimits.gatherRequestsMilliseconds
            case .usual: LogLimits.gatherMilliseconds
            case .urgent: 0
            }
        }
    }

    /// Starts the writer. `stop` must be called before the process ends, or the last lines are lost.
    ///
    /// The descriptor is not closed.
    package init(_ format: LogFormat, writingTo descriptor: Int32 = 2, bytesMax: Int = LogLimits.queueBytesMax) {
        self.descriptor = descriptor
        self.format = format
        self.bytesMax = bytesMax
        pthread_mutex_init(lock, nil)
        pthread_cond_init(wakeUp, nil)
        pthread_cond_init(emptied, nil)
        var thread = pthread_t()
        let queue = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<LogQueue>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, queue.toOpaque())
        if status == 0 {
            pthread_detach(thread)
        } else {
            queue.release()
            // Without a thread there is no log, and every line counts as dropped.
            hasEnded = true
        }
    }

    deinit {
        pthread_cond_destroy(emptied)
        pthread_cond_destroy(wakeUp)
        pthread_mutex_destroy(lock)
        emptied.deallocate()
        wakeUp.deallocate()
        lock.deallocate()
    }

    /// How many lines did not fit since the start.
    package var droppedCount: Int {
        withLock { droppedTotal }
    }

    /// Copies a line, or drops it when the queue is full. An urgent one is written at once.
    package func append(_ line: [UInt8], _ haste: Haste = .usual) {
        withLock {
            guard !isStopping, !hasEnded, filling.count + line.count <= bytesMax else {
                droppedTotal += 1
                droppedUnreported += 1
                return
            }
            filling.append(contentsOf: line)
            hurry(filling.count >= LogLimits.gatherBytesMax ? .urgent : haste)
            if isWriterIdle {
                isWriterIdle = false
                pthread_cond_signal(wakeUp)
            }
        }
    }

    /// Tells the writer when it must not wait as long as it does. The lock is held.
    private func hurry(_ haste: Haste) {
        guard haste > self.haste else { return }
        self.haste = haste
        pthread_cond_signal(wakeUp)
    }

    /// Waits until all lines so far are written, but no longer than so many milliseconds.
    package func flush(milliseconds: Int = LogLimits.stopMilliseconds) {
        withLock {
            hurry(.urgent)
            wait(milliseconds: milliseconds) { isWriting || !filling.isEmpty || droppedUnreported > 0 }
        }
    }

    /// Writes what waits, but no longer than `LogLimits.stopMilliseconds`, and ends the writer. Lines after it are dropped.
    package func stop() {
        withLock {
            isStopping = true
            pthread_cond_signal(wakeUp)
            wait(milliseconds: LogLimits.stopMilliseconds) { true }
        }
    }

    /// Waits while something is so and the writer lives, but no longer than so many milliseconds. The lock is held.
    private func wait(milliseconds: Int, while isSo: () -> Bool) {
        var deadline = Self.time(inMilliseconds: milliseconds)
        while !hasEnded, isSo() {
            guard pthread_cond_timedwait(emptied, lock, &deadline) != ETIMEDOUT else { return }
        }
    }

    private func run() {
        var batch: [UInt8] = []
        while gather(into: &batch) {
            let isTaken = write(batch)
            batch.removeAll(keepingCapacity: true)
            withLock {
                isWriting = false
                if !isTaken { droppedTotal += 1 }
                pthread_cond_broadcast(emptied)
            }
        }
    }

    /// Waits for lines and takes them. The answer is false when there will be no more.
    private func gather(into batch: inout [UInt8]) -> Bool {
        withLock {
            while filling.isEmpty, droppedUnreported == 0, !isStopping {
                isWriterIdle = true
                pthread_cond_wait(wakeUp, lock)
            }
            isWriterIdle = false
            var known = haste
            var deadline = Self.time(inMilliseconds: known.gatherMilliseconds)
            while haste != .urgent, !isStopping {
                if haste > known {
                    known = haste
                    deadline = Self.time(inMilliseconds: known.gatherMilliseconds)
                }
                guard pthread_cond_timedwait(wakeUp, lock, &deadline) != ETIMEDOUT else { break }
            }
            haste = .little
            swap(&batch, &filling)
            if droppedUnreported > 0 { reportDropped(in: &batch) }
            if batch.isEmpty, isStopping {
                hasEnded = true
                pthread_cond_broadcast(emptied)
                return false
            }
            isWriting = true
            return true
        }
    }

    private func reportDropped(in batch: inout [UInt8]) {
        LogLine.write(
            .warning, "log lines were dropped, since they are not taken as fast as they come",
            [(key: "lines", value: JSONValue.integer(Int64(droppedUnreported)))], at: .now,
            LogStyle(format: format, hasColours: false), to: &batch)
        droppedUnreported = 0
    }

    /// Writes all of it; false when the output is gone.
    private func write(_ batch: [UInt8]) -> Bool {
        batch.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    // A terminal that another process made non-blocking.
                    var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&output, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    private static func time(inMilliseconds milliseconds: Int) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += milliseconds / 1_000
        time.tv_nsec += milliseconds % 1_000 * 1_000_000
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }
}
