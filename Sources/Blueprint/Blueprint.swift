import GraphQL

/// An app's data model: what its models are, how they hang together, who may do what. This is the room's front page.
///
/// An Amplify app describes its data in one schema: in SDL with directives, which `SDL/` reads, or in TypeScript, which the room
/// Project turns into SDL. Everything after it reads the blueprint: the API schema (`API/`), the tables, the access checks, the
/// plans of operations.
///
/// `Model/` has what a blueprint consists of, `Access/` its rules, `Settings/` the switches of the project, `Values/` which
/// values fields take. `Names/` forms the names of the API, `Introspection/` describes the models to client apps, and
/// `Diagnostics/` reports mistakes as compilers do.
///
///     Blueprint
///      ├─ settings            the modes and switches of the project
///      ├─ models              a record type each, with its table, operations and rules
///      │   ├─ fields          what is declared, with defaults, validations and resolvers
///      │   ├─ keyFields       foreign keys that relations add to it
///      │   ├─ key             the primary key: a partition field and any number of sort fields
///      │   ├─ indexes         further keys to query by, each with its query or without
///      │   ├─ relations       fields that lead to other models, each with the lookup that follows it
///      │   ├─ operations      the names of its queries, mutations and subscriptions
///      │   ├─ timestamps      which fields hold the times of creation and change
///      │   ├─ rules           who may do what (`matrix` answers it by role, field and operation)
///      │   └─ search, sync    whether it can be searched, and how conflicts are resolved
///      ├─ conversations       what Amplify adds for `@conversation`
///      └─ types               every other declared type: custom objects, enums, inputs, …, and the root types
///
/// A model `Post` with `comments: [Comment] @hasMany` and `Comment` with `post: Post @belongsTo` give two models, a
/// key field `postCommentsId` on `Comment` with an index `gsi-Post.comments`, and two relations: `Post.comments`
/// looks up that index by the post's key, `Comment.post` looks up the post's key by `postCommentsId`.
/// `@manyToMany` gives a third, generated model, whose records join the other two.
///
/// A blueprint never changes. What a question costs: models, types, fields, indexes and relations are found by name
/// in constant time.
package struct Blueprint: Sendable {
    package let settings: Settings
    /// The models in the order of the schema, then the generated join models.
    package let models: [Model]
    /// Every declared type that is no model, in the order of the schema.
    package let types: [CustomType]
    /// The names of the three root types.
    package let roots: RootTypes
    /// True if API keys may use models without rules: the schema says `input AMPLIFY { globalAuthRule: … }`.
    package let isSandbox: Bool
    /// Subscriptions with a handler of their own.
    package let handledSubscriptions: [HandledSubscription]
    /// The conversations with language models. Two of `models` belong to each.
    package let conversations: [Conversation]

    /// The operations of models that files of the project change, each with those files as what computes it. They are not run.
    package let overriddenOperations: [OperationType: [ModelField]]

    /// True if the project has an API. One without is served with its sign-in, files and functions, and nobody is answered by a schema.
    package let hasAPI: Bool

    private let modelNumbers: NameTable
    private let typeNumbers: NameTable

    package init(
        settings: Settings, models: [Model], types: [CustomType], roots: RootTypes = RootTypes(),
        isSandbox: Bool = false, handledSubscriptions: [HandledSubscription] = [],
        conversations: [Conversation] = [],
        overriddenOperations: [OperationType: [ModelField]] = [:], hasAPI: Bool = true
    ) {
        self.settings = settings
        self.models = models
        self.types = types
        self.roots = roots
        self.isSandbox = isSandbox
        self.handledSubscriptions = handledSubscriptions
        self.conversations = conversations
        self.overriddenOperations = overriddenOperations
        self.hasAPI = hasAPI
        modelNumbers = NameTable(models.map(\.name))
        typeNumbers = NameTable(types.map(\.name))
    }

    /// The model of that name.
    package func model(named name: String) -> Model? {
        modelNumbers[name].map { models[$0] }
    }

    package func hasModel(named name: String) -> Bool { modelNumbers.contains(name) }

    /// The declared type of that name that is no model.
    package func type(named name: String) -> CustomType? {
        typeNumbers[name].map { types[$0] }
    }

    /// Returns whether that name is an enum's.
    package func isEnum(_ name: String) -> Bool {
        typeNumbers[name].map { types[$0].kind == .enumeration } ?? false
    }

    /// The fields that the schema itself declares on a root type.
    package func customOperations(_ operation: OperationType) -> [ModelField] {
        type(named: roots.name(of: operation))?.fields ?? []
    }

    /// The conversation that a model belongs to.
    package func conversation(ofModel name: String) -> Conversation? {
        conversations.first { $0.modelName == name || $0.messageName == name }
    }

    /// The model that a relation leads to.
    package func target(of relation: Relation) -> Model? {
        model(named: relation.target)
    }
}

extension Blueprint {
    /// What stands for the schema of a project that has none. A schema is nothing without a query, so it has one that says so.
    package static func withoutAPI(_ settings: Settings) -> Blueprint {
        let field = ModelField(name: "thisProjectHasNoAPI", type: TypeReference(Name("Boolean")))
        let roots = RootTypes()
        return Blueprint(
            settings: settings, models: [], types: [CustomType(kind: .object, name: roots.query, fields: [field])],
            roots: roots, hasAPI: false)
    }
}

/// The names of the types that operations start at.
package struct RootTypes: Sendable, Hashable {
    package let query: String
    package let mutation: String
    package let subscription: String

    package init(query: String = "Query", mutation: String = "Mutation", subscription: String = "Subscription") {
        self.query = query
        self.mutation = mutation
        self.subscription = subscription
    }

    package func name(of operation: OperationType) -> String {
        switch operation {
        case .query: query
        case .mutation: mutation
        case .subscription: subscription
        }
    }

    /// Returns whether that type is one of the three.
    package func contains(_ name: String) -> Bool {
        name == query || name == mutation || name == subscription
    }
}
