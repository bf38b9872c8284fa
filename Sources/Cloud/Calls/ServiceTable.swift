import Access
import JSON
import Threads

/// A service of AWS: how its calls are recognised and written, and its operations as rows.
package final class ServiceTable: Sendable {
    /// As people call it: `EventBridge`.
    package let title: String
    /// As signatures and policies call it: `events`.
    package let service: String
    /// As the newer SDK for Java calls it, whose names tasks of state machines use: `EventBridge`. Nil: it is its title.
    package let sdk: String
    /// The word before the point of `x-amz-target`: `AWSEvents`. Empty: its calls have no such field.
    package let target: String
    /// The version of the JSON protocol: `1.0` or `1.1`.
    package let version: String
    /// Nil: the service has no protocol of forms.
    package let form: FormWire?
    /// The starts of the paths by which calls are known: `/v2/email/`. Empty: the service has no protocol of paths.
    let pathStarts: [String]
    /// True if it has other calls at such paths, which are not served: its calls are known by whole paths, signed or not.
    package let isPartial: Bool
    /// How long a body may be, and what may be in it.
    package let limits: JSONLimits
    package let words: ServiceWords
    /// True if all calls are read and answered beside the loop: their bodies and answers are long.
    package let isBesideLoop: Bool
    private let made = MadeOnce<ServiceRows>()
    private let make: @Sendable () -> [CloudOperation]

    /// - Parameters:
    ///   - version: that of the JSON protocol.
    ///   - pathStarts: the starts of all paths of its operations.
    ///   - isPartial: whether other calls at such paths are somebody else's.
    ///   - operations: its rows, which are made for the first call.
    package init(
        _ title: String, service: String, sdk: String? = nil, target: String = "", json version: String = "",
        form: FormWire? = nil, paths pathStarts: [String] = [], isPartial: Bool = false, isBesideLoop: Bool = false,
        _ limits: JSONLimits,
        _ words: ServiceWords = ServiceWords(),
        _ operations: @autoclosure @escaping @Sendable () -> [CloudOperation]
    ) {
        (self.title, self.service, self.sdk, self.target) = (title, service, sdk ?? title, target)
        (self.version, self.form, self.pathStarts, self.limits) = (version, form, pathStarts, limits)
        (self.words, self.isBesideLoop, self.isPartial) = (words, isBesideLoop, isPartial)
        make = operations
    }

    private var operations: ServiceRows { made.object(orMake: { ServiceRows(make()) }) }

    package var rows: [CloudOperation] { operations.byName.values.sorted { ByteText($0.name) < ByteText($1.name) } }

    package func operation(named name: String) -> CloudOperation? { operations.byName[name] }

    /// True if some operations wait for something to come.
    var waits: Bool { operations.waits }

    /// True if its members begin with a small letter.
    package var hasSmallNames: Bool { operations.hasSmallNames }

    /// The rows that have paths.
    var placed: [CloudOperation] { operations.placed }

    /// True if forms are its only protocol.
    package var isOfForms: Bool { form != nil && target.isEmpty && pathStarts.isEmpty }

    /// The name that policies have for an operation.
    func action(of name: String) -> String { operation(named: name)?.action ?? name }

    /// The callers that an operation answers.
    func callers(of name: String) -> CallAudience { operation(named: name)?.callers ?? operations.unknownCallers }

    /// The rights that the caller of an operation needs.
    package func rights(of name: String, _ input: CallInput) -> [RightsDemand] {
        let action = "\(service):\(action(of: name))"
        return operation(named: name)?.rights?(action, input) ?? [RightsDemand(action, .all(of: service))]
    }

    /// Answers a call whose caller may make it: checks its members, and runs it.
    package func answer(
        _ name: String, _ input: JSONValue, from origin: CallOrigin = CallOrigin()
    ) async throws(CloudError) -> JSONObject {
        guard let members = input.object else { throw words.unreadable("The body is no JSON object.") }
        return try await checked(name, members).run(CloudCall(CallInput(members), from: origin))
    }

    /// The operation of a call with such members.
    func checked(_ name: String, _ members: JSONObject) throws(CloudError) -> CloudOperation {
        guard let operation = operation(named: name) else { throw unknown(name) }
        try MemberCheck.run(operation.members, on: members, in: words)
        return operation
    }

    func unknown(_ name: String) -> CloudError {
        let noun = isOfForms ? "action" : "operation"
        return CloudError(
            "UnknownOperationException", code: "InvalidAction",
            name.isEmpty
                ? "The request names no \(noun)."
                : "The \(noun) \(name) is not one of those of \(title) that are served here\(words.hint).",
            status: pathStarts.isEmpty ? 400 : 404)
    }
}

/// The rows of a service, and what all of them together say of it.
private final class ServiceRows: Sendable {
    let byName: [ByteText: CloudOperation]
    let placed: [CloudOperation]
    let waits: Bool
    let hasSmallNames: Bool
    /// The callers who learn that an operation is unknown.
    let unknownCallers: CallAudience

    init(_ operations: [CloudOperation]) {
        unknownCallers = operations.contains { $0.callers == .entitled } ? .entitled : .signed
        waits = operations.contains { $0.isWaiting }
        hasSmallNames = operations.allSatisfy { row in
            row.members.allSatisfy { $0.name.utf8.first?.isLowercase == true }
        }
        placed = operations.filter { $0.path != nil }
        byName = Dictionary(texts: operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
