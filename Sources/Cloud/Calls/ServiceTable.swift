import Access
import JSON

/// A service of AWS: how its calls are recognised and written, and its operations as rows.
package final class ServiceTable: Sendable {
    /// As people call it: `EventBridge`.
    package let title: String
    /// As signatures and policies call it: `events`.
    package let service: String
    /// The word before the point of `x-amz-target`: `AWSEvents`.
    package let target: String
    /// The version of the JSON protocol: `1.0` or `1.1`.
    package let version: String
    /// Nil: the service has no protocol of forms.
    package let form: FormWire?
    /// How long a body may be, and what may be in it.
    package let limits: JSONLimits
    package let words: ServiceWords
    private let operations: [ByteText: CloudOperation]

    /// - Parameter json: the version of the JSON protocol.
    package init(
        _ title: String, service: String, target: String, json version: String, form: FormWire? = nil,
        _ limits: JSONLimits, _ words: ServiceWords = ServiceWords(), _ operations: [CloudOperation]
    ) {
        (self.title, self.service, self.target) = (title, service, target)
        (self.version, self.form, self.limits, self.words) = (version, form, limits, words)
        self.operations = Dictionary(texts: operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var rows: [CloudOperation] { operations.values.sorted { ByteText($0.name) < ByteText($1.name) } }

    package func operation(named name: String) -> CloudOperation? { operations[name] }

    /// The rights that the caller of an operation needs.
    func rights(of name: String, _ input: CallInput) -> [RightsDemand] {
        let operation = operations[name]
        let action = "\(service):\(operation?.action ?? name)"
        return operation?.rights?(action, input) ?? [RightsDemand(action, .all(of: service))]
    }

    /// Answers a call whose caller may make it: checks its members, and runs it.
    package func answer(
        _ name: String, _ input: JSONValue, from origin: CallOrigin = CallOrigin()
    ) async throws(CloudError) -> JSONObject {
        guard let operation = operations[name] else { throw unknown(name) }
        guard let members = input.object else { throw words.unreadable("The body is no JSON object.") }
        try MemberCheck.run(operation.members, on: members, in: words)
        return try await operation.run(CloudCall(CallInput(members), from: origin))
    }

    func unknown(_ name: String) -> CloudError {
        CloudError(
            "UnknownOperationException", code: "InvalidAction",
            name.isEmpty
                ? "The request names no operation."
                : "The operation \(name) is not one of those of \(title) that are served here\(words.hint).")
    }
}
