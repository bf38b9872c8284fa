import Blueprint
import GraphQL
import JSON

/// Which callers AppSync admits to a field, before any rule: what `@aws_*` on the field says, else on its type, else
/// the API's default mode.
package struct FieldGate: Sendable, Equatable {
    /// The modes that are admitted, a bit each.
    private var modes: UInt8 = 0
    /// The groups that callers of the user pool must be in; nil: any or none.
    private var groups: [ByteText]?
    /// `Type.field`, as an authorizer names denied fields.
    private let coordinate: String

    /// The gate of a field that only the default mode may ask for.
    init(_ mode: AuthMode, coordinate: String) {
        self.coordinate = coordinate
        modes = mode.bit
    }

    /// The gate that directives make; nil when none of them is AppSync's.
    init?(_ directives: [Directive], coordinate: String) {
        self.coordinate = coordinate
        var isFound = false
        var isAnyGroup = false
        var named: [String] = []
        for directive in directives {
            let name = directive.name.text
            let mode = name == Self.singleModeName ? .userPools : AuthMode.allCases.first { $0.directiveName == name }
            guard let mode else { continue }
            isFound = true
            modes |= mode.bit
            guard mode == .userPools else { continue }
            if let groups = directive.argument("cognito_groups").map(Self.texts) {
                named += groups
            } else {
                isAnyGroup = true
            }
        }
        guard isFound else { return nil }
        groups = isAnyGroup || modes & AuthMode.userPools.bit == 0 ? nil : named.map { ByteText($0) }
    }

    /// The older directive, for APIs whose single mode is a user pool.
    private static let singleModeName = "aws_auth"

    private static func texts(_ value: Value) -> [String] {
        switch value {
        case .string(let text): [text.value]
        case .list(let list):
            list.values.compactMap { if case .string(let text) = $0 { text.value } else { nil } }
        default: []
        }
    }

    /// The same gate for another field of the type.
    func with(coordinate: String) -> FieldGate {
        var gate = FieldGate(.apiKey, coordinate: coordinate)
        gate.modes = modes
        gate.groups = groups
        return gate
    }

    /// The same gate, which admits another mode too.
    func admitting(_ mode: AuthMode) -> FieldGate {
        var gate = self
        gate.modes |= mode.bit
        return gate
    }

    /// Returns whether the caller may ask for the field. Whoever runs the API may ask for everything.
    package func admits(_ caller: Caller) -> Bool {
        if caller.isAdministrator { return true }
        let identity = caller.identity
        let isAdmitted = modes & identity.mode.bit != 0 && isInGroup(identity)
        guard isAdmitted else {
            caller.trace?.begin("ask for \(coordinate)")
            caller.trace?.note("AppSync's directives", isMet: false, explanation(for: identity))
            return false
        }
        guard let authorizer = identity.authorizer, !authorizer.deniedFields.isEmpty else { return true }
        let isDenied = authorizer.deniedFields.contains(coordinate)
        if isDenied { caller.trace?.begin("ask for \(coordinate)") }
        if isDenied { caller.trace?.note("the authorizer", isMet: false, "\(coordinate) is a denied field") }
        return !isDenied
    }

    private func explanation(for identity: Identity) -> String {
        let admitted = AuthMode.allCases.filter { modes & $0.bit != 0 }.map(\.rawValue).joined(separator: ", ")
        guard modes & identity.mode.bit != 0, let groups else {
            return "they admit the modes \(admitted), the caller's is \(identity.mode.rawValue)"
        }
        return "they admit the groups \(groups), the caller's are \(identity.token?.groups ?? [])"
    }

    private func isInGroup(_ identity: Identity) -> Bool {
        guard let groups, identity.mode == .userPools else { return true }
        return identity.token.map { token in groups.contains { token.groups.contains($0) } } ?? false
    }
}

extension AuthMode {
    /// Where the mode stands in tables by mode.
    var number: Int {
        switch self {
        case .apiKey: 0
        case .iam: 1
        case .oidc: 2
        case .userPools: 3
        case .lambda: 4
        }
    }

    static let count = 5

    var bit: UInt8 { 1 << UInt8(number) }
}
