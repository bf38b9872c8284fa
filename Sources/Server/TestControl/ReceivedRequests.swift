import Engine
import JSON
import Network
import Realtime
import Synchronization

/// The received requests, the newest last: as many requests as there is room for, without anything by which they prove who they are.
final class ReceivedRequests: Sendable {
    private struct Entry: Sendable {
        let json: JSONValue
        let bytes: Int
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var bytes = 0
        var dropped: Int64 = 0
        var last: Int64 = 0
        /// Those that are on their way.
        var operations: [RequestIdentifier: ReceivedOperation] = [:]
        var publishes: [RequestIdentifier: ReceivedPublish] = [:]
    }

    private let state = Mutex(State())

    /// Told of the operation of a request that is not answered yet.
    func began(_ identifier: RequestIdentifier, _ operation: ReceivedOperation) {
        state.withLock { state in
            guard state.operations.count < TestControlLimits.operationsMax else { return }
            state.operations[identifier] = operation
        }
    }

    /// The same of a publish to a channel.
    func began(_ identifier: RequestIdentifier, _ publish: ReceivedPublish) {
        state.withLock { state in
            guard state.publishes.count < TestControlLimits.operationsMax else { return }
            state.publishes[identifier] = publish
        }
    }

    /// Told of a publish that a WebSocket has carried, with the status that HTTP would have given it.
    func carried(_ publish: ReceivedPublish, status: Int) {
        add(
            method: ReceivedPublish.carrier, path: Route.channelSocket.path, target: nil, nil, publish, caller: nil,
            status: status, nanoseconds: 0)
    }

    /// Told of every request whose answer is on its way, or never will be.
    func ended(_ exchange: HTTPExchange) {
        let (operation, publish) = state.withLock { state in
            (
                state.operations.removeValue(forKey: exchange.identifier),
                state.publishes.removeValue(forKey: exchange.identifier)
            )
        }
        guard let head = exchange.head, exchange.mark != Route.testControl.rawValue else { return }
        let caller = OperationSummary(word: exchange.note)?.caller
        add(
            method: head.methodText, path: head.path, target: head.fields["x-amz-target"], operation, publish,
            caller: caller.flatMap { $0 == .none ? nil : "\($0)" }, status: exchange.status?.code,
            nanoseconds: exchange.ended.nanoseconds(since: exchange.began))
    }

    /// Told of an operation that a WebSocket or an event stream has carried.
    func carried(_ carried: CarriedOperation) {
        let caller = OperationSummary(carried.note).caller
        add(
            method: carried.carrier, path: Route.realtime.path, target: nil, ReceivedOperation(carried.request), nil,
            caller: caller == .none ? nil : "\(caller)", status: carried.status, nanoseconds: carried.nanoseconds)
    }

    private func add(
        method: String, path: String, target: String?, _ operation: ReceivedOperation?, _ publish: ReceivedPublish?,
        caller: String?, status: Int?, nanoseconds: UInt64
    ) {
        var json = JSONObject([
            ("receivedAt", .string(Timestamp.now.text)), ("method", .string(method)), ("path", .string(path)),
        ])
        var bytes = method.utf8.count + path.utf8.count
        if let target {
            json.set("target", to: .string(target))
            bytes += target.utf8.count
        }
        if let operation {
            json.set("operationName", to: operation.name.map(JSONValue.string) ?? .null)
            json.set("fields", to: .array(operation.fields.map(JSONValue.string)))
            let variables = JSONWriter.bytes(of: .object(operation.variables)).count
            if operation.query.utf8.count + variables <= TestControlLimits.operationBytesMax {
                json.set("query", to: .string(operation.query))
                json.set("variables", to: .object(operation.variables))
                bytes += operation.query.utf8.count + variables
            } else {
                json.set("isTooLong", to: .bool(true))
            }
        }
        if let publish {
            json.set("channel", to: .string(publish.channel))
            let size = publish.events.reduce(publish.channel.utf8.count) { $0 + $1.utf8.count }
            if size <= TestControlLimits.operationBytesMax {
                json.set("events", to: .array(publish.events.map(JSONValue.string)))
                bytes += size
            } else {
                json.set("isTooLong", to: .bool(true))
            }
        }
        json.set("caller", to: caller.map(JSONValue.string) ?? .null)
        json.set("status", to: status.map { .integer(Int64($0)) } ?? .null)
        json.set("milliseconds", to: .double(Double(nanoseconds / 1_000) / 1_000))
        let entry = Entry(json: .object(json), bytes: bytes)
        state.withLock { state in
            state.entries.append(entry)
            state.bytes += bytes
            while state.entries.count > TestControlLimits.requestsMax
                || state.bytes > TestControlLimits.requestsBytesMax
            {
                state.bytes -= state.entries.removeFirst().bytes
                state.dropped += 1
            }
        }
    }

    func removeAll() -> Int {
        state.withLock { state in
            defer { (state.entries, state.bytes, state.dropped) = ([], 0, 0) }
            return state.entries.count
        }
    }

    var json: JSONValue {
        let (entries, dropped) = state.withLock { ($0.entries, $0.dropped) }
        return ["requests": .array(entries.map(\.json)), "dropped": .integer(dropped)]
    }
}
