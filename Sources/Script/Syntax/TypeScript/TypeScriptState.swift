/// What is remembered of TypeScript's part of a file while it is read.
struct TypeScriptState {
    /// A conditional type may not be read now: its `?` belongs to the one around.
    var hasNoConditionalTypes = false
    /// Where a `:` behind parentheses turned out to be no return type, by offset.
    var colonsWithoutType: Set<Int32> = []
    /// Names of interfaces, aliases and namespaces without values.
    var typeNames: Set<Name> = []
    /// `constructor(private name)`: what becomes a property, by the constructor.
    private var parameterProperties: [ObjectIdentifier: [ParameterProperty]] = [:]
    /// `import name = a.b`, which is left out where nothing uses it, by its statement's number in the list.
    var aliases: [Alias] = []
    /// Members of the enums that were read, and what is known of their values.
    var enums: [Name: [Name: EnumConstant]] = [:]
    /// What namespaces export so far, by their names from the outermost on.
    var namespaceExports: [[Name]: [Name]] = [:]
    var namespacePath: [Name] = []
    /// The enum or namespace read last, where it is another part of one that was declared before.
    var lastMerged: Name?
    /// So that every namespace's object has a name of its own.
    var objectCount = 0

    struct ParameterProperty {
        var name: Name
        var place: Place
    }

    struct Alias {
        var name: Name
        var root: Name
        var statement: Int
        var isNeeded: Bool
    }

    mutating func addParameterProperty(_ name: Name, at place: Place, of function: FunctionNode) {
        parameterProperties[ObjectIdentifier(function), default: []].append(
            ParameterProperty(name: name, place: place))
    }

    mutating func takeParameterProperties(of function: FunctionNode) -> [ParameterProperty] {
        parameterProperties.isEmpty ? [] : parameterProperties.removeValue(forKey: ObjectIdentifier(function)) ?? []
    }
}
