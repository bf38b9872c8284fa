import GraphQL
import Testing

@testable import Blueprint

/// What Amplify's transformer accepts and refuses, in tables beside the golden schemas: each rule with further instances.
@Suite("Rules of the transformer")
struct TransformerRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let schema: String
        /// The first line of what is said; nil when the schema is accepted.
        let message: String?
        var flags = "{}"

        var testDescription: String { schema }
    }

    private static func refused(_ schema: String, _ message: String, _ flags: String = "{}") -> Row {
        Row(schema: schema, message: message, flags: flags)
    }

    private static func accepted(_ schema: String, _ flags: String = "{}") -> Row {
        Row(schema: schema, message: nil, flags: flags)
    }

    static let extensions = [
        refused("type A @model { id: ID! } extend interface N { x: Int }", "Cannot extend nonexistent interface 'N'."),
        refused(
            "type A @model { id: ID! } extend input CreateAInput { x: Int }",
            "Cannot extend nonexistent input 'CreateAInput'."),
        refused("type A @model { id: ID! } extend type Query { x: Int }", "Cannot extend nonexistent type 'Query'."),
        refused(
            "type A @model { id: ID! } extend input AuthRule { x: Int }", "Cannot extend nonexistent input 'AuthRule'."),
        refused(
            "type A @model { id: ID! } extend scalar Money @specifiedBy(url: \"x\")",
            "Cannot extend type \"Money\" because it is not defined."),
        refused("type A @model { id: ID! } extend input A { y: Int }", "Cannot extend non-input object type \"A\"."),
        refused("type A @model { id: ID! } extend enum A { Y }", "Cannot extend non-enum type \"A\"."),
        refused(
            "input I { a: Int } type A @model { id: ID! } extend type I { b: Int }", "Failure adding object extension"),
        refused(
            "input I { a: Int } type A @model { id: ID! } extend input I { a: Int }",
            "Input object type extension 'I' cannot redeclare field a"),
        refused(
            "interface N { a: Int } type A @model { id: ID! } extend interface N { a: Int }",
            "Interface type extension 'N' cannot redeclare field a"),
        refused(
            "interface N { id: ID! } type A implements N @model { id: ID! } extend type A implements N { b: Int }",
            "Object type extension 'A' cannot redeclare interface N"),
        refused(
            "type A @model { id: ID! } extend type A { b: Int } extend type A { b: Int }",
            "Object type extension 'A' cannot redeclare field b"),
        refused("type A @model { id: ID! } extend type A { b: Int b: Int }", "Field \"A.b\" can only be defined once."),
        refused(
            "type A @model { id: ID! } extend type A { b: String @default(value: \"x\") }",
            "The '@default' directive is not supported on fields of extended types"),
        refused(
            "type Query { a: Int } extend type Query { b: String @predictions(actions: [identifyText]) }",
            "The '@predictions' directive is not supported on fields of extended types"),
        refused(
            "type A @model { id: ID! } extend type A { b: String @function(name: \"f\") }",
            "The '@function' directive cannot be used on fields of type extensions other than 'Query', 'Mutation', and "
                + "'Subscription'. See A.b"),
        // An error of an extension comes before those of the language.
        refused("type A @model { id: ID! x: Nope } extend type B { c: Int }", "Cannot extend nonexistent type 'B'."),
        accepted("type Query { a: Int } extend type Query { b: String @function(name: \"f\") }"),
        accepted("enum E { X } type A @model { id: ID! e: E } extend enum E { Y }"),
    ]

    static let keys = [
        refused(
            "type A @model { a: ID! @primaryKey(sortKeyFields: [\"b\", \"c\"]) b: Int! c: Boolean! }",
            "Boolean values cannot be used as sort keys."),
        accepted(
            "type A @model(queries: { get: \"a\", list: null }) { a: ID! @primaryKey(sortKeyFields: [\"b\", \"c\"]) b: Int! "
                + "c: Boolean! }"),
        refused(
            "type A @model { id: ID! k: String! @index(name: \"byK\", sortKeyFields: [\"a\", \"b\", \"c\"]) a: Int b: Int "
                + "c: Boolean }", "Boolean values cannot be used as sort keys."),
        accepted(
            "type A @model { id: ID! k: String! @index(name: \"byK\", sortKeyFields: [\"a\", \"b\"], queryField: null) a: Int "
                + "b: Boolean }"),
        refused(
            "type A @model { id: ID! k: Boolean! @index(name: \"byK\", queryField: null) }",
            "Boolean values cannot be used as sort keys."),
        accepted(
            "type A @model { id: ID! @primaryKey(sortKeyFields: \"\") k: Int! @index(name: \"byK\", sortKeyFields: \"\") }"
        ),
        refused("type A @model { id: [ID] }", "The primary key on type 'A.id' cannot be a non-scalar."),
    ]

    static let relations = [
        refused(
            "enum E { X } type A @model { id: ID! bs: [B] @hasMany } type B @model { id: ID! @primaryKey(sortKeyFields: [\"e\"]) "
                + "e: E! a: A @belongsTo } type C @model { id: ID! b: B @hasOne }", "Expected scalar and got E"),
        refused(
            "enum E { X } type A @model { e: E! @primaryKey bs: [B] @hasMany } type B @model { id: ID! a: A @belongsTo }",
            "Expected scalar and got E"),
        refused(
            "enum E { X } type A @model { e: E! @primaryKey bs: [B] @hasMany(references: [\"aE\"]) } "
                + "type B @model { id: ID! aE: E a: A @belongsTo(references: [\"aE\"]) }", "Expected scalar and got E"),
        refused(
            "enum E { X } type A @model { e: E! @primaryKey bs: [B] @manyToMany(relationName: \"J\") } "
                + "type B @model { id: ID! as: [A] @manyToMany(relationName: \"J\") }", "Expected scalar and got E"),
        refused(
            "enum E { X } type A @model { id: ID! cs: [C] @hasMany(indexName: \"byA\", fields: [\"id\"]) } "
                + "type C @model { aId: ID @index(name: \"byA\", sortKeyFields: [\"e\"]) e: E }",
            "Expected scalar and got E"),
        refused(
            "enum E { X } type A @model { id: ID! cs: [C] @hasMany(fields: [\"id\"]) } "
                + "type C @model { aId: ID! @primaryKey(sortKeyFields: [\"e\"]) e: E! }", "Expected scalar and got E"),
        accepted(
            "enum E { X } type A @model { id: ID! f: E! cs: [C] @hasMany(indexName: \"byA\", fields: [\"id\", \"f\"]) } "
                + "type C @model { aId: ID @index(name: \"byA\", sortKeyFields: [\"e\"]) e: E }"),
        accepted(
            "enum E { X } type A @model { id: ID! cs: [C] @hasMany(indexName: \"byA\", fields: [\"id\"]) } "
                + "type C @model { aId: ID @index(name: \"byA\", sortKeyFields: [\"e\", \"n\"]) e: E n: Int }"),
        refused(
            "type A @model @auth(rules: [{allow: public}]) { id: ID! b: B @hasOne(fields: [\"id\"]) } "
                + "type B @model @auth(rules: [{allow: public}]) { k: ID! @primaryKey(sortKeyFields: [\"s\"]) s: ID! }",
            "Invalid @hasOne on A:b. Provided fields do not match the size of primary key(s) for B"),
        refused(
            "type A @model @auth(rules: [{allow: public}]) { id: ID! @primaryKey(sortKeyFields: [\"s\"]) s: ID! bs: [B] @hasMany } "
                + "type B @model @auth(rules: [{allow: public}]) { id: ID! aId: ID a: A @belongsTo(fields: [\"aId\"]) }",
            "Invalid @belongsTo on B:a. Provided fields do not match the size of primary key(s) for A"),
        // Where one side has no rules, nobody asks by the key.
        accepted(
            "type A @model { id: ID! b: B @hasOne(fields: [\"id\"]) } "
                + "type B @model @auth(rules: [{allow: public}]) { k: ID! @primaryKey(sortKeyFields: [\"s\"]) s: ID! }"),
        // Many fields are joined to one text, so their types do not count; nor do those of a list's own key.
        accepted(
            "enum E { X } type A @model { id: ID! b: B @hasOne } "
                + "type B @model { id: ID! @primaryKey(sortKeyFields: [\"e\", \"n\"]) e: E! n: Int! }"),
        accepted("enum E { X } type A @model { e: E! @primaryKey bs: [B] @hasMany } type B @model { id: ID! }"),
        // Without the switch, the key that is added is an ID.
        accepted(
            "enum E { X } type A @model { id: ID! b: B @hasOne } type B @model { e: E! @primaryKey }",
            #"{"respectPrimaryKeyAttributesOnConnectionField": false}"#),
        accepted(
            "type A @model { id: AWSTimestamp! bs: [B] @hasMany(references: [\"aId\"]) } "
                + "type B @model { id: ID! aId: ID a: A @belongsTo(references: [\"aId\"]) }"),
        refused(
            "type A @model { id: ID! bs: [B] @hasMany(references: [\"aId\"]) } "
                + "type B @model { id: ID! aId: [ID] a: A @belongsTo(references: [\"aId\"]) }",
            "The reference field B.aId is a list: it cannot hold the key of one A."),
        refused(
            "type A @model { id: ID! bs: [B] @manyToMany(relationName: \"mutation\") } "
                + "type B @model { id: ID! as: [A] @manyToMany(relationName: \"mutation\") }",
            "'Mutation' is a reserved type name and currently in use within the default schema element."),
        refused(
            "type A @model { id: ID! bs: [B] @manyToMany(relationName: \"query\") } type Query { x: Int } "
                + "type B @model { id: ID! as: [A] @manyToMany(relationName: \"query\") }",
            "@manyToMany relation name 'Query' (derived from 'query') already exists as a type in the schema."),
        refused(
            "type A @model @mapsTo(name: \"Old\") { id: ID! @primaryKey(sortKeyFields: [\"n\"]) n: Int! "
                + "bs: [B] @manyToMany(relationName: \"J\") } type B @model { id: ID! as: [A] @manyToMany(relationName: \"J\") }",
            "oldn is not a field in J"),
    ]

    static let others = [
        refused("type A @model { id: ID! or: AWSDate }", "type ModelAFilterInput has already a field with name or"),
        refused(
            "type A @model(queries: null) { id: ID! not: Int }",
            "type ModelAConditionInput has already a field with name not"),
        refused(
            "enum E { X } type A @model(queries: null, mutations: { create: \"c\", update: null, delete: null }) { id: ID! and: E }",
            "type ModelAConditionInput has already a field with name and"),
        accepted("type A @model { id: ID! not: P } type P { and: Int }"),
        accepted("type A @model(queries: null, mutations: null, subscriptions: null) { id: ID! and: Int }"),
        refused(
            "type A @model { id: ID! x: Int @auth(rules: { allow: public }) }",
            "@auth on x does not have any auth rules."),
        refused(
            "type A @model(mutations: { create: \"x\", update: \"x\" }) { id: ID! }",
            "A resolver for typeName Mutation fieldName: x already exists"),
        accepted("schema { query: Query } type A @model { id: ID! }"),
        accepted("type A @model { id: ID! x: Int } type B { q: Query }"),
        refused("schema { query: Root } type A @model { id: ID! }", "Unknown type \"Root\"."),
        refused(
            "schema { query: Query subscription: Subscription } type A @model { id: ID! }",
            "Unknown type \"Subscription\"."),
        refused(
            "type Query { a: Int @sql(statement: \"x\", reference: \"y\") }",
            "Could not find custom SQL strategy for Query.a"),
        refused(
            "type A @model { id: ID! x: [B] @connection } type B @model { id: ID! y: Nope }",
            "Your GraphQL Schema is using \"@connection\" directive from an older version of the GraphQL Transformer. Visit "
                + "https://docs.amplify.aws/cli/migration/transformer-migration/ to learn how to migrate your GraphQL schema. "
                + "There are additional validation errors listed below"),
    ]

    private static let generation = "@generation(aiModel: \"m\", systemPrompt: \"\")"

    static let assistants = [
        refused(
            "type B { x: Int } type C { y: Int } union U = B | C type Query { a: U \(generation) }",
            "Unsupported type definition: UnionTypeDefinition"),
        refused(
            "interface I { x: Int } type B implements I { x: Int } type C { i: [I] } type Query { a: C \(generation) }",
            "Unsupported type definition: InterfaceTypeDefinition"),
        refused(
            "type B { x: AWSPhone! } type Query { a: B \(generation) }",
            "Disallowed required field type AWSPhone without a default value."),
        refused(
            "type B { c: [C] } type C { x: [AWSDate]! } type Query { a: [B] \(generation) }",
            "Disallowed required field type AWSDate without a default value."),
        refused(
            "type Query { a: [AWSEmail!] \(generation) }",
            "Disallowed required field type AWSEmail without a default value."),
        refused(
            "type B @model { id: ID! } type Query { a: B \(generation) }",
            "Disallowed required field type AWSDateTime without a default value."),
        accepted(
            "type B { b: B x: AWSPhone y: AWSJSON! z: [ID!]! e: E! } enum E { X } type Query { a: B! \(generation) }"),
        accepted("type B @model(timestamps: null) { id: ID! } type Query { a: B \(generation) }"),
    ]

    @Test(
        "are its own, and so are their words", arguments: extensions + keys + relations + assistants + others)
    func hold(row: Row) throws {
        let made = check(row.schema, try Settings(golden: row.flags))
        guard let message = row.message else {
            #expect(made.api != nil, "\(made.errors.map(\.message))")
            return
        }
        #expect(made.errors.first?.firstLine.trimmed == message)
        #expect(made.api == nil)
    }

    static let keyTypes: [(schema: String, type: String)] = [
        ("type A @model { id: String! bs: [B] @hasMany } type B @model { id: ID! }", "aBsId: ID"),
        ("type A @model { id: String! @primaryKey bs: [B] @hasMany } type B @model { id: ID! }", "aBsId: String"),
        ("type A @model { id: ID! b: B! @hasOne } type B @model { id: Boolean! }", "aBId: ID!"),
        ("type A @model { id: ID! b: B @belongsTo } type B @model { id: AWSEmail! a: A @hasOne }", "aBId: ID"),
        (
            "type A @model { id: Int! bs: [B] @manyToMany(relationName: \"J\") } "
                + "type B @model { id: ID! as: [A] @manyToMany(relationName: \"J\") }", "aId: Int!"
        ),
    ]

    @Test("a key that nobody chose is an ID to other models, but for one that joins two", arguments: keyTypes)
    func keepKeyTypes(schema: String, type: String) throws {
        let api = try #require(check(schema).api)
        #expect(api.printed().contains("  \(type)\n"))
    }

    @Test("an unknown directive is left out with a warning where the project has plug-ins")
    func leaveOutPlugIns() {
        let schema = "type A @model @expires { id: ID! at: AWSTimestamp! @ttl(after: 3) }"
        var settings = Settings()
        #expect(
            check(schema, settings).errors.map(\.message) == [
                "Unknown directive \"@expires\".", "Unknown directive \"@ttl\".",
            ])
        settings.plugIns = ["graphql-ttl-transformer"]
        let made = check(schema, settings)
        #expect(made.api != nil)
        let said = made.diagnostics.filter { $0.message.contains("plug-in (graphql-ttl-transformer)") }
        #expect(said.map(\.severity) == [.warning, .warning])
        #expect(made.api?.printed().contains("@ttl") == false)
    }

    @Test("files of the project come before directives and before what models make")
    func takeHandlers() throws {
        let schema = """
            type A @model { id: ID! b: B @hasOne more: String }
            type B @model { id: ID! }
            type Query { own: String echo: String @function(name: "f") }
            """
        let paths = [
            ("Query", "own"), ("Query", "echo"), ("Query", "listAS"), ("Mutation", "createB"), ("A", "more"),
            ("A", "b"),
            ("Query", "nowhere"),
        ]
        let handlers = paths.map {
            CustomHandler(typeName: $0.0, fieldName: $0.1, entry: "resolvers/\($0.0).\($0.1).req.vtl")
        }
        let reading = SDLReader.read([Source(schema)], handlers: handlers)
        let blueprint = try #require(reading.blueprint)
        func isHandled(_ field: ModelField?) -> Bool { if case .scripts? = field?.resolver { true } else { false } }
        for name in ["own", "echo"] {
            #expect(isHandled(blueprint.customOperations(.query).first { $0.name == name }))
        }
        for name in ["more", "b"] { #expect(isHandled(blueprint.model(named: "A")?.field(named: name))) }
        #expect(blueprint.overriddenOperations[.query]?.map(\.name) == ["listAS"])
        #expect(blueprint.overriddenOperations[.mutation]?.map(\.name) == ["createB"])
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
