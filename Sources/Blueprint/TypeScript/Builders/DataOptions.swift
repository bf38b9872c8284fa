import GraphQL

/// What `defineData` is given.
struct DataOptions {
    enum Schema {
        case one(PlacedGiven)
        /// Those of an object `{ schemas: […] }`, which need not come from `a.combine`.
        case several([PlacedGiven], Position)
    }

    let schema: Schema?
    let modes: ModeOptions?
    let name: PlacedText?
    let functions: [(name: String, function: FunctionReference)]
    /// Why nothing is known of it.
    let refusal: TypeScriptError?

    init(_ arguments: BuilderArguments) {
        guard let object = arguments.optionalObject(0) else {
            if case .refused(let error) = arguments.given(0).value { refusal = error } else { refusal = nil }
            (schema, modes, name, functions) = (nil, nil, nil, [])
            return
        }
        var refusal: TypeScriptError?
        var given: PlacedGiven?
        do throws(TypeScriptError) {
            given = try object.parts().first { $0.name == "schema" }?.value
        } catch {
            refusal = error
        }
        self.refusal = refusal
        schema =
            if let schemas = object.object("schema")?.elements("schemas") {
                .several(schemas, object.position(of: "schema"))
            } else {
                given.map { .one($0) }
            }
        modes = object.given("authorizationModes").map {
            ModeOptions($0, object.object("authorizationModes"))
        }
        name = object.text("name").map { PlacedText(text: $0, position: object.position(of: "name")) }
        functions = object.object("functions")?.functions ?? []
    }

    /// The name of a resource begins with a letter.
    func checkName() throws(TypeScriptError) {
        guard let name, !name.text.isEmpty else { return }
        let bytes = name.text.utf8
        let isPlain = bytes.allSatisfy { $0.isLetter || $0.isDigit || " -_".utf8.contains($0) }
        guard isPlain, bytes.first?.isLetter == true else {
            throw TypeScriptError(
                "Resource name contains invalid characters, found \(name.text)", at: name.position,
                hint: "Write letters, digits, dashes, underscores and spaces, and a letter first.")
        }
    }

    /// Those of a module that holds a schema alone.
    init(schema: PlacedGiven) {
        self.schema = .one(schema)
        (modes, name, functions, refusal) = (nil, nil, [], nil)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

/// The authorization modes as they are written.
struct ModeOptions {
    let position: Position
    /// How many members there are, known ones or not.
    let count: Int
    /// The modes that have options.
    let given: [AuthMode]
    let standard: PlacedGiven?
    /// After how many days the API key expires.
    let keyDays: (days: Double, position: Position)?
    /// Why nothing is known of them.
    let refusal: TypeScriptError?

    static let optionNames: [(name: String, mode: AuthMode)] = [
        ("apiKeyAuthorizationMode", .apiKey), ("lambdaAuthorizationMode", .lambda), ("oidcAuthorizationMode", .oidc),
    ]

    fileprivate init(_ placed: PlacedGiven, _ object: ObjectArgument?) {
        position = placed.position
        if case .refused(let error) = placed.value { refusal = error } else { refusal = nil }
        count = object?.names.count ?? 0
        given = Self.optionNames.filter { object?.has($0.name) == true }.map(\.mode)
        standard = object?.given("defaultAuthorizationMode")
        let key = object?.object("apiKeyAuthorizationMode")
        keyDays = key?.number("expiresInDays").map { ($0, key?.position(of: "expiresInDays") ?? placed.position) }
    }
}
