import Blueprint
import GraphQL
import Project
import Script

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

    /// Where the name of a member stands.
    func keyPosition(of name: String) -> Position {
        places.position(literal?.members[name]?.key ?? literal?.offset)
    }

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

    func boolean(_ name: String) throws(TypeScriptError) -> Bool? {
        guard let value = try known(name) else { return nil }
        if case .boolean(let flag) = value { return flag }
        throw wrong(name, PlacedGiven(value, at: position(of: name), run), expected: "true or false")
    }

    /// A secret that the project names, or one that is known only when the app is deployed.
    func secret(_ name: String) throws(TypeScriptError) -> AuthResource.SecretValue? {
        guard let value = try member(name) else { return nil }
        if case .object(let object) = value, let opaque = object as? OpaqueObject {
            return run.secret(opaque).map { .named($0) } ?? .unknown
        }
        throw wrong(name, PlacedGiven(value, at: position(of: name), run), expected: "secret('NAME')")
    }

    /// A function that the project defines.
    func function(_ name: String) throws(TypeScriptError) -> FunctionReference? {
        guard let value = try member(name) else { return nil }
        if case .object(let object) = value, let opaque = object as? OpaqueObject { return run.reference(opaque) }
        throw wrong(name, PlacedGiven(value, at: position(of: name), run), expected: "a function of defineFunction")
    }

    /// The text that a function of the program gives, which may put together what its own arguments give.
    func text(
        calling name: String, with arguments: (Realm) -> [ProgramValue]
    ) throws(TypeScriptError) -> PlacedText? {
        guard let value = try known(name) else { return nil }
        let place = position(of: name)
        guard case .object(let function) = value, function.isCallable else {
            throw wrong(name, PlacedGiven(value, at: place, run), expected: "a function")
        }
        let result = try run.calling(function, arguments(function.realm))
        guard case .text(let text) = PlacedGiven(result, at: place, run).value else {
            throw TypeScriptError("`\(name)` gives no text", at: place)
        }
        return PlacedText(text: text, position: place)
    }

    /// What a function of the program gives that makes rules of access: the elements of a list, or one value.
    func results(calling name: String) throws(TypeScriptError) -> [PlacedGiven]? {
        guard let value = try known(name) else { return nil }
        let place = position(of: name)
        guard case .object(let function) = value, function.isCallable else {
            throw wrong(name, PlacedGiven(value, at: place, run), expected: "a function")
        }
        let result = try run.calling(function, [ProgramModules.accessAllow(function.realm)])
        return try PlacedGiven.elements(of: result, nil, places, run) ?? [PlacedGiven(result, at: place, run)]
    }

    /// The object that a function of the program gives which is called with what rules for files are made of.
    func object(calling name: String) throws(TypeScriptError) -> ObjectArgument? {
        guard let value = try known(name) else { return nil }
        let place = position(of: name)
        guard case .object(let function) = value, function.isCallable else {
            throw wrong(name, PlacedGiven(value, at: place, run), expected: "a function")
        }
        let result = try run.calling(function, [ProgramModules.storageAllow(function.realm)])
        guard let object = ObjectArgument(result, nil, places, run) else {
            throw TypeScriptError(
                "`\(name)` gives no object", at: place,
                hint: "Write \(name): (allow) => ({ 'media/*': [allow.guest.to(['read'])] }).")
        }
        return object
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

    /// The members of a member, as the environment of a function has them.
    func environment(_ name: String) throws(TypeScriptError) -> [FunctionVariable] {
        guard let inner = try optionalObject(name) else {
            // Of a literal with something unknown spread into it, what is written is known.
            guard let copy = value(name)?.opaque, copy.spreadOf != nil else { return [] }
            return copy.assignedKeys.map { key in
                FunctionVariable(
                    name: copy.realm.describe(key), value: (try? copy.get(key)).map(run.environmentValue) ?? .missing)
            }
        }
        var variables: [FunctionVariable] = []
        for name in try inner.names() {
            let value = try inner.member(name)
            variables.append(FunctionVariable(name: name, value: value.map(run.environmentValue) ?? .missing))
        }
        return variables
    }

    /// The texts and objects of a list, or the one that stands there alone.
    func items(_ name: String) -> [(text: String?, object: ObjectArgument?)] {
        guard let value = (try? member(name)).flatMap({ $0 }) else { return [] }
        var values = [value]
        if case .object(let object) = value, let list = object as? ScriptArray { values = (try? list.values()) ?? [] }
        return values.map { value in
            if case .text(let text) = value { return (text.string, nil) }
            return (nil, ObjectArgument(value, nil, places, run))
        }
    }

    /// What the program says of a member that is known only when the app is deployed: where it comes from, and what its first
    /// argument is where a call gives it.
    func unknown(_ name: String) -> (origin: String, argument: Given?)? {
        guard case .object(let object)? = try? member(name), let opaque = object as? OpaqueObject else { return nil }
        guard case .call(let given) = opaque.making, let first = given.first else { return (opaque.origin, nil) }
        return (opaque.origin, PlacedGiven(first, at: position(of: name), run).value)
    }

    /// What the member is, whatever that may be.
    func value(_ name: String) -> ProgramValue? { (try? member(name)).flatMap { $0 } }

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
