import Blueprint
import GraphQL
import JSON
import Project

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

    init(_ arguments: BuilderArguments) throws(TypeScriptError) {
        guard let object = arguments.optionalObject(0) else {
            if case .refused(let error) = arguments.given(0).value { throw error }
            (schema, modes, name, functions) = (nil, nil, nil, [])
            return
        }
        schema =
            if let schemas = try object.optionalObject("schema")?.elements("schemas") {
                .several(schemas, object.position(of: "schema"))
            } else {
                try object.parts().first { $0.name == "schema" }.map { .one($0.value) }
            }
        try Self.refuseSlips(in: object, "defineData", of: Self.names)
        modes = try ModeOptions(object)
        name = try object.text("name")
        functions = try object.optionalObject("functions")?.functions() ?? []
    }

    private static let names = [
        "schema", "authorizationModes", "name", "functions", "logging", "migratedAmplifyGen1DynamoDbTableMappings",
    ]

    /// Refuses a name that is nearly one of those that an object can have: without what it was meant to say the API would be more open.
    fileprivate static func refuseSlips(
        in object: ObjectArgument, _ owner: String, of names: [String]
    ) throws(TypeScriptError) {
        for name in try object.names() where !names.contains(name) {
            guard let near = NearestName.of(name, in: names) else { continue }
            throw TypeScriptError(
                "`\(owner)` has no `\(name)`", at: object.position(of: name), hint: "Did you mean \(near)?")
        }
    }

    /// The schemas that it names.
    var builders: [Builder] {
        switch schema {
        case .one(let schema)?: [schema.value.builder].compactMap { $0 }
        case .several(let schemas, _)?: schemas.compactMap(\.value.builder)
        case nil: []
        }
    }

    /// The name of a resource begins with a letter.
    func checkName() throws(TypeScriptError) {
        guard let name, !name.text.isEmpty else { return }
        let bytes = name.text.utf8
        let isPlain = bytes.allSatisfy { $0.isAlphanumeric || " -_".utf8.contains($0) }
        guard isPlain, bytes.first?.isLetter == true else {
            throw TypeScriptError(
                "Resource name contains invalid characters, found \(name.text)", at: name.position,
                hint: "Write letters, digits, dashes, underscores and spaces, and a letter first.")
        }
    }

    /// The names of the models that have tables, in their order; none where they cannot be told before the schema is read.
    var modelNames: [String] {
        let schemas: [PlacedGiven] =
            switch schema {
            case .one(let schema)?: (schema.value.builder as? CombinedBuilder)?.schemas ?? [schema]
            case .several(let schemas, _)?: schemas
            case nil: []
            }
        if case .text(let text)? = schemas.first?.value { return Self.modelNames(in: text) }
        return schemas.compactMap { $0.value.builder as? SchemaBuilder }.filter { !$0.isSQL }.flatMap(\.entries)
            .filter { $0.part.builder is ModelBuilder }.map(\.part.name)
    }

    /// Those of a schema that is written in SDL.
    private static func modelNames(in text: String) -> [String] {
        guard let document = try? Document(parsing: Source(text), limits: .schema) else { return [] }
        return document.definitions.compactMap { definition in
            guard case .type(.object(let type)) = definition,
                type.directives.contains(where: { $0.name.text == "model" })
            else { return nil }
            return type.name.text
        }
    }

    /// None at all.
    init() { (schema, modes, name, functions) = (nil, nil, nil, []) }

    /// Those of a module that holds a schema alone.
    init(schema: PlacedGiven) {
        self.schema = .one(schema)
        (modes, name, functions) = (nil, nil, [])
    }
}

extension DataAuthorizer {
    fileprivate init?(_ options: ObjectArgument) {
        guard let function = (try? options.function("function")).flatMap({ $0 }) else { return nil }
        self.init(function, cacheSeconds: options.whole("timeToLiveInSeconds"))
    }
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
    /// The function that authorizes calls, where there is one.
    let authorizer: DataAuthorizer?

    static let optionNames: [(name: String, mode: AuthMode)] = [
        ("apiKeyAuthorizationMode", .apiKey), ("lambdaAuthorizationMode", .lambda), ("oidcAuthorizationMode", .oidc),
    ]

    /// Those of an object for `defineData`; nil when it says nothing of them.
    fileprivate init?(_ options: ObjectArgument) throws(TypeScriptError) {
        guard try options.has("authorizationModes") else { return nil }
        let object = try options.object("authorizationModes")
        position = options.position(of: "authorizationModes")
        count = try object?.names().count ?? 0
        if let object {
            let names = Self.optionNames.map(\.name) + ["defaultAuthorizationMode"]
            try DataOptions.refuseSlips(in: object, "authorizationModes", of: names)
        }
        var given: [AuthMode] = []
        for (name, mode) in Self.optionNames where try object?.has(name) == true { given.append(mode) }
        self.given = given
        standard = try object?.given("defaultAuthorizationMode")
        authorizer = (try? object?.optionalObject("lambdaAuthorizationMode")).flatMap { $0 }.flatMap {
            DataAuthorizer($0)
        }
        guard let key = try object?.optionalObject("apiKeyAuthorizationMode"),
            case .number(let days)? = try key.given("expiresInDays")?.value
        else {
            keyDays = nil
            return
        }
        keyDays = (days, key.position(of: "expiresInDays"))
    }
}
