import Blueprint
import Project

/// A rule of `allow`.
final class RuleBuilder: Builder {
    /// Where the `allow` stands that makes a rule: it decides which rules there are.
    enum Place: String {
        case schema, model, field, operation, conversation
    }

    enum Strategy: String {
        case everyone = "public"
        case signedIn = "private"
        case owner, groups, custom, resource
    }

    let call: String
    let place: Place
    let strategy: Strategy
    let provider: String?
    var field: String?
    var isFieldList = false
    @Late var groups: [String]?
    @Late var operations: [String]?
    /// True if `.to([...])` was called.
    private var isLimited = false
    var claim: String?
    /// What `allow.resource` names.
    var function: FunctionReference?

    init(call: String, place: Place, strategy: Strategy, provider: String?) {
        self.call = call
        self.place = place
        self.strategy = strategy
        self.provider = provider
    }

    override var label: String { "allow.\(call)(...)" }
    override var surface: BuilderSurface {
        guard place != .operation else { return .none }
        return switch strategy {
        case .owner: Self.ofOwners
        case .groups: Self.ofGroups
        default: Self.ofOthers
        }
    }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $groups.read()
        try $operations.read()
        return []
    }

    private static let ofOwners = all.without("withClaimIn")
    private static let ofGroups = all.without("identityClaim")
    private static let ofOthers = all.only("to")

    private static let all = BuilderSurface([
        .modifier("to") { (rule: RuleBuilder, arguments) throws(TypeScriptError) in
            guard !rule.isLimited || rule.strategy == .resource else {
                throw arguments.error("`.to()` may be called once on \(rule.label)")
            }
            rule.isLimited = true
            rule.$operations.keep { () throws(TypeScriptError) in try arguments.texts(0).map(\.text) }
        },
        .modifier("identityClaim") { (rule: RuleBuilder, arguments) throws(TypeScriptError) in
            rule.claim = try arguments.filledText(0)
        },
        .modifier("withClaimIn") { (rule: RuleBuilder, arguments) throws(TypeScriptError) in
            rule.claim = try arguments.filledText(0)
        },
    ])
}
