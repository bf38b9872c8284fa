import Access
import JSON
import Synchronization

@testable import UserPool

/// The app's functions, in the test's own hands: each event is kept, and answered by a closure.
final class TestFunctions: OutsideService {
    typealias Answer = @Sendable (_ source: String, _ event: inout JSONObject) -> OutsideResponse?

    private let answer: Answer
    private let seen = Mutex<[JSONValue]>([])

    /// The closure changes the event that goes back, or answers something else in its place.
    init(_ answer: @escaping Answer = { _, _ in nil }) {
        self.answer = answer
    }

    /// The events so far.
    var events: [JSONValue] { seen.withLock { $0 } }

    /// Where their sources stand in the order of the calls.
    var sources: [String] { events.map { $0["triggerSource"]?.string ?? "?" } }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        guard let event = try? JSONReader.value(of: request.body), case .object(var members) = event else {
            throw .unreachable("no event")
        }
        seen.withLock { $0.append(event) }
        if let other = answer(event["triggerSource"]?.string ?? "", &members) { return other }
        return OutsideResponse(status: 200, body: JSONWriter.bytes(of: .object(members)))
    }

    /// A pool that calls these functions at the given points.
    func pool(
        _ triggers: [PoolTrigger], _ change: (inout PoolSettings) -> Void = { _ in }
    ) throws -> TestPool {
        try TestPool(outside: self) { settings in
            for trigger in triggers { settings.triggers.urls[trigger] = "http://functions.test/\(trigger.rawValue)" }
            change(&settings)
        }
    }
}

extension JSONObject {
    /// Sets a member of the event's response.
    mutating func respond(_ name: String, _ value: JSONValue) {
        var response = self["response"]?.object ?? JSONObject()
        response.set(name, to: value)
        set("response", to: .object(response))
    }
}
