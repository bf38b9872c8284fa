import JSON

/// What a check asks of the rules of a model, such as `update Post`, and the rules that have no say in it: a trace is told of
/// those, too.
struct RuleQuestion: Sendable {
    let text: String
    /// The roles that are asked.
    private let asked: [RoleTest]
    /// All roles of the model.
    private let all: [RoleTest]

    init(_ text: String, asking asked: [RoleTest], among all: [RoleTest]) {
        self.text = text
        self.asked = asked
        self.all = all
    }

    /// Tells a trace what is asked, and which rules are not.
    func begin(_ trace: DecisionTrace, for caller: Caller) {
        trace.begin(text)
        guard !caller.isAdministrator else { return }
        let names = asked.map(\.name)
        for test in all {
            if !names.contains(where: { $0.utf8.elementsEqual(test.name.utf8) }) {
                trace.note(test.label, isMet: false, silence)
            } else if test.mode != caller.identity.mode {
                trace.note(test.label, isMet: false, "it is for callers of the mode \(test.mode.rawValue)")
            }
        }
    }

    private static let operations: [ByteText] = ["get", "list", "sync", "search", "create", "update", "delete"]

    private var silence: String {
        let verb = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        return Self.operations.contains(ByteText(verb))
            ? "\(verb) is not among its operations" : "it does not let anybody \(text)"
    }
}
