import GraphQL
import TestSupport

/// Makes documents that use everything the language has, with names that now and then fit `FuzzSchema`.
struct DocumentGenerator {
    var random: SeededRandom

    mutating func document() -> Document {
        var definitions: [Definition] = []
        for _ in 0...Int.random(in: 0...4, using: &random) { definitions.append(definition()) }
        return Document(definitions: definitions)
    }

    /// Operations and fragments only.
    mutating func executableDocument() -> Document {
        var definitions: [Definition] = [.operation(operation())]
        for _ in 0..<Int.random(in: 0...3, using: &random) { definitions.append(.fragment(fragment())) }
        return Document(definitions: definitions)
    }

    private mutating func definition() -> Definition {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: .operation(operation())
        case 3: .fragment(fragment())
        case 4:
            .schema(
                SchemaDefinition(
                    description: description(), directives: directives(isConstant: true),
                    operationTypes: [OperationTypeDefinition(operation: .query, type: name())]))
        case 5:
            .schemaExtension(
                SchemaDefinition(
                    directives: directives(isConstant: true),
                    operationTypes: [
                        OperationTypeDefinition(operation: random.pick(OperationType.allCases), type: name())
                    ]))
        case 6:
            .directive(
                DirectiveDefinition(
                    description: description(), name: name(), arguments: inputValues(),
                    isRepeatable: random.chance(2),
                    locations: [random.pick(DirectiveLocation.allCases)]
                        + random.some(12) { $0.pick(DirectiveLocation.allCases) }))
        case 7: typeExtension()
        default: .type(typeDefinition(description: description()))
        }
    }

    mutating func operation() -> OperationDefinition {
        OperationDefinition(
            description: random.chance(8) ? description() : nil, operation: random.pick(OperationType.allCases),
            name: random.chance(3) ? nil : name(), variableDefinitions: variableDefinitions(),
            directives: directives(isConstant: false), selectionSet: selectionSet(depth: 0))
    }

    private mutating func variableDefinitions() -> [VariableDefinition] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            VariableDefinition(
                description: random.chance(12) ? description() : nil, variable: name(), type: type(),
                defaultValue: random.chance(2) ? value(isConstant: true, depth: 0) : nil,
                directives: directives(isConstant: true))
        }
    }

    private mutating func fragment() -> FragmentDefinition {
        FragmentDefinition(
            description: random.chance(8) ? description() : nil, name: name(), typeCondition: typeName(),
            directives: directives(isConstant: false), selectionSet: selectionSet(depth: 0))
    }

    private mutating func selectionSet(depth: Int) -> SelectionSet {
        SelectionSet((0...Int.random(in: 0...(depth > 4 ? 1 : 4), using: &random)).map { _ in selection(depth: depth) })
    }

    private mutating func selection(depth: Int) -> Selection {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .fragmentSpread(FragmentSpread(name: name(), directives: directives(isConstant: false)))
        case 1 where depth < 6:
            .inlineFragment(
                InlineFragment(
                    typeCondition: random.chance(3) ? nil : typeName(), directives: directives(isConstant: false),
                    selectionSet: selectionSet(depth: depth + 1)))
        default:
            .field(
                Field(
                    alias: random.chance(5) ? name() : nil, name: name(), arguments: arguments(isConstant: false),
                    directives: directives(isConstant: false),
                    selectionSet: depth < 6 && random.chance(2) ? selectionSet(depth: depth + 1) : []))
        }
    }

    private mutating func arguments(isConstant: Bool) -> [Argument] {
        guard random.chance(3) else { return [] }
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Argument(name: name(), value: value(isConstant: isConstant, depth: 0))
        }
    }

    private mutating func directives(isConstant: Bool) -> [Directive] {
        guard random.chance(4) else { return [] }
        return (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Directive(
                name: random.chance(2) ? Name(random.pick(["skip", "include"])) : name(),
                arguments: arguments(isConstant: isConstant))
        }
    }

    private mutating func value(isConstant: Bool, depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 3 ? 7 : 9), using: &random) {
        case 0 where !isConstant: .variable(name())
        case 1: .int(NumberValue(random.pick(["0", "-1", "7", "2147483648", "-0", "123456789012345678901234567890"])))
        case 2: .float(NumberValue(random.pick(["0.0", "-1.5", "1e3", "2.5E-10", "0e0"])))
        case 3: .string(string())
        case 4: .boolean(BooleanValue(random.chance(2)))
        case 5: .null(NullValue())
        case 7:
            .list(
                ListValue(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        value(isConstant: isConstant, depth: depth + 1)
                    }))
        case 8:
            .object(
                ObjectValue(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        ObjectField(name: name(), value: value(isConstant: isConstant, depth: depth + 1))
                    }))
        default: .enum(random.pick(["RED", "BIG", "SMALL", "on", "type"]))
        }
    }
}

extension DocumentGenerator {
    mutating func name() -> Name {
        random.pick(Self.names)
    }

    private static let names: [Name] =
        FuzzSchema.fieldNames + [
            "a", "b", "_1", "on_", "type", "query", "fragment", "input", "veryLongNameOfSomething",
        ]
    private static let typeNames: [Name] = FuzzSchema.typeNames + ["A", "B", "Query"]

    private mutating func typeName() -> Name { random.pick(Self.typeNames) }

    private mutating func type() -> TypeReference {
        var type = TypeReference(typeName())
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            if random.chance(2) { type = type.nonNull }
            type = type.list
        }
        return random.chance(2) ? type.nonNull : type
    }

    private mutating func description() -> StringValue? { random.chance(3) ? string() : nil }

    /// Any text in quotes; between triple quotes only what such quotes can say.
    private mutating func string() -> StringValue {
        let text = random.some(8) { $0.pick(Self.pieces) }.joined()
        return StringValue(text, isBlock: random.chance(2) && Self.isBlockText(text))
    }

    private static let pieces = [
        "", "a", "word", " ", "  ", "\n", "\n\n", "\"", "\"\"\"", "\\", "é", "😀", "\t", "#", "{", "\u{1}", "\u{7F}",
        "\\u0041",
    ]

    /// Whether reading a block string can give the text: no blank line at either end, and some line without
    /// indentation, unless it has one line only.
    private static func isBlockText(_ text: String) -> Bool {
        func isBlank(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " || $0 == "\t" } }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, let last = lines.last else { return true }
        if text.isEmpty { return true }
        guard !isBlank(first), !isBlank(last) else { return false }
        return lines.count == 1 || lines.contains { !isBlank($0) && $0.first != " " && $0.first != "\t" }
    }

    private mutating func inputValues() -> [InputValueDefinition] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in inputValue() }
    }

    private mutating func inputValue() -> InputValueDefinition {
        InputValueDefinition(
            description: random.chance(5) ? description() : nil, name: name(), type: type(),
            defaultValue: random.chance(3) ? value(isConstant: true, depth: 0) : nil,
            directives: directives(isConstant: true))
    }

    private mutating func fields() -> [FieldDefinition] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            FieldDefinition(
                description: description(), name: name(), arguments: inputValues(), type: type(),
                directives: directives(isConstant: true))
        }
    }

    private mutating func typeDefinition(description: StringValue?) -> TypeDefinition {
        let directives = directives(isConstant: true)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .scalar(ScalarTypeDefinition(description: description, name: name(), directives: directives))
        case 1:
            return .object(
                ObjectTypeDefinition(
                    description: description, name: name(), interfaces: random.some(3) { $0.pick(["I", "J"]) },
                    directives: directives, fields: fields()))
        case 2:
            return .interface(
                InterfaceTypeDefinition(
                    description: description, name: name(), interfaces: random.some(3) { $0.pick(["I", "J"]) },
                    directives: directives, fields: fields()))
        case 3:
            return .union(
                UnionTypeDefinition(
                    description: description, name: name(), directives: directives,
                    members: random.some(14) { $0.pick(["MemberOne", "MemberTwo"]) }))
        case 4:
            let values = random.some(4) { EnumValueDefinition(name: $0.pick(["RED", "GREEN", "on"])) }
            return .enum(
                EnumTypeDefinition(description: description, name: name(), directives: directives, values: values))
        default:
            return .inputObject(
                InputObjectTypeDefinition(
                    description: description, name: name(), directives: directives, fields: inputValues()))
        }
    }

    private mutating func typeExtension() -> Definition {
        let directive = [Directive(name: name())]
        switch typeDefinition(description: nil) {
        case .scalar(var type):
            type.directives = directive
            return .typeExtension(.scalar(type))
        case .object(var type):
            type.directives = directive
            return .typeExtension(.object(type))
        case .interface(var type):
            type.directives = directive
            return .typeExtension(.interface(type))
        case .union(var type):
            type.directives = directive
            return .typeExtension(.union(type))
        case .enum(var type):
            type.directives = directive
            return .typeExtension(.enum(type))
        case .inputObject(var type):
            type.directives = directive
            return .typeExtension(.inputObject(type))
        }
    }
}

/// The schema that random documents are validated against.
enum FuzzSchema {
    static let fieldNames: [Name] = ["user", "friends", "name", "size", "colour", "node", "search"]
    static let typeNames: [Name] = ["User", "Node", "Found", "Colour", "Filter", "Int", "String"]
    static let schema = testSchema(
        """
        type Query { user(name: String!, size: Int): User friends(a: Filter, b: [Int!]): [User!]! node: Node search: [Found] a: Int }
        type Mutation { user(name: Filter): User b: Query }
        type Subscription { user(name: String): User }
        interface Node { name: String node: Node a(b: Int = 1): Int }
        type User implements Node { name: String node: Node a(b: Int = 1, type: String): Int friends: [User] colour: Colour size: Float }
        type B { name: Int a: B user: User }
        union Found = User | B
        enum Colour { RED BIG SMALL }
        input Filter { a: Filter b: [Int!] name: String size: Float = 1.5 colour: Colour type: AWSDateTime }
        """)
}
