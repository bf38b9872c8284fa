import GraphQL

/// The GraphQL schema that AppSync would have for a blueprint: what clients see and what its introspection says.
///
/// Version 2 of the transformer makes it in these stages; version 1 has stages of its own (`Version1/`).
///
///     declared types   what the schema declares, without Amplify's directives (`DeclaredTypes`)
///     model            types, inputs, filters, queries, mutations, subscriptions of each model (`Model…`)
///     predictions      the inputs of `@predictions`
///     keys             what a primary key changes, the queries of indexes (`KeyStage`, `IndexStage`)
///     relations        connections, foreign keys (`RelationStage`)
///     search           the search queries (`SearchStage`)
///     conversations    how language models answer (`ConversationStage`)
///     access           owner fields, arguments of subscriptions, the directives of AppSync's modes (`AccessStage`)
///
/// The stages run in the order of Amplify's transformer, since later ones change what earlier ones made.
package struct APISchema: Sendable {
    /// The types, as Amplify hands them to AppSync: without a `schema` block and without the scalars.
    package let document: Document
    package let roots: RootTypes
    /// What sandbox mode opened to IAM, by type. As printed that shuts out everybody else; here callers who were admitted
    /// before still are.
    package let openedToIAM: [String: OpenedToIAM]

    /// The schema as text. Without `authDirectives` it is what clients may know of it.
    package func printed(authDirectives: Bool = true) -> String {
        authDirectives ? document.printed : document.withoutServiceDirectives.printed
    }
}

extension APISchema {
    /// The document with a `schema` block where the root types have other names than a reader would expect.
    package var documentWithRoots: Document {
        guard roots != RootTypes() else { return document }
        let types: [(OperationType, String)] = [
            (.query, roots.query), (.mutation, roots.mutation), (.subscription, roots.subscription),
        ]
        let declared = Set(document.types.map(\.name.text))
        let block = SchemaDefinition(
            operationTypes: types.filter { declared.contains($0.1) }.map {
                OperationTypeDefinition(operation: $0.0, type: Name($0.1))
            })
        var document = document
        document.definitions.append(.schema(block))
        return document
    }

    /// Makes the schema of a blueprint. What cannot be made is said, with the files that the blueprint was read from.
    package static func generate(
        from blueprint: Blueprint, sources: [Source] = []
    ) -> (schema: APISchema, diagnostics: [Diagnostic]) {
        var generator = APIGenerator(blueprint)
        generator.run()
        let schema = APISchema(
            document: generator.draft.document, roots: blueprint.roots, openedToIAM: generator.openedToIAM)
        return (schema, generator.log.diagnostics(in: sources))
    }
}

/// Where `@aws_iam` was added in a type by the rule of sandbox mode.
package struct OpenedToIAM: Sendable, Hashable {
    /// True if the type itself got it.
    package let isTypeOpened: Bool
    /// Its fields that got it.
    package var fields: Set<String> = []
}

/// Makes the API schema of a blueprint, stage by stage.
struct APIGenerator {
    let blueprint: Blueprint
    var draft = SchemaDraft()
    var log = DiagnosticLog()
    /// What each custom type has been admitted for by the models that hold it.
    var admittedTypes: [String: Set<String>] = [:]
    /// What sandbox mode opens to IAM, by type.
    var openedToIAM: [String: OpenedToIAM] = [:]
    /// The models whose fields of enums have their filters.
    var modelsWithEnumFilters = NameTable()

    var settings: Settings { blueprint.settings }
    var models: [Model] { blueprint.models }

    init(_ blueprint: Blueprint) {
        self.blueprint = blueprint
    }

    mutating func run() {
        guard settings.transformerVersion != 1 else { return runVersion1() }
        addDeclaredTypes()
        addHTTPInputs()
        addSearchTypes()
        addScalarFilters()
        for model in models { addModel(model) }
        addPredictionInputs()
        for model in models where model.key.isCustom { applyKey(of: model) }
        for model in models { for index in model.indexes { addIndex(index, of: model) } }
        addRelations()
        for model in models where model.search != nil { addSearchInputs(of: model) }
        addConversations()
        addAccess()
        warnOfMissingInputs()
    }

    /// Fields of models that hold interfaces or unions have inputs that nobody defines: AppSync refuses them.
    private mutating func warnOfMissingInputs() {
        for model in models {
            for field in model.fields where field.scalar == nil && isAbstract(field.typeName) {
                log.warning(
                    "The input value type '\(Names.customInput(field.typeName))' is not present when resolving type "
                        + "'\(Names.createInput(model.name))'", at: field.position, step: .resolvers(.model),
                    hint: "AppSync refuses such a schema. Keep \(field.name) in a type of its own, or as AWSJSON.")
            }
        }
    }

    private func isAbstract(_ type: String) -> Bool {
        switch blueprint.type(named: type)?.kind {
        case .interface, .union: true
        default: false
        }
    }

    /// Returns whether values of that type, or lists of them, are filtered as scalars or enums.
    func isFilterable(_ type: String) -> Bool { ScalarKind.isScalar(type) || blueprint.isEnum(type) }

    /// The same of a field.
    func isFilterable(_ field: ModelField) -> Bool { field.scalar != nil || blueprint.isEnum(field.typeName) }

    /// Adds a field to a root type, or says that there is one already.
    mutating func addRootField(
        _ field: FieldDefinition, to operation: OperationType, for model: Model, step: DiagnosticLog.Step
    ) {
        let type = blueprint.roots.name(of: operation)
        guard !draft.addRootField(field, to: type) else { return }
        // Two operations of one model are added together, and found out by their resolvers.
        guard !model.operations.hasTwins(named: field.name.text, operation) else { return }
        log.error(
            "Object type extension '\(type)' cannot redeclare field \(field.name)", at: model.position, step: step,
            hint: "Give the field of \(model.name) another name in its directive, or rename the other one.")
    }
}

extension Document {
    /// The same without the directives by which AppSync admits callers.
    var withoutServiceDirectives: Document {
        let kept: (Directive) -> Bool = { !$0.name.text.hasPrefix("aws_") || $0.name.text == "aws_subscribe" }
        var document = self
        for index in document.definitions.indices {
            guard case .type(.object(var object)) = document.definitions[index] else { continue }
            object.directives = object.directives.filter(kept)
            for field in object.fields.indices {
                object.fields[field].directives = object.fields[field].directives.filter(kept)
            }
            document.definitions[index] = .type(.object(object))
        }
        return document
    }
}
