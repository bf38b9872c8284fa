import Glibc

/// A wait of a test that has met its bound.
package struct WaitFailure: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ what: String, within bound: Duration, at place: SourcePlace) {
        description = "\(place): waited for \(bound) until \(what)"
    }
}

/// Where a test waits.
package struct SourcePlace: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: Int
    package var description: String { "\(file):\(line)" }
}

/// How long tests wait for what has to happen. It bounds failures only: a test that passes goes on at once, so the bound is
/// far beyond what a busy machine needs.
package let patience = Duration.seconds(120)

/// Waits until the condition holds, and throws what was waited for when it does not within the bound.
///
/// - Parameters:
///   - what: completes "waited until ...". It is read when the bound is met, so it may show what there is then.
///   - bound: the longest wait.
///   - folder: a folder or file. When given, the condition is asked again at each change in it, which the system reports;
///     otherwise, and where the system reports nothing, the condition is asked again after each pause.
///   - longest: the longest pause between two looks. Pauses begin short, for what is about to happen.
@_disfavoredOverload  // In a task it would block a thread of all tasks: there the other one is meant.
package func eventually(
    _ what: @autoclosure () -> String, within bound: Duration = patience, changing folder: String? = nil,
    pausing longest: Duration = .milliseconds(10), file: StaticString = #fileID, line: Int = #line,
    _ condition: () throws -> Bool
) throws {
    var pauses = Pauses(within: bound, upTo: longest, changing: folder)
    while try !condition() {
        guard pauses.isTimeLeft else {
            throw WaitFailure(what(), within: bound, at: SourcePlace(file: file, line: line))
        }
        pauses.block()
    }
}

/// The same for a test that runs as a task.
package func eventually(
    _ what: @autoclosure () -> String, within bound: Duration = patience, pausing longest: Duration = .milliseconds(10),
    file: StaticString = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    var pauses = Pauses(within: bound, upTo: longest, changing: nil)
    while try await !condition() {
        guard pauses.isTimeLeft else {
            throw WaitFailure(what(), within: bound, at: SourcePlace(file: file, line: line))
        }
        try await Task.sleep(for: pauses.next())
    }
}

/// Waits until there is a value, and answers it.
package func eventualValue<Value>(
    _ what: @autoclosure () -> String, within bound: Duration = patience, changing folder: String? = nil,
    file: StaticString = #fileID, line: Int = #line, _ value: () throws -> Value?
) throws -> Value {
    var found: Value?
    try eventually(what(), within: bound, changing: folder, file: file, line: line) {
        found = try value()
        return found != nil
    }
    guard let found else { throw WaitFailure(what(), within: bound, at: SourcePlace(file: file, line: line)) }
    return found
}

/// Blocks the thread for a time that is itself the subject of a test: the moment of a kill, or the pace of a client. The reason
/// says why no signal can take its place; it is for readers.
package func pause(_ length: Duration, because reason: StaticString) {
    // A signal that a test sends may end a sleep early.
    let end = ContinuousClock.now + length
    while case let left = end - ContinuousClock.now, left > .zero {
        usleep(UInt32(clamping: max(1, Int64(left / .microseconds(1)))))
    }
}

/// The same for a test that runs as a task.
package func pause(_ length: Duration, because reason: StaticString) async throws {
    try await Task.sleep(for: length)
}

/// The pauses between two looks at a condition.
private struct Pauses {
    private let longest: Duration
    private let end: ContinuousClock.Instant
    private let changes: FileChanges?
    private var length = Duration.microseconds(500)

    init(within bound: Duration, upTo longest: Duration, changing path: String?) {
        self.longest = longest
        end = .now + bound
        changes = path.flatMap { FileChanges(in: $0) }
    }

    var isTimeLeft: Bool { ContinuousClock.now < end }

    mutating func next() -> Duration {
        defer { length = min(length * 2, longest) }
        return length
    }

    mutating func block() {
        if let changes { return changes.wait(until: end) }
        usleep(UInt32(clamping: Int64(next() / .microseconds(1))))
    }
}
