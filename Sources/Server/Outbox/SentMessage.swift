import JSON
import Outbox
import UserPool

/// A message as people and tests look at it, whether the user pool has sent it or a function.
struct SentMessage: Sendable {
    /// Its place among those of its sender.
    let number: Int64
    let created: Int64
    let user: String
    let kind: String
    let medium: String
    let address: String
    let subject: String
    let body: String
    let html: String?
    /// Of the user pool's messages.
    let code: String?
    /// Of functions' messages.
    let sender: String?
    let state: String
    /// Why it could not be sent, the last time.
    let problem: String?

    init(_ message: StoredMessage) {
        (number, created, user, kind) = (message.number, message.created, message.user, message.kind)
        (medium, address) = (message.medium, message.address)
        (subject, body, html) = (message.subject, message.body, message.html)
        (code, sender, problem) = (message.code, nil, message.problem)
        state = message.state.rawValue
    }

    init(_ message: OutboxMessage) {
        (number, created, user, kind) = (message.number, message.created, message.address, message.service)
        (medium, address) = (message.medium, message.address)
        (subject, body, html) = (message.subject, message.text, message.html)
        (code, sender, problem) = (nil, message.sender, message.problem)
        state = message.state.rawValue
    }

    var time: String { Timestamp(seconds: created / 1_000, milliseconds: Int(created % 1_000)).text }

    var text: String {
        let name = user == address ? "" : " (\(user))"
        let content = subject.isEmpty ? body : "\(subject): \(body)"
        let failure = problem.map { "\n    not sent: \($0)" } ?? ""
        return "\(time)  \(address)\(name)\n    \(content)\(failure)"
    }

    var json: JSONObject {
        var object = JSONObject([
            ("time", .string(time)), ("user", .string(user)), ("kind", .string(kind)), ("medium", .string(medium)),
            ("address", .string(address)), ("subject", .string(subject)), ("body", .string(body)),
        ])
        object["code"] = code.map(JSONValue.string)
        object["problem"] = problem.map(JSONValue.string)
        object["from"] = sender.map(JSONValue.string)
        object["html"] = sender == nil ? nil : html.map(JSONValue.string)
        return object
    }
}
