import Blueprint
import Project

/// `allow.guest` and the like in the `access` of `defineStorage`, or a rule that `.to([...])` makes of it. Lists that the program
/// gives are read when the rule is.
final class StorageRuleBuilder: Builder {
    /// Whom the program names.
    enum People {
        case known(StorageResource.Who)
        /// `allow.groups([...])`
        case groups(BuilderArguments)
    }

    private let people: People
    /// What `.to` was given; nil: it was not called.
    private let given: BuilderArguments?

    init(_ people: People, _ given: BuilderArguments? = nil) {
        self.people = people
        self.given = given
    }

    func who() throws(TypeScriptError) -> StorageResource.Who {
        switch people {
        case .known(let who): who
        case .groups(let arguments): .groups(try arguments.texts(0).map(\.text))
        }
    }

    /// What the people may do; nil: the rule does not say.
    func actions() throws(TypeScriptError) -> [PlacedText]? { try given?.texts(0) }

    override var label: String { "a rule for files" }
    override var surface: BuilderSurface { given == nil ? Self.people : .none }

    private static let people = BuilderSurface([
        .maker("to") { (rule: StorageRuleBuilder, arguments) throws(TypeScriptError) in
            StorageRuleBuilder(.known(try rule.who()), arguments)
        }
    ])
}
