import GraphQL
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
    private let run: ProgramRun
    private let realm: Realm
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

    private func value(_ index: Int) -> ProgramValue { index < values.count ? values[index] : .undefined }

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

    /// The function that an argument stands for.
    func functionTarget(_ index: Int) -> FunctionTarget { FunctionTarget(value(index), run) }

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
        try results(of: tools, hint: hint).map { PlacedGiven($0, at: position(of: 0), run) }
    }

    /// The same for a callback that gives a list of pairs.
    func pairs() throws(TypeScriptError) -> [(PlacedGiven, PlacedGiven)] {
        var pairs: [(PlacedGiven, PlacedGiven)] = []
        for element in try results(of: [], hint: nil) {
            guard let names = try PlacedGiven.elements(of: element, nil, places, run), names.count == 2 else {
                throw error("expected a list of an old and a new name", at: position(of: 0))
            }
            pairs.append((names[0], names[1]))
        }
        return pairs
    }

    private func results(of tools: [Tool], hint: String?) throws(TypeScriptError) -> [ProgramValue] {
        guard case .object(let function) = value(0), function.isCallable, !function.isOpaque else {
            throw wrong(given(0), expected: "a function", hint: hint)
        }
        do throws(Thrown) {
            let result = try realm.call(
                function, this: .undefined, tools.map { ProgramModules.value(of: $0, run, realm) })
            guard case .object(let object) = result, let list = object as? ScriptArray else { return [result] }
            return try list.values()
        } catch {
            run.pending = error
            throw self.error("the function fails", at: position(of: 0))
        }
    }
}

/// Where the arguments of a call stand, looked for when somebody asks.
final class ArgumentPlaces {
    /// What is called.
    let function: String
    private let call: Position
    private let files: ProgramFiles

    init(_ function: String, _ call: Position, _ files: ProgramFiles) {
        self.function = function
        self.call = call
        self.files = files
    }

    private(set) lazy var literals: [LiteralPlaces.Literal] =
        call.isKnown && files.sources.indices.contains(call.source)
        ? LiteralPlaces.arguments(at: call.offset, in: files.sources[call.source].bytes) : []

    func position(of literal: LiteralPlaces.Literal?) -> Position { position(literal?.offset) }

    func position(_ offset: Int?) -> Position {
        offset.map { Position(offset: $0, source: call.source) } ?? call
    }
}

extension PlacedGiven {
    init(_ value: ProgramValue, at position: Position, _ run: ProgramRun) {
        self.position = position
        switch value {
        case .text(let text):
            self.value =
                String(validating: text.units, as: UTF16.self).map { .text($0) }
                ?? .refused(
                    TypeScriptError("the text has half of a surrogate pair, which no schema can hold", at: position))
        case .object(let object):
            if let builder = (object as? HostObject)?.payload as? Builder {
                self.value = .builder(builder)
            } else if let opaque = object as? OpaqueObject {
                self.value = .refused(run.refusal(opaque, at: position))
            } else {
                self.value = .other(Self.description(of: object))
            }
        case .number(let number): self.value = .number(number)
        case .boolean(let boolean): self.value = .other(boolean ? "true" : "false")
        case .null: self.value = .other("null")
        default: self.value = .other("undefined")
        }
    }

    private static func description(of object: ProgramObject) -> String {
        if object is PromiseObject { return "a promise, which `await` has not waited for" }
        return object.isCallable ? "a function" : object is ScriptArray ? "a list" : "an object"
    }

    /// The elements of a list; nil for any other value.
    static func elements(
        of value: ProgramValue, _ literal: LiteralPlaces.Literal?, _ places: ArgumentPlaces, _ run: ProgramRun
    ) throws(TypeScriptError) -> [PlacedGiven]? {
        guard case .object(let object) = value, let list = object as? ScriptArray else { return nil }
        let values = try run.reading("the list", at: places.position(of: literal)) { () throws(Thrown) in
            try list.values()
        }
        // With a list spread into it, what is written and what is there do not go side by side.
        let written = literal?.elements.count == values.count ? literal?.elements : nil
        return values.enumerated().map { number, element in
            PlacedGiven(element, at: places.position(of: written?[number] ?? literal), run)
        }
    }
}

extension FunctionTarget {
    fileprivate init(_ value: ProgramValue, _ run: ProgramRun) {
        switch value {
        case .text(let name): self = .name(name.string)
        case .object(let object):
            self = (object as? OpaqueObject).map { .function(run.reference($0)) } ?? .other
        default: self = .other
        }
    }
}

/// An object among the arguments of a call, of which members are asked by name. A member whose value is known only when the
/// app is deployed, or whose getter fails, is an error for who asks what it is.
struct ObjectArgument {
    private let object: ProgramObject
    private let literal: LiteralPlaces.Literal?
    private let places: ArgumentPlaces
    private let run: ProgramRun

    init?(
        _ value: ProgramValue, _ literal: LiteralPlaces.Literal?, _ places: ArgumentPlaces, _ run: ProgramRun
    ) {
        guard case .object(let object) = value, !object.isCallable, !object.isOpaque, !(object is HostObject),
            !(object is ScriptArray)
        else { return nil }
        self.object = object
        self.literal = literal
        self.places = places
        self.run = run
    }

    var position: Position { places.position(of: literal) }

    private func literal(_ name: String) -> LiteralPlaces.Literal? { literal?.members[name]?.value ?? literal }

    func position(of name: String) -> Position { places.position(of: literal(name)) }

    /// The names of its members, in their order.
    func names() throws(TypeScriptError) -> [String] {
        try run.reading("the object", at: position) { () throws(Thrown) in
            try object.enumerableKeys().map { object.realm.describe($0) }
        }
    }

    /// The value of a member; nil when it is not there, or nothing.
    private func member(_ name: String) throws(TypeScriptError) -> ProgramValue? {
        let value = try run.reading(name, at: position(of: name)) { () throws(Thrown) in try object.get(name) }
        return value.isNullish ? nil : value
    }

    /// The same where it is to be known.
    private func known(_ name: String) throws(TypeScriptError) -> ProgramValue? {
        let value = try member(name)
        if case .object(let object)? = value, let opaque = object as? OpaqueObject {
            throw run.refusal(opaque, at: position(of: name))
        }
        return value
    }

    private func wrong(_ name: String, _ given: PlacedGiven, expected: String) -> TypeScriptError {
        if case .refused(let error) = given.value { return error }
        return TypeScriptError(
            "`\(places.function)` takes \(expected) as `\(name)`, found \(given.value.description)", at: given.position)
    }

    func has(_ name: String) throws(TypeScriptError) -> Bool { try member(name) != nil }

    func text(_ name: String) throws(TypeScriptError) -> PlacedText? {
        guard let value = try known(name) else { return nil }
        let given = PlacedGiven(value, at: position(of: name), run)
        guard case .text(let text) = given.value else { throw wrong(name, given, expected: "a text") }
        return PlacedText(text: text, position: given.position)
    }

    /// A number; nil for anything else that is known.
    func number(_ name: String) throws(TypeScriptError) -> Double? {
        if case .number(let number)? = try known(name) { number } else { nil }
    }

    func object(_ name: String) throws(TypeScriptError) -> ObjectArgument? {
        try known(name).flatMap { ObjectArgument($0, literal(name), places, run) }
    }

    /// The same where nothing needs to be known of it.
    func optionalObject(_ name: String) throws(TypeScriptError) -> ObjectArgument? {
        try member(name).flatMap { ObjectArgument($0, literal(name), places, run) }
    }

    /// What stands there, when there is anything at all.
    func given(_ name: String) throws(TypeScriptError) -> PlacedGiven? {
        try member(name).map { PlacedGiven($0, at: position(of: name), run) }
    }

    func functionTarget(_ name: String) throws(TypeScriptError) -> FunctionTarget? {
        try member(name).map { FunctionTarget($0, run) }
    }

    /// The elements of a list that are objects; nil in place of others.
    func objects(_ name: String) throws(TypeScriptError) -> [(object: ObjectArgument?, position: Position)]? {
        guard case .object(let object)? = try known(name), let list = object as? ScriptArray else { return nil }
        let literal = literal(name)
        let values = try run.reading(name, at: position(of: name)) { () throws(Thrown) in try list.values() }
        let written = literal?.elements.count == values.count ? literal?.elements : nil
        return values.enumerated().map { number, element in
            let place = written?[number] ?? literal
            return (ObjectArgument(element, place, places, run), places.position(of: place))
        }
    }

    func elements(_ name: String) throws(TypeScriptError) -> [PlacedGiven]? {
        guard let value = try member(name) else { return nil }
        return try PlacedGiven.elements(of: value, literal(name), places, run)
    }

    /// All members, with what getters give.
    func parts() throws(TypeScriptError) -> [NamedPart] {
        let members = try run.reading("the object", at: position) { () throws(Thrown) in
            var members: [(name: String, value: ProgramValue)] = []
            for key in try object.enumerableKeys() {
                members.append((object.realm.describe(key), try object.get(key)))
            }
            return members
        }
        return members.map { name, value in
            let written = literal?.members[name]
            let given = PlacedGiven(value, at: places.position(of: written?.value ?? literal), run)
            // What is spread into it, or kept in a variable, stands where its builder was made.
            if written == nil, let made = given.value.builder?.madeAt, made.isKnown {
                return NamedPart(name: name, position: made, value: PlacedGiven(value: given.value, position: made))
            }
            return NamedPart(name: name, position: places.position(written?.key ?? literal?.offset), value: given)
        }
    }

    /// The functions among the members that are known as such.
    func functions() throws(TypeScriptError) -> [(name: String, function: FunctionReference)] {
        var functions: [(name: String, function: FunctionReference)] = []
        for name in try names() {
            guard case .object(let object)? = try member(name), let opaque = object as? OpaqueObject else { continue }
            functions.append((name, run.reference(opaque)))
        }
        return functions
    }
}

extension ScriptArray {
    /// Its elements, with what getters give.
    fileprivate func values() throws(Thrown) -> [ProgramValue] {
        if isPlain { return elements.map { $0.isAbsent ? .undefined : $0 } }
        var values: [ProgramValue] = []
        for index in 0..<length {
            try realm.spend()
            values.append(try get(realm.key(index: Double(index))))
        }
        return values
    }
}

extension ScriptObject {
    /// What `Object.keys` gives.
    fileprivate func enumerableKeys() throws(Thrown) -> [PropertyKey] {
        var keys: [PropertyKey] = []
        for key in try ownKeys() where !key.isSymbol {
            try realm.spend()
            if try ownProperty(key)?.isEnumerable == true { keys.append(key) }
        }
        return keys
    }
}
