import JSON
import Synchronization

/// The newest calls of each function and the newest lines of its output, for a person who looks at it. Bounded, in memory alone.
package final class FunctionJournal: Sendable {
    /// A call that has ended.
    package struct Call: Sendable {
        package let id: String
        /// When it began, in milliseconds since 1970.
        package let began: Int64
        package let milliseconds: Int64
        /// The beginning of the event.
        package let event: [UInt8]
        package let eventBytes: Int
        /// What came of it, the beginning of what it returned.
        package let outcome: FunctionOutcome
    }

    /// What is kept of a function.
    package struct Entry: Sendable {
        package fileprivate(set) var calls: [Call] = []
        package fileprivate(set) var lines: [(at: Int64, report: FunctionReport)] = []
        /// All calls since the start.
        package fileprivate(set) var count = 0
        package fileprivate(set) var failures = 0
    }

    private let entries = Mutex<[String: Entry]>([:])

    init() {}

    /// The entry of a function; empty where it was never called.
    package func entry(_ name: String) -> Entry { entries.withLock { $0[name] } ?? Entry() }

    /// Forgets functions that are gone.
    func keep(only names: Set<String>) {
        entries.withLock { entries in
            for name in entries.keys where !names.contains(name) { entries[name] = nil }
        }
    }

    func add(_ report: FunctionReport) {
        let at = Timestamp.now.millisecondsSince1970
        entries.withLock { entries in
            var entry = entries.removeValue(forKey: report.function) ?? Entry()
            if entry.lines.count == RuntimeLimits.journalLinesMax { entry.lines.removeFirst() }
            entry.lines.append((at, report))
            entries[report.function] = entry
        }
    }

    func add(_ id: String, of request: FunctionRequest, began: Int64, _ outcome: FunctionOutcome) {
        let call = Call(
            id: id, began: began, milliseconds: max(0, Timestamp.now.millisecondsSince1970 - began),
            event: Self.beginning(of: request.payload), eventBytes: request.payload.count,
            outcome: Self.beginning(of: outcome))
        var hasFailed = true
        if case .result = outcome { hasFailed = false }
        entries.withLock { entries in
            var entry = entries.removeValue(forKey: request.name) ?? Entry()
            if entry.calls.count == RuntimeLimits.journalCallsMax { entry.calls.removeFirst() }
            entry.calls.append(call)
            entry.count += 1
            if hasFailed { entry.failures += 1 }
            entries[request.name] = entry
        }
    }

    private static func beginning(of bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(RuntimeLimits.journalBytesMax)) }

    private static func beginning(of outcome: FunctionOutcome) -> FunctionOutcome {
        switch outcome {
        case .result(let bytes): .result(beginning(of: bytes))
        case .failed(let bytes): .failed(beginning(of: bytes))
        case .refused, .givenUp: outcome
        }
    }
}
