import GraphQL

/// The arguments of one call, as builders need them.
///
/// This file and `ObjectArgument` are where builders meet the values of the language. All that comes after them knows texts,
/// numbers, builders and places.
struct BuilderArguments {
    let evaluator: ScriptEvaluator
    /// The name of the function that is called.
    let function: String
    let position: Position
    private let values: [PlacedValue]

    init(_ values: [PlacedValue], of method: NativeMethod, _ evaluator: ScriptEvaluator) {
        self.values = values
        self.evaluator = evaluator
        function = method.name
        position = method.position
    }

    var count: Int { values.count }

    func position(of index: Int) -> Position { index < values.count ? values[index].position : position }

    private func value(_ index: Int) -> PlacedValue {
        index < values.count ? values[index] : PlacedValue(value: .undefined, position: position)
    }

    func error(_ message: String, at position: Position? = nil) -> TypeScriptError {
        TypeScriptError(message, at: position ?? self.position)
    }

    private func wrong(_ placed: PlacedValue, expected: String, hint: String? = nil) -> TypeScriptError {
        if case .opaque(let opaque) = placed.value { return opaque.error }
        return TypeScriptError(
            "`\(function)` takes \(expected), found \(placed.value.description)", at: placed.position, hint: hint)
    }

    // MARK: Texts and numbers

    func isUndefined(_ index: Int) -> Bool { if case .undefined = value(index).value { true } else { false } }
    func isNull(_ index: Int) -> Bool { if case .null = value(index).value { true } else { false } }

    func text(_ index: Int) throws(TypeScriptError) -> PlacedText {
        let placed = value(index)
        guard let text = placed.value.string else { throw wrong(placed, expected: "a text") }
        return PlacedText(text: text, position: placed.position)
    }

    /// A text argument. An empty one is as good as none.
    func filledText(_ index: Int) throws(TypeScriptError) -> String? {
        if value(index).value.isNothing { return nil }
        let text = try text(index).text
        return text.isEmpty ? nil : text
    }

    /// A list of texts.
    func texts(_ index: Int, orOne: Bool = false) throws(TypeScriptError) -> [PlacedText] {
        let placed = value(index)
        if orOne, let text = placed.value.string { return [PlacedText(text: text, position: placed.position)] }
        guard let list = placed.value.list else {
            throw wrong(placed, expected: orOne ? "a text or a list of texts" : "a list of texts")
        }
        var found: [PlacedText] = []
        for element in list.elements {
            guard let text = element.value.string else { throw wrong(element, expected: "a list of texts") }
            found.append(PlacedText(text: text, position: element.position))
        }
        return found
    }

    func number(_ index: Int) throws(TypeScriptError) -> Double {
        guard case .number(let number) = value(index).value else { throw wrong(value(index), expected: "a number") }
        return number
    }

    /// What a default is: its text, as JavaScript writes it.
    func standard(_ index: Int) throws(TypeScriptError) -> FieldBuilder.Standard {
        let placed = value(index)
        switch placed.value {
        case .undefined: return .generated
        case .boolean, .number, .string: return .text(try evaluator.text(of: placed))
        case .opaque(let opaque): return .refused(opaque.error)
        default:
            return .refused(
                error(
                    "a default is a text, number or boolean, found \(placed.value.description)", at: placed.position))
        }
    }

    // MARK: Objects, lists and builders

    func object(_ index: Int) throws(TypeScriptError) -> ObjectArgument {
        let placed = value(index)
        guard let object = placed.value.object else { throw wrong(placed, expected: "an object") }
        return ObjectArgument(object, at: placed.position, evaluator)
    }

    /// The same of an argument that may be anything.
    func optionalObject(_ index: Int) -> ObjectArgument? {
        value(index).value.object.map { ObjectArgument($0, at: value(index).position, evaluator) }
    }

    func given(_ index: Int) -> PlacedGiven { PlacedGiven(value(index)) }

    /// The members of an object argument. What they are is looked at when the schema is put together.
    func parts(_ index: Int) throws(TypeScriptError) -> [NamedPart] { try object(index).parts() }

    /// The elements of a list argument.
    func elements(_ index: Int) throws(TypeScriptError) -> [PlacedGiven] {
        guard let list = value(index).value.list else { throw wrong(value(index), expected: "a list") }
        return list.elements.map { PlacedGiven($0) }
    }

    /// One builder, or a list of them.
    func builders<Kind: Builder>(_ index: Int, _ expected: String) throws(TypeScriptError) -> [Kind] {
        let elements = value(index).value.list?.elements ?? [value(index)]
        var found: [Kind] = []
        for element in elements { found.append(try PlacedGiven(element).builder(expected)) }
        return found
    }

    /// The function that an argument stands for.
    func functionTarget(_ index: Int) -> FunctionTarget { FunctionTarget(value(index)) }

    // MARK: Callbacks

    /// What a callback is given to work with.
    enum Tool {
        case allow(RuleBuilder.Place)
        case index
        case validator(FieldBuilder)
        case models(SchemaBuilder)
        case schema(SchemaBuilder)
    }

    /// What the callback that is the first argument gives: the elements of a list, or one value.
    func callback(_ tools: Tool..., hint: String? = nil) throws(TypeScriptError) -> [PlacedGiven] {
        try results(of: tools, hint: hint).map { PlacedGiven($0) }
    }

    /// The same for a callback that gives a list of pairs.
    func pairs() throws(TypeScriptError) -> [(PlacedGiven, PlacedGiven)] {
        var pairs: [(PlacedGiven, PlacedGiven)] = []
        for element in try results(of: [], hint: nil) {
            guard let names = element.value.list?.elements, names.count == 2 else {
                throw error("expected a list of an old and a new name", at: element.position)
            }
            pairs.append((PlacedGiven(names[0]), PlacedGiven(names[1])))
        }
        return pairs
    }

    private func results(of tools: [Tool], hint: String?) throws(TypeScriptError) -> [PlacedValue] {
        let callback = value(0)
        switch callback.value {
        case .function, .method: break
        default: throw wrong(callback, expected: "a function", hint: hint)
        }
        let place = callback.position
        let values = tools.map { PlacedValue(value: value(of: $0), position: place) }
        let result = try evaluator.call(callback.value, values, at: place)
        return result.list?.elements ?? [PlacedValue(value: result, position: place)]
    }

    private func value(of tool: Tool) -> ScriptValue {
        switch tool {
        case .allow(let place): .native(NativeObject(kind: .allow(place), name: "allow"))
        case .index: .method(NativeMethod(receiver: .none, name: "index", position: position))
        case .validator(let field): .native(NativeObject(kind: .validator(field), name: "v"))
        case .models(let schema): .native(NativeObject(kind: .schemaParts(schema), name: "models"))
        case .schema(let schema): .builder(schema)
        }
    }
}

extension PlacedGiven {
    init(_ placed: PlacedValue) {
        position = placed.position
        value =
            switch placed.value {
            case .builder(let builder): .builder(builder)
            case .string(let text): .text(text)
            case .opaque(let opaque): .refused(opaque.error)
            default: .other(placed.value.description)
            }
    }
}

extension ScriptValue {
    /// What the program sees of a part of a schema.
    init(_ given: PlacedGiven) {
        self =
            switch given.value {
            case .builder(let builder): .builder(builder)
            case .text(let text): .string(text)
            case .refused(let error): .opaque(OpaqueValue(error))
            case .other(let description):
                .opaque(OpaqueValue(TypeScriptError("\(description) is no builder", at: given.position)))
            }
    }

    /// What can be read from a builder by that name; nil when it has nothing of the kind.
    init?(property: String, of builder: Builder) {
        switch builder {
        case let list as EnumBuilder:
            let values = list.values.map { PlacedValue(value: .string($0.text), position: $0.position) }
            self = .list(ScriptList(values))
        case let model as ModelBuilder: self = .native(NativeObject(kind: .modelFields(model), name: property))
        case let schema as SchemaBuilder: self = .native(NativeObject(kind: .schemaParts(schema), name: property))
        case let combined as CombinedBuilder:
            let schemas = combined.schemas.map { PlacedValue(value: ScriptValue($0), position: $0.position) }
            self = .list(ScriptList(schemas))
        default: return nil
        }
    }
}

extension FunctionTarget {
    fileprivate init(_ placed: PlacedValue) {
        switch placed.value {
        case .string(let name): self = .name(name)
        case .opaque(let opaque): self = .function(opaque.function ?? FunctionReference())
        default: self = .other
        }
    }
}

/// An object among the arguments of a call, of which members are asked by name.
struct ObjectArgument {
    let position: Position
    private let object: ScriptObject
    private let evaluator: ScriptEvaluator

    init(_ object: ScriptObject, at position: Position, _ evaluator: ScriptEvaluator) {
        self.object = object
        self.position = position
        self.evaluator = evaluator
    }

    var names: [String] { object.members.map(\.name) }

    /// The value of a member; nil when it is not there, or nothing.
    private func member(_ name: String) -> PlacedValue? {
        guard let value = object[name]?.value, !value.value.isNothing else { return nil }
        return value
    }

    func has(_ name: String) -> Bool { member(name) != nil }
    func position(of name: String) -> Position { member(name)?.position ?? position }
    func text(_ name: String) -> String? { member(name)?.value.string }
    func number(_ name: String) -> Double? {
        if case .number(let number)? = member(name)?.value { number } else { nil }
    }

    func object(_ name: String) -> ObjectArgument? {
        member(name)?.value.object.map { ObjectArgument($0, at: position(of: name), evaluator) }
    }

    /// What stands there, when there is anything at all.
    func given(_ name: String) -> PlacedGiven? { member(name).map { PlacedGiven($0) } }

    func functionTarget(_ name: String) -> FunctionTarget? { member(name).map { FunctionTarget($0) } }

    /// The elements of a list that are objects; nil in place of others.
    func objects(_ name: String) -> [(object: ObjectArgument?, position: Position)]? {
        member(name)?.value.list?.elements.map { element in
            (element.value.object.map { ObjectArgument($0, at: element.position, evaluator) }, element.position)
        }
    }

    func elements(_ name: String) -> [PlacedGiven]? { member(name)?.value.list?.elements.map { PlacedGiven($0) } }

    /// All members, with what getters give.
    func parts() throws(TypeScriptError) -> [NamedPart] {
        var found: [NamedPart] = []
        for member in object.members {
            let value = try evaluator.value(of: member)
            found.append(NamedPart(name: member.name, position: member.position, value: PlacedGiven(value)))
        }
        return found
    }

    /// The functions among the members that are known as such.
    var functions: [(name: String, function: FunctionReference)] {
        object.members.compactMap { member in
            guard case .opaque(let opaque) = member.value.value else { return nil }
            return (member.name, opaque.function ?? FunctionReference())
        }
    }
}
