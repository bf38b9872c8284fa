import JSON
import Outbox
import UserPool

extension ConsoleEndpoint {
    /// What was sent to people, or would have been.
    static let messages: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/messages") { console, request throws(ConsoleError) in
            let limit = try request.number("limit", default: 50, 1...1_000)
            let all = try await console.newestMessages(request.parameter("to"), max: 1_000)
            let before = request.parameter("before")
            let start = before.flatMap { id in all.firstIndex { $0["id"]?.text == ByteText(id) } }.map { $0 + 1 } ?? 0
            let page = Array(all.dropFirst(start).prefix(limit))
            let hasMore = start + page.count < all.count
            return .json([
                "messages": .array(page), "next": hasMore ? page.last?["id"] ?? .null : .null,
            ])
        },
        ConsoleEndpoint(.delete, "/messages") { console, request throws(ConsoleError) in
            let host = try console.host
            do {
                let count = try await (host.pool?.removeMessages() ?? 0) + host.outbox.removeMessages()
                console.audit.note("messages.delete", "\(count)", by: request)
                return .json(["removed": .count(count)])
            } catch {
                throw ConsoleError(503, "busy", "The messages cannot be removed: \(error).")
            }
        },
    ]
}

extension Console {
    /// The messages of the pool and of functions, newest first.
    func newestMessages(_ recipient: String?, max: Int) async throws(ConsoleError) -> [JSONValue] {
        let host = try host
        var messages: [(created: Int64, json: JSONValue)] = []
        do {
            for message in try await host.pool?.newestMessages(to: recipient, max: max) ?? [] {
                messages.append((message.created, Self.json(message)))
            }
            for message in try await host.outbox.newestMessages(to: recipient, max: max) {
                messages.append((message.created, Self.json(message)))
            }
        } catch {
            throw ConsoleError(503, "busy", "The messages cannot be read: \(error).")
        }
        return messages.sorted { $0.created > $1.created }.prefix(max).map(\.json)
    }

    private static func json(_ message: StoredMessage) -> JSONValue {
        [
            "id": .string("pool-\(message.number)"), "to": .string(message.address), "user": .string(message.user),
            "medium": .string(message.medium), "kind": .string(message.kind), "subject": .string(message.subject),
            "text": .string(message.body), "html": .text(message.html), "code": .text(message.code), "from": .null,
            "createdAt": .moment(message.created), "state": .string(message.state.rawValue),
            "problem": .text(message.problem),
        ]
    }

    private static func json(_ message: OutboxMessage) -> JSONValue {
        [
            "id": .string("app-\(message.number)"), "to": .string(message.address), "user": .string(message.address),
            "medium": .string(message.medium), "kind": .string(message.service), "subject": .string(message.subject),
            "text": .string(message.text), "html": .text(message.html), "code": .null, "from": .text(message.sender),
            "createdAt": .moment(message.created), "state": .string(message.state.rawValue),
            "problem": .text(message.problem),
        ]
    }
}
