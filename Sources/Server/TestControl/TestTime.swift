import JSON
import Synchronization
import Threads

/// The server's time of day, which tests set and move. What measures how long something takes goes on as ever.
final class TestTime: Sendable {
    private let order = Mutex(())

    /// - Parameter value: `{"set": "2030-01-01T00:00:00Z"}`, `{"set": 1893456000000}`, `{"moveMilliseconds": 60000}` or `{"reset": true}`.
    func change(_ value: JSONValue?) throws(ErrorAnswer) {
        let members = value?.object ?? JSONObject()
        guard members.count == 1, let member = members.members.first else { throw Self.unclear }
        let machine = SystemClock.machine.milliseconds
        let change: (Int64) -> Int64?
        switch (member.key, member.value) {
        case ("set", .integer(let time)): change = { _ in Self.distance(time, machine) }
        case ("set", .string(let text)):
            guard let time = Timestamp(text) else { throw .test("set is a time such as \"2030-01-01T00:00:00Z\".") }
            change = { _ in Self.distance(time.millisecondsSince1970, machine) }
        case ("moveMilliseconds", .integer(let milliseconds)):
            change = { moved in
                let (sum, isTooFar) = moved.addingReportingOverflow(milliseconds)
                return isTooFar ? nil : sum
            }
        case ("reset", .bool(true)): change = { _ in 0 }
        default: throw Self.unclear
        }
        let isDone = order.withLock { _ in
            guard let moved = change(SystemClock.moved) else { return false }
            let (time, isTooFar) = machine.addingReportingOverflow(moved)
            guard !isTooFar, TestControlLimits.times.contains(time) else { return false }
            SystemClock.moved = moved
            return true
        }
        guard isDone else { throw .test("The time must lie between 1970 and 9999.") }
    }

    var json: JSONValue {
        let now = Timestamp.now
        return [
            "now": .string(now.text), "nowMilliseconds": .integer(now.millisecondsSince1970),
            "movedMilliseconds": .integer(SystemClock.moved),
        ]
    }

    private static func distance(_ time: Int64, _ machine: Int64) -> Int64? {
        TestControlLimits.times.contains(time) ? time - machine : nil
    }

    private static let unclear = ErrorAnswer.test(
        "Send {\"set\": \"2030-01-01T00:00:00Z\"}, {\"set\": MILLISECONDS}, {\"moveMilliseconds\": N} or {\"reset\": true}."
    )
}
