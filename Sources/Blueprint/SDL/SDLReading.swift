import GraphQL

/// A schema while its directives are read: what has been found so far, and what is wrong.
struct SDLReading {
    let schema: AmplifyDocument
    let settings: Settings
    let notes: DocumentNotes
    var log: DiagnosticLog

    /// What is known of each model, by name.
    var models: [String: ModelDraft] = [:]
    /// The models in their order, join models at the end.
    var modelOrder: [String] = []
    /// The relations as they are written, in the order in which they are read.
    var relationDrafts: [RelationDraft] = []
    /// The two sides of each relation by `@manyToMany`, by the name of the join model, and the order of those.
    var joins: [String: [JoinSide]] = [:]
    var joinOrder: [String] = []
    var fieldRules: [FieldPath: [AccessRule]] = [:]
    var resolvers: [FieldPath: FieldResolver] = [:]
    var defaults: [FieldPath: String] = [:]
    /// The fields whose values the database makes.
    var generated: Set<FieldPath> = []
    var validations: [FieldPath: [FieldValidation]] = [:]

    /// The conversations with language models.
    let conversations: [Conversation]

    init(_ definitions: [Definition], settings: Settings, notes: DocumentNotes, log: DiagnosticLog) {
        conversations = ConversationModels.conversations(in: definitions, amplifysHandlers: notes.amplifysHandlers)
        schema = AmplifyDocument(definitions + conversations.flatMap(ConversationModels.definitions))
        self.settings = settings
        self.notes = notes
        resolvers = notes.resolvers
        self.log = log
    }

    /// True if the schema is for version 1 of the transformer.
    var isLegacy: Bool { settings.transformerVersion == 1 }

    /// Reads all directives, part by part, in the order of Amplify's transformer.
    mutating func readDirectives() {
        checkApplied()
        defer { checkGivenNames() }
        guard !isLegacy else { return readVersion1Directives() }
        readModels()
        readFunctions()
        readHTTPCalls()
        readPredictions()
        readPrimaryKeys()
        readIndexes()
        readRelations(.hasMany)
        readRelations(.hasOne)
        readManyToMany()
        readRelations(.belongsTo)
        readDefaults()
        readStoredNames()
        readStatements()
        readSearches()
        readAssistants()
        takeFiles()
        readValidations()
        readRules()
        makeJoinModels()
        resolveRelations()
        checkTools()
        checkAssistantTypes()
        checkKeyTypes()
        checkLinkTypes()
    }

    /// Files of the project come before directives: what they do may be a check that must not be left out.
    mutating func takeFiles() {
        let version = settings.transformerVersion
        for (path, steps) in notes.resolvers {
            // What a function says to subscribers is for nobody to change.
            let isKept = path.type != schema.roots.subscription || steps.handlers.allSatisfy(\.isSlot)
            guard let steps = steps.fitting(resolvers[path], version: version) else {
                if case .scripts? = resolvers[path] { resolvers[path] = nil }
                continue
            }
            resolvers[path] =
                isKept
                ? resolvers[path]?.under(steps, version: version, required: requiredArguments(at: path)) ?? steps
                : steps
        }
        guard !notes.invocations.isEmpty else { return }
        for (path, resolver) in resolvers where path.type != schema.roots.subscription {
            resolvers[path] = resolver.calling(notes.invocations, at: path)
        }
    }

    /// The arguments of a field that callers have to give, as the schema is written.
    private func requiredArguments(at path: FieldPath) -> [String] {
        guard let call = resolvers[path]?.httpCall else { return [] }
        let parameters = call.pathParameters
        let fields = (schema.objects[path.type]?.fields ?? []) + (schema.extensionFields[path.type] ?? [])
        let field = fields.first { $0.name.text.utf8.elementsEqual(path.field.utf8) }
        return (field?.arguments ?? []).filter { argument in
            argument.type.wrapping.isNonNull && !parameters.contains(argument.name.text)
                && (parameters.isEmpty || ScalarKind.isScalar(argument.type.name.text))
        }.map(\.name.text)
    }

    /// The places where a directive is applied, but for those where it cannot be.
    mutating func uses(of directive: String, step: DiagnosticLog.Step) -> [DirectiveUse] {
        let uses = schema.uses[directive] ?? []
        guard uses.contains(where: \.owner.isExtension) else { return uses }
        return uses.filter { isSupported($0, step: step) }
    }

    private mutating func isSupported(_ use: DirectiveUse, step: DiagnosticLog.Step) -> Bool {
        guard use.owner.isExtension else { return true }
        let name = use.directive.name
        if use.field == nil {
            log.error(
                "Directives are not supported on object or interface extensions. "
                    + "See the '@\(name)' directive on '\(use.typeName)'", at: use.position, step: step,
                hint: "Move the directive to the definition of \(use.typeName).")
            return false
        }
        guard let field = use.field else { return true }
        let isKnownThere = Self.directivesOfExtensions.contains(name.text)
        guard !isKnownThere || !schema.roots.contains(use.typeName) else { return true }
        log.error(
            isKnownThere
                ? "The '@\(name)' directive cannot be used on fields of type extensions other than 'Query', 'Mutation', "
                    + "and 'Subscription'. See \(use.typeName).\(field.name)"
                : "The '@\(name)' directive is not supported on fields of extended types", at: use.position, step: step,
            hint: "Move the field to the definition of \(use.typeName).")
        return false
    }

    /// The directives that fields may have which an extension adds to a root type.
    private static let directivesOfExtensions: Set = ["auth", "function", "http"]

    /// Directives that the schema defines itself mean nothing to anybody.
    private mutating func checkApplied() {
        // Those of plug-ins are named by the rules of the language.
        guard settings.plugIns.isEmpty else { return }
        let directives = DirectiveSet.version(settings.transformerVersion)
        let applied = directives.applied.union(directives.othersNames)
        let unknown = schema.uses.filter { !applied.contains($0.key) }
        for use in unknown.values.joined() {
            log.error(
                "Unknown directive '\(use.directive.name)'. Either remove the directive from the schema or add a "
                    + "transformer to handle it.", at: use.position, step: .visit(.model))
        }
    }
}

/// A field by its type and name.
package struct FieldPath: Hashable, Sendable {
    package let type: String
    package let field: String

    package init(type: String, field: String) { (self.type, self.field) = (type, field) }
}

/// What is known of a model while its schema is read.
struct ModelDraft {
    let name: String
    /// Its definition as it stands, without what extensions add.
    let definition: ObjectTypeDefinition
    var operations: ModelOperations
    var timestamps: Timestamps
    var key = ModelKey()
    var keyPosition = Position.none
    var indexes: [ModelIndex] = []
    var indexPositions: [String: Position] = [:]
    var relations: [Relation] = []
    var relationIndexes: [ModelIndex] = []
    var rules: [AccessRule]?
    var matrix: AccessMatrix?
    var search: SearchQuery?
    var storedName: String?
    var isJoin = false
    var versioning: Versioning?

    init(_ definition: ObjectTypeDefinition, operations: ModelOperations, timestamps: Timestamps) {
        name = definition.name.text
        self.definition = definition
        self.operations = operations
        self.timestamps = timestamps
    }

    /// The declared field of that name.
    func field(_ name: String) -> FieldDefinition? {
        fieldNumber(name).map { definition.fields[$0] }
    }

    func hasField(_ name: String) -> Bool { fieldNumber(name) != nil }

    /// By number, so that no field is copied that is not asked for.
    private func fieldNumber(_ name: String) -> Int? {
        for number in definition.fields.indices where definition.fields[number].name.text == name { return number }
        return nil
    }

    /// The type of a field that is in a key: as declared, or that of an automatic field.
    func keyPart(_ field: String) -> KeyPart? {
        if let declared = self.field(field) { return KeyPart(field: field, typeName: declared.typeName) }
        return field == "id" ? .id : nil
    }
}
