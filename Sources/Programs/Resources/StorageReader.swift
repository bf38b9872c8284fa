import Blueprint
import GraphQL
import Project

/// Reads what `defineStorage` is given. What Amplify itself refuses is refused in its words.
struct StorageReader {
    private let members: MemberReader
    private let errors: ResourceErrors

    init(_ object: ObjectArgument, _ errors: ResourceErrors) {
        members = MemberReader(object, "defineStorage", errors)
        self.errors = errors
    }

    /// The resource; nil where it has no name.
    func read() -> StorageResource? {
        let name = members.neededText("name")
        var storage = StorageResource(name: name ?? "")
        storage.isDefault = members.flag("isDefault") ?? false
        storage.isVersioned = members.flag("versioned") ?? false
        _ = members.flag("keepOnDelete")
        if let triggers = members.members("triggers") {
            storage.onUpload = triggers.function("onUpload")
            storage.onDelete = triggers.function("onDelete")
            triggers.finish()
        }
        storage.access = access()
        members.finish()
        return name == nil ? nil : storage
    }

    private func access() -> [StorageResource.Path]? {
        guard let paths = members.paths("access") else { return nil }
        for fault in StoragePaths.faults(paths.map(\.path)) {
            let place = paths.first { $0.path == fault.path }?.position
            errors.add(TypeScriptError(fault.message, at: place ?? Position.none, hint: fault.hint))
        }
        return paths.map { path in
            var names: [String] = []
            let rules = path.rules.compactMap { rule in
                self.rule(rule.builder, at: rule.position, &names)
            }
            return StorageResource.Path(path: path.path, rules: rules)
        }
    }

    /// A rule. The names are of those that the path has a rule for already.
    private func rule(
        _ builder: StorageRuleBuilder, at position: Position, _ names: inout [String]
    ) -> StorageResource.Rule? {
        let words = StorageResource.Action.allCases.map(\.rawValue)
        var actions: [StorageResource.Action] = []
        let (written, who): ([PlacedText]?, StorageResource.Who)
        do throws(TypeScriptError) {
            (written, who) = (try builder.actions(), try builder.who())
        } catch {
            errors.add(error)
            return nil
        }
        for word in written ?? [] {
            if let action = StorageResource.Action(rawValue: word.text) {
                actions.append(action)
            } else {
                errors.add(
                    TypeScriptError(
                        "there is no action \"\(word.text.prefix(80))\": they are \(words.joined(separator: ", "))",
                        at: word.position, hint: NearestName.of(word.text, in: words).map { "Did you mean \($0)?" }))
            }
        }
        guard let written, !written.isEmpty else {
            errors.add(
                TypeScriptError(
                    "At least one permission must be specified", at: position,
                    hint: "Write allow.authenticated.to(['read'])."))
            return nil
        }
        if actions.contains(.read), actions.contains(.get) || actions.contains(.list) {
            errors.add(
                TypeScriptError(
                    "`read` stands for `get` and `list`, and cannot stand beside them", at: position,
                    hint: "Write `read` alone, or without it `get` and `list`."))
        }
        for (name, people) in Self.names(of: who) {
            if names.contains(name) {
                errors.add(
                    TypeScriptError(
                        "\(people) specified multiple times.", at: position,
                        hint: "Combine all access definitions on a single path into one access rule."))
            }
            names.append(name)
        }
        return StorageResource.Rule(who: who, actions: actions)
    }

    /// What a rule's people are called in the outputs, and in messages.
    private static func names(of who: StorageResource.Who) -> [(name: String, people: String)] {
        switch who {
        case .guest: [("guest", "Entity access definition for guest users")]
        case .authenticated: [("authenticated", "Entity access definition for authenticated users")]
        case .owner: [("entityidentity", "Entity access definition for identity")]
        case .groups(let groups): groups.map { ("groups\($0)", "Group access definition for \($0)") }
        case .function: []
        }
    }
}
