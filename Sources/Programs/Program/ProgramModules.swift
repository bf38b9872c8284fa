import Blueprint
import GraphQL
import Project
import Script

/// What programs import from Amplify's packages, and what they find without importing it.
enum ProgramModules {
    static let names: Set = [
        "@aws-amplify/backend", "@aws-amplify/data-schema", "@aws-amplify/data-schema/internals",
        "@aws-amplify/backend-ai/conversation",
    ]

    static func exports(of module: String, _ realm: Realm) -> [(name: String, value: ProgramValue)]? {
        switch module {
        case "@aws-amplify/backend":
            [("a", builders(realm)), ("defineData", data(realm))]
                + ["defineFunction", "secret"].map { ($0, definition($0, realm)) }
                + ["defineAuth", "referenceAuth", "defineStorage", "defineBackend"].map { ($0, resource($0, realm)) }
        case "@aws-amplify/data-schema": [("a", builders(realm))]
        case "@aws-amplify/data-schema/internals": [("configure", configure(realm))]
        case "@aws-amplify/backend-ai/conversation":
            [(conversationHandler, definition(conversationHandler, realm))]
        default: nil
        }
    }

    /// A module that holds a schema and nothing else may leave out its imports.
    static func addGlobals(to realm: Realm, _ project: ProjectFolder) {
        realm.global.put("a", builders(realm))
        realm.global.put("defineData", data(realm))
        realm.global.put("process", .object(NodeModules.process(in: realm, project)))
        realm.install(NodeGlobals.table, on: realm.global)
        realm.install(MissingNames.global, on: realm.global)
    }

    private final class Nothing {}

    private static let conversationHandler = "defineConversationHandlerFunction"

    // MARK: Functions of Amplify

    private static func data(_ realm: Realm) -> ProgramValue {
        .object(
            realm.function("defineData", length: 1) { call throws(Thrown) in
                try ProgramRun.native(copy call, "defineData") { calls, run throws(TypeScriptError) in
                    let data = calls.data()
                    run.data.append(data)
                    return .builder(data)
                }
            })
    }

    private static func configure(_ realm: Realm) -> ProgramValue {
        .object(
            realm.function("configure", length: 1) { call throws(Thrown) in
                try ProgramRun.native(copy call, "configure") { calls, _ throws(TypeScriptError) in
                    .configured(try calls.engine())
                }
            })
    }

    /// What defines a resource that is no part of the schema.
    private static func definition(_ name: String, _ realm: Realm) -> ProgramValue {
        .object(
            realm.function(name, length: 1) { call throws(Thrown) in
                try ProgramRun.native(copy call, name) { calls, run throws(TypeScriptError) in
                    if name == "secret", case .text(let secret) = calls.arguments.given(0).value {
                        return .secret(secret)
                    }
                    let position = calls.arguments.position
                    var reference = try calls.functionReference(folder: run.files.name(ofFolderAt: position))
                    if name == "defineFunction" {
                        let construct = calls.arguments.construct()
                        if let id = construct?.id { reference.name = id }
                        run.signIn?.functions.define(
                            reference, calls.arguments.optionalObject(0), construct, at: position)
                    }
                    if name == conversationHandler {
                        let options = calls.arguments.optionalObject(0)
                        if let options, try options.has("entry") {
                            run.signIn?.functions.define(conversationHandler: reference, options, at: position)
                        } else {
                            reference.isAmplifysConversationHandler = true
                        }
                    }
                    return .function(reference, name: name)
                }
            })
    }

    /// The same of those that a run for sign-in looks into.
    private static func resource(_ name: String, _ realm: Realm) -> ProgramValue {
        .object(
            realm.function(name, length: 1) { call throws(Thrown) in
                let run = try ProgramRun.of(call.realm)
                guard let signIn = run.signIn else {
                    if name == "defineBackend", run.isBackend { throw run.assemble(call[0], call.realm) }
                    return .object(OpaqueObject(call.realm, origin: "\(name)()"))
                }
                let arguments = BuilderArguments(
                    call.arguments, of: name, at: run.files.position(call.realm.callPlace), run, call.realm)
                switch name {
                case "defineAuth": return signIn.define(arguments, call.realm)
                case "referenceAuth": return signIn.refer(arguments, call.realm)
                case "defineStorage": return signIn.storage.define(arguments, signIn.definitions, call.realm)
                default:
                    run.readSchema(among: call[0], call.realm)
                    return try signIn.assemble(call[0], call.realm)
                }
            })
    }

    /// What rules of `defineAuth` are made with.
    static func accessAllow(_ realm: Realm) -> ProgramValue { .object(realm.hostObject(access, Nothing())) }

    private static let access = HostClass(
        "allow",
        methods(["resource"]) { calls, _ throws(TypeScriptError) in
            guard case .function(let function) = calls.arguments.functionTarget(0) else {
                throw calls.arguments.error(
                    "`resource` takes a function of defineFunction", at: calls.arguments.position(of: 0))
            }
            return .builder(AccessGrantBuilder(function))
        }, missing: missing("`allow`", ["resource"]))

    /// What rules of `defineStorage` are made with.
    static func storageAllow(_ realm: Realm) -> ProgramValue { .object(realm.hostObject(fileAccess, Nothing())) }

    private static let fileAccess = HostClass(
        "allow",
        [everybody("guest", .guest), everybody("authenticated", .authenticated)]
            + methods(["groups", "entity", "resource"]) { calls, _ throws(TypeScriptError) in
                .builder(StorageRuleBuilder(try people(calls.arguments)))
            }, missing: missing("`allow`", ["guest", "authenticated", "groups", "entity", "resource"]))

    private static func everybody(_ name: String, _ who: StorageResource.Who) -> NativeProperty {
        .getter(name) { call throws(Thrown) in
            try ProgramRun.native(copy call, name) { _, _ throws(TypeScriptError) in
                .builder(StorageRuleBuilder(.known(who)))
            }
        }
    }

    private static func people(
        _ arguments: BuilderArguments
    ) throws(TypeScriptError) -> StorageRuleBuilder.People {
        switch arguments.function {
        case "groups":
            _ = try arguments.texts(0)
            return .groups(arguments)
        case "entity":
            let name = try arguments.text(0)
            guard name.text == "identity" else {
                throw arguments.error(
                    "`entity` takes 'identity', found \"\(name.text.prefix(80))\"", at: name.position)
            }
            return .known(.owner)
        default:
            guard case .function(let function) = arguments.functionTarget(0) else {
                throw arguments.error(
                    "`resource` takes a function of defineFunction", at: arguments.position(of: 0))
            }
            return .known(.function(function))
        }
    }

    static let builderNames =
        FieldBuilder.typeNames.keys.sorted() + [
            "schema", "combine", "model", "customType", "enum", "ref", "hasMany", "hasOne", "belongsTo", "query",
            "mutation", "subscription", "conversation", "generation",
        ]

    private static func methods(
        _ names: [String],
        _ body: @escaping @Sendable (BuilderCalls, ProgramRun) throws(TypeScriptError) -> ProgramRun.Answer
    ) -> [NativeProperty] {
        names.map { name in
            .method(name, length: 1) { call throws(Thrown) in try ProgramRun.native(copy call, name, body) }
        }
    }

    private static func missing(_ receiver: String, _ known: [String]) -> HostClass.Missing {
        { object, name throws(Thrown) in
            try ProgramRun.missing(name, of: receiver, known: known, object)
        }
    }

    private static func builders(_ realm: Realm) -> ProgramValue {
        let object = realm.hostObject(root, Nothing())
        object.put("handler", .object(realm.hostObject(handlers, Nothing())))
        object.put("ai", .object(realm.hostObject(models, Nothing())))
        return .object(object)
    }

    private static let root = HostClass(
        "a",
        methods(builderNames) { calls, run throws(TypeScriptError) in
            let builder = try calls.builder()
            if builder is SchemaBuilder || builder is CombinedBuilder {
                if let combined = builder as? CombinedBuilder {
                    let parts = try combined.$schemas.current().compactMap(\.value.builder)
                    run.schemas.removeAll { schema in parts.contains { $0 === schema.value.builder } }
                }
                run.schemas.append(PlacedGiven(value: .builder(builder), position: calls.arguments.position))
            }
            return .builder(builder)
        },
        missing: { object, name throws(Thrown) in
            if name == "allow" {
                let run = try ProgramRun.of(object.realm)
                throw run.thrown(
                    TypeScriptError(
                        "`a` has no `allow`: that is the form of the developer preview",
                        at: run.files.position(object.realm.callPlace),
                        hint: "Write .authorization((allow) => [allow.owner()])."), object.realm)
            }
            return try ProgramRun.missing(name, of: "`a`", known: builderNames, object)
        })

    private static let handlerNames = ["function", "custom", "inlineSql", "sqlReference"]
    private static let handlers = HostClass(
        "handler",
        methods(handlerNames) { calls, _ throws(TypeScriptError) in .builder(try calls.handler()) },
        missing: missing("`a.handler`", handlerNames))

    private static let models = HostClass(
        "ai",
        methods(["model"]) { calls, _ throws(TypeScriptError) in .model(path: try calls.modelPath()) }
            + [.method("dataTool", length: 1) { call in call[0] }],
        missing: missing("`a.ai`", ["model", "dataTool"]))

    static let configured = HostClass(
        "configure",
        [
            .method("schema", length: 1) { call throws(Thrown) in
                let engine: EngineMark = try call.payload()
                return try ProgramRun.native(copy call, "schema") { calls, run throws(TypeScriptError) in
                    let schema = try SchemaBuilder(engine: engine.engine, calls.arguments)
                    run.schemas.append(PlacedGiven(value: .builder(schema), position: calls.arguments.position))
                    return .builder(schema)
                }
            }
        ], missing: missing("`configure(...)`", ["schema"]))

    // MARK: What callbacks are given

    final class EngineMark: Sendable {
        let engine: SchemaBuilder.Engine
        init(_ engine: SchemaBuilder.Engine) { self.engine = engine }
    }

    private static let allows: [RuleBuilder.Place: HostClass] = {
        let places: [RuleBuilder.Place] = [.schema, .model, .field, .operation, .conversation]
        return Dictionary(
            uniqueKeysWithValues: places.map { place in
                let names = Rules.names(place)
                let kind = HostClass(
                    "allow",
                    methods(names) { calls, _ throws(TypeScriptError) in
                        .builder(try Rules(arguments: calls.arguments).rule(place))
                    }, missing: missing("`allow`", names))
                return (place, kind)
            })
    }()

    private static let validatorNames = [
        "minLength", "maxLength", "startsWith", "endsWith", "matches", "gt", "lt", "gte", "lte", "positive", "negative",
    ]
    private static let validator = HostClass(
        "v",
        validatorNames.map { name in
            .method(name, length: 1) { call throws(Thrown) in
                let field: FieldBuilder = try call.payload()
                let this = call.this
                _ = try ProgramRun.native(copy call, name) { calls, _ throws(TypeScriptError) in
                    try calls.validate(field)
                    return .nothing
                }
                return this
            }
        }, missing: missing("`v`", validatorNames))

    static func value(of tool: BuilderArguments.Tool, _ run: ProgramRun, _ realm: Realm) -> ProgramValue {
        switch tool {
        case .allow(let place): return allows[place].map { .object(realm.hostObject($0, Nothing())) } ?? .undefined
        case .index:
            return .object(
                realm.function("index", length: 1) { call throws(Thrown) in
                    try ProgramRun.native(copy call, "index") { calls, _ throws(TypeScriptError) in
                        .builder(try calls.index())
                    }
                })
        case .validator(let field): return .object(realm.hostObject(validator, field))
        case .models(let schema): return schema.shown["models"] ?? .undefined
        case .schema(let schema): return run.value(of: schema, realm)
        }
    }
}
