import Blueprint
import GraphQL
import Project
import Script

/// The arguments of one call, as builders need them.
///
/// This file is where builders meet the values of the language. All that comes after it knows texts, numbers, builders and
/// places.
struct BuilderArguments {
    /// The function's name.
    let function: String
    /// Where it is called.
    let position: Position
    private let values: [ProgramValue]
    // Builders keep arguments until the schema is made; the run and its realm keep the builders.
    private unowned let run: ProgramRun
    private unowned let realm: Realm
    private let places: ArgumentPlaces

    init(
        _ values: [ProgramValue], of function: String, at position: Position, _ run: ProgramRun, _ realm: Realm
    ) {
        self.values = values
        self.function = function
        self.position = position
        self.run = run
        self.realm = realm
        places = ArgumentPlaces(function, position, run.files)
    }

    var count: Int { values.count }

    func position(of index: Int) -> Position { places.position(of: literal(index)) }

    private func literal(_ index: Int) -> LiteralPlaces.Literal? {
        places.literals.indices.contains(index) ? places.literals[index] : nil
    }

    /// The argument itself; what it holds may change later.
    func value(_ index: Int) -> ProgramValue { index < values.count ? values[index] : .undefined }

    func error(_ message: String, at position: Position? = nil) -> TypeScriptError {
        TypeScriptError(message, at: position ?? self.position)
    }

    private func wrong(_ given: PlacedGiven, expected: String, hint: String? = nil) -> TypeScriptError {
        if case .refused(let error) = given.value { return error }
        return TypeScriptError(
            "`\(function)` takes \(expected), found \(given.value.description)", at: given.position, hint: hint)
    }

    // MARK: Texts and numbers

    func isUndefined(_ index: Int) -> Bool { value(index).isUndefined }
    func isNull(_ index: Int) -> Bool { if case .null = value(index) { true } else { false } }

    func text(_ index: Int) throws(TypeScriptError) -> PlacedText {
        let given = given(index)
        guard case .text(let text) = given.value else { throw wrong(given, expected: "a text") }
        return PlacedText(text: text, position: given.position)
    }

    /// A text argument. An empty one is as good as none.
    func filledText(_ index: Int) throws(TypeScriptError) -> String? {
        if value(index).isNullish { return nil }
        let text = try text(index).text
        return text.isEmpty ? nil : text
    }

    /// A list of texts.
    func texts(_ index: Int, orOne: Bool = false) throws(TypeScriptError) -> [PlacedText] {
        if orOne, case .text = value(index) { return [try text(index)] }
        guard let list = try list(index) else {
            throw wrong(given(index), expected: orOne ? "a text or a list of texts" : "a list of texts")
        }
        var found: [PlacedText] = []
        for element in list {
            guard case .text(let text) = element.value else { throw wrong(element, expected: "a list of texts") }
            found.append(PlacedText(text: text, position: element.position))
        }
        return found
    }

    func number(_ index: Int) throws(TypeScriptError) -> Double {
        guard case .number(let number) = value(index) else { throw wrong(given(index), expected: "a number") }
        return number
    }

    /// What a default is: its text, as JavaScript writes it.
    func standard(_ index: Int) throws(TypeScriptError) -> FieldBuilder.Standard {
        switch value(index) {
        case .undefined: return .generated
        case .boolean(let value): return .text(value ? "true" : "false")
        case .number(let number): return .text(number.programText)
        default: break
        }
        let given = given(index)
        switch given.value {
        case .text(let text): return .text(text)
        case .refused(let error): return .refused(error)
        default:
            return .refused(
                error(
                    "a default is a text, number or boolean, found \(given.value.description)", at: given.position))
        }
    }

    // MARK: Objects, lists and builders

    func object(_ index: Int) throws(TypeScriptError) -> ObjectArgument {
        guard let object = optionalObject(index) else { throw wrong(given(index), expected: "an object") }
        return object
    }

    /// The same of an argument that may be anything.
    func optionalObject(_ index: Int) -> ObjectArgument? {
        ObjectArgument(value(index), literal(index), places, run)
    }

    func given(_ index: Int) -> PlacedGiven { PlacedGiven(value(index), at: position(of: index), run) }

    /// The members of an object argument. What they are is looked at when the schema is put together.
    func parts(_ index: Int) throws(TypeScriptError) -> [NamedPart] { try object(index).parts() }

    private func list(_ index: Int) throws(TypeScriptError) -> [PlacedGiven]? {
        try PlacedGiven.elements(of: value(index), literal(index), places, run)
    }

    /// The elements of a list argument.
    func elements(_ index: Int) throws(TypeScriptError) -> [PlacedGiven] {
        guard let list = try list(index) else { throw wrong(given(index), expected: "a list") }
        return list
    }

    /// One builder, or a list of them.
    func builders<Kind: Builder>(_ index: Int, _ expected: String) throws(TypeScriptError) -> [Kind] {
        var found: [Kind] = []
        for element in try list(index) ?? [given(index)] { found.append(try element.builder(expected)) }
        return found
    }

    /// The same call, with a copy in the place of an object argument: its members as they are now.
    func copiedObject(_ index: Int) throws(TypeScriptError) -> BuilderArguments {
        guard optionalObject(index) != nil, case .object(let object) = value(index) else { return self }
        let copy = realm.object()
        try run.reading("the object", at: position(of: index)) { () throws(Thrown) in
            for key in try object.enumerableKeys() { copy.put(realm.describe(key), try object.get(key)) }
        }
        var values = values
        values[index] = .object(copy)
        return BuilderArguments(values, of: function, at: position, run, realm)
    }

    /// An object with the models among the members of the first argument, as they are now.
    func models() throws(TypeScriptError) -> ProgramObject {
        let models = realm.object()
        guard case .object(let object) = value(0), !object.isOpaque, !(object is HostObject) else { return models }
        try run.reading("the object", at: position(of: 0)) { () throws(Thrown) in
            for key in try object.enumerableKeys() {
                let value = try object.get(key)
                if case .object(let member) = value, Builder.of(member) is ModelBuilder {
                    models.put(realm.describe(key), value)
                }
            }
        }
        return models
    }

    /// Gives a member of an object another name, behind all others.
    func rename(_ name: String, to newName: String, in object: ProgramObject) {
        guard let value = try? object.get(name) else { return }
        object.put(newName, value)
        _ = try? object.delete(realm.key(name))
    }

    /// The function that an argument stands for.
    func functionTarget(_ index: Int) -> FunctionTarget { FunctionTarget(value(index), run) }

    /// What a callback makes of the CDK's parts, such as `new Function(scope, 'echo', { … })`; nil: the argument is none, or gives
    /// something else.
    func construct() -> MadeConstruct? {
        guard case .object(let function) = value(0), function.isCallable, !function.isOpaque else { return nil }
        run.signIn?.functions.isDefining = true
        defer { run.signIn?.functions.isDefining = false }
        let scope = OpaqueObject(realm, origin: "scope")
        guard case .object(let object)? = try? run.calling(function, [.object(scope)]),
            let opaque = object as? OpaqueObject, case .call(let given) = opaque.making
        else { return nil }
        var id: String?
        if given.count > 1, case .text(let text) = given[1] { id = text.string }
        return MadeConstruct(
            kind: opaque.origin, id: id, options: given.count > 2 ? ObjectArgument(given[2], nil, places, run) : nil,
            object: opaque, run: run)
    }

    // MARK: Callbacks

    /// What a callback is given to work with.
    enum Tool {
        case allow(RuleBuilder.Place)
        case index
        case validator(FieldBuilder)
        case models(SchemaBuilder)
        case schema(SchemaBuilder)
    }

    /// Calls the callback that is the first argument, for what it does.
    func run(_ tools: Tool...) throws(TypeScriptError) { _ = try result(of: tools, hint: nil) }

    /// Calls the callback that is the first argument. It gives builders of one kind: a list, which is read later, or one alone.
    func callback<Kind: Builder>(
        _ expected: String, _ tools: Tool..., hint: String? = nil
    ) throws(TypeScriptError) -> Late<[Kind]>.Reading {
        let result = try result(of: tools, hint: hint)
        return { () throws(TypeScriptError) in
            var found: [Kind] = []
            for element in try elements(of: result) {
                found.append(try PlacedGiven(element, at: position(of: 0), run).builder(expected))
            }
            return found
        }
    }

    /// The rules that the callback of an `authorization` gives.
    func rules(_ place: RuleBuilder.Place) throws(TypeScriptError) -> Late<[RuleBuilder]>.Reading {
        try callback(
            "a rule of `allow`", .allow(place), hint: "Write .authorization((allow) => [allow.owner()]).")
    }

    /// The pairs of the list that a callback gives.
    func pairs() throws(TypeScriptError) -> [(PlacedGiven, PlacedGiven)] {
        var pairs: [(PlacedGiven, PlacedGiven)] = []
        for element in try elements(of: try result(of: [], hint: nil)) {
            guard let names = try PlacedGiven.elements(of: element, nil, places, run), names.count == 2 else {
                throw error("expected a list of an old and a new name", at: position(of: 0))
            }
            pairs.append((names[0], names[1]))
        }
        return pairs
    }

    private func elements(of result: ProgramValue) throws(TypeScriptError) -> [ProgramValue] {
        guard case .object(let object) = result, let list = object as? ScriptArray else { return [result] }
        return try run.reading("the list", at: position(of: 0)) { () throws(Thrown) in try list.values() }
    }

    private func result(of tools: [Tool], hint: String?) throws(TypeScriptError) -> ProgramValue {
        guard case .object(let function) = value(0), function.isCallable, !function.isOpaque else {
            throw wrong(given(0), expected: "a function", hint: hint)
        }
        do throws(Thrown) {
            return try realm.call(
                function, this: .undefined, tools.map { ProgramModules.value(of: $0, run, realm) })
        } catch {
            run.pending = error
            throw self.error("the function fails", at: position(of: 0))
        }
    }
}
