import GraphQL

/// The names that directives give to parts of the API. Amplify's transformer takes any text; AppSync does not.
extension SDLReading {
    /// The arguments in which every text becomes a name. An empty one means none.
    private static let arguments: [String: [String]] = [
        "model": ["queries", "mutations", "subscriptions", "timestamps"],
        "index": ["queryField"],
        "key": ["queryField"],
        "searchable": ["queries"],
    ]
    /// The members of an `@auth` rule that name fields, which are added when there are none.
    private static let ruleMembers: Set = ["ownerField", "groupsField"]

    mutating func checkGivenNames() {
        for (directive, arguments) in Self.arguments.sorted(by: { $0.key < $1.key }) {
            for use in schema.uses[directive] ?? [] {
                for argument in arguments {
                    if let value = use.directive.argument(argument) { checkNames(in: value) }
                }
            }
        }
        for use in schema.uses["auth"] ?? [] {
            for case .object(let rule) in use.directive.argument("rules")?.items ?? [] {
                for member in rule.fields where Self.ruleMembers.contains(member.name.text) {
                    checkNames(in: member.value)
                }
            }
        }
    }

    private mutating func checkNames(in value: Value) {
        switch value {
        case .string(let string): check(string)
        case .list(let list): for item in list.values { checkNames(in: item) }
        case .object(let object): for field in object.fields { checkNames(in: field.value) }
        default: break
        }
    }

    private mutating func check(_ name: StringValue) {
        guard !name.value.isEmpty, !Names.isName(name.value) else { return }
        log.error(
            "Names must match /^[_a-zA-Z][_a-zA-Z0-9]*$/ but \"\(name.value)\" does not.", at: name.position,
            step: .resolvers(.auth), hint: "A name has letters, digits and underscores, and no digit first.")
    }
}

extension Value {
    /// The items of a list; another value is a list of one.
    var items: [Value] {
        if case .list(let list) = self { return list.values }
        return [self]
    }
}
