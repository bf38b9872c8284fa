import Glibc
import JSON
import Threads

/// The lines that wait to be written, and the thread that writes them.
///
/// Two buffers change places: one is filled under the mutex, the other is written without it, so a producer waits
/// for a copy at most, never for the output. The first line wakes the writer; it then gathers for some milliseconds,
/// so that a busy server pays for one wake-up a batch and not one a request.
///
/// Unchecked: everything but the lock is read and written with the lock held.
package final class LogQueue: @unchecked Sendable {
    private let lock = ThreadLock()
    private let wakeUp: ThreadCondition
    private let emptied: ThreadCondition
    private let descriptor: Int32
    private let format: LogFormat
    private let bytesMax: Int
    /// The newest lines, where somebody looks.
    package let tail = LogTail()

    private var filling: [UInt8] = []
    private var droppedUnreported = 0
    private var droppedTotal = 0
    private var isWriterIdle = false
    /// That of the line in most of a hurry.
    private var haste = Haste.little
    private var isWriting = false
    private var isStopping = false
    private var hasBegun = false
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

    /// The writer starts with the first line. `stop` must be called before the process ends, or the last lines are lost.
    ///
    /// The descriptor is not closed.
    package init(_ format: LogFormat, writingTo descriptor: Int32 = 2, bytesMax: Int = LogLimits.queueBytesMax) {
        self.descriptor = descriptor
        self.format = format
        self.bytesMax = bytesMax
        wakeUp = ThreadCondition(of: lock)
        emptied = ThreadCondition(of: lock)
    }

    /// Starts the writer. The lock is held.
    private func begin() {
        hasBegun = true
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

    /// How many lines did not fit since the start.
    package var droppedCount: Int {
        lock.withLock { droppedTotal }
    }

    /// Copies a line, or drops it when the queue is full. An urgent one is written at once.
    package func append(_ line: [UInt8], _ haste: Haste = .usual) {
        lock.withLock {
            if !hasBegun, !isStopping { begin() }
            guard !isStopping, !hasEnded, filling.count + line.count <= bytesMax else {
                droppedTotal += 1
                droppedUnreported += 1
                return
            }
            filling.append(contentsOf: line)
            hurry(filling.count >= LogLimits.gatherBytesMax ? .urgent : haste)
            if isWriterIdle {
                isWriterIdle = false
                wakeUp.signal()
            }
        }
    }

    /// Tells the writer when it must not wait as long as it does. The lock is held.
    private func hurry(_ haste: Haste) {
        guard haste > self.haste else { return }
        self.haste = haste
        wakeUp.signal()
    }

    /// Waits until all lines so far are written, but no longer than so many milliseconds.
    package func flush(milliseconds: Int = LogLimits.stopMilliseconds) {
        lock.withLock {
            hurry(.urgent)
            wait(milliseconds: milliseconds) { isWriting || !filling.isEmpty || droppedUnreported > 0 }
        }
    }

    /// Writes what waits, but no longer than `LogLimits.stopMilliseconds`, and ends the writer. Lines after it are dropped.
    package func stop() {
        lock.withLock {
            isStopping = true
            wakeUp.signal()
            wait(milliseconds: LogLimits.stopMilliseconds) { true }
        }
    }

    /// Waits while something is so and the writer lives, but no longer than so many milliseconds. The lock is held.
    private func wait(milliseconds: Int, while isSo: () -> Bool) {
        let deadline = ThreadDeadline(inMilliseconds: milliseconds)
        while hasBegun, !hasEnded, isSo() {
            guard emptied.wait(until: deadline) else { return }
        }
    }

    private func run() {
        var batch: [UInt8] = []
        while gather(into: &batch) {
            let isTaken = write(batch)
            if tail.isWanted { tail.take(batch) }
            batch.removeAll(keepingCapacity: true)
            lock.withLock {
                isWriting = false
                if !isTaken { droppedTotal += 1 }
                emptied.broadcast()
            }
        }
    }

    /// Waits for lines and takes them. The answer is false when there will be no more.
    private func gather(into batch: inout [UInt8]) -> Bool {
        lock.withLock {
            while filling.isEmpty, droppedUnreported == 0, !isStopping {
                isWriterIdle = true
                wakeUp.wait()
            }
            isWriterIdle = false
            var known = haste
            var deadline = ThreadDeadline(inMilliseconds: known.gatherMilliseconds)
            while haste != .urgent, !isStopping {
                if haste > known {
                    known = haste
                    deadline = ThreadDeadline(inMilliseconds: known.gatherMilliseconds)
                }
                guard wakeUp.wait(until: deadline) else { break }
            }
            haste = .little
            swap(&batch, &filling)
            if droppedUnreported > 0 { reportDropped(in: &batch) }
            if batch.isEmpty, isStopping {
                hasEnded = true
                emptied.broadcast()
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
}
