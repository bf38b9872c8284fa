import Blueprint

/// `allow.guest` and the like in the `access` of `defineStorage`, with what `.to([...])` lets them do.
final class StorageRuleBuilder: Builder {
    let who: StorageResource.Who
    var actions: [PlacedText]?

    init(_ who: StorageResource.Who) {
        self.who = who
    }

    override var label: String { "a rule for files" }
    override var surface: BuilderSurface { Self.all }

    private static let all = BuilderSurface([
        .modifier("to") { (rule: StorageRuleBuilder, arguments) throws(TypeScriptError) in
            rule.actions = try arguments.texts(0)
        }
    ])
}
