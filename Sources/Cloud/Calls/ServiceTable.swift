import Access
import JSON

/// A service of AWS: how its calls are recognised and written, and its operations as rows.
package struct ServiceTable: Sendable {
    /// As people call it: `EventBridge`.
    package let title: String
    /// As signatures and policies call it: `events`.
    package let service: String
    /// The word before the point of `x-amz-target`: `AWSEvents`.
    package let target: String
    package let wire: WireForm
    /// How long a body may be, and what may be in it.
    package let limits: JSONLimits
    package let words: ServiceWords
    private let operations: [ByteText: CloudOperation]

    package init(
        _ title: String, service: String, target: String, _ wire: WireForm, _ limits: JSONLimits,
        _ words: ServiceWords = ServiceWords(), _ operations: [CloudOperation]
    ) {
        (self.title, self.service, self.target) = (title, service, target)
        (self.wire, self.limits, self.words) = (wire, limits, words)
        self.operations = Dictionary(texts: operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var rows: [CloudOperation] { operations.values.sorted { ByteText($0.name) < ByteText($1.name) } }

    package func operation(named name: String) -> CloudOperation? { operations[name] }

    /// What the caller of an operation must be allowed.
    func rights(of name: String, _ input: CallInput) -> [RightsDemand] {
        let action = "\(service):\(name)"
        return operations[name]?.rights?(action, input) ?? [RightsDemand(action, .all(of: service))]
    }

    /// Answers a call whose caller may make it: checks its members, and runs it.
    package func answer(
        _ name: String, _ input: JSONValue, from origin: CallOrigin = CallOrigin()
    ) async throws(CloudError) -> JSONObject {
        guard let operation = operations[name] else { throw unknown(name) }
        guard let members = input.object else { throw CloudError(words.unreadable, "The body is no JSON object.") }
        try MemberCheck.run(operation.members, on: members, in: words)
        return try await operation.run(CloudCall(CallInput(members), from: origin))
    }

    private func unknown(_ name: String) -> CloudError {
        CloudError(
            "UnknownOperationException", code: "InvalidAction",
            name.isEmpty
                ? "The request names no operation."
                : "The operation \(name) is not one of those of \(title) that are served here\(words.hint).")
    }
}
