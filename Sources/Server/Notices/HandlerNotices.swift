import Blueprint
import Engine
import GraphQL

/// The fields of a schema that will answer null or an error, since nothing here computes them.
struct HandlerNotices {
    private(set) var diagnostics: [Diagnostic] = []
    /// The functions that the schema names, as their authors call them.
    private(set) var functionNames: [String] = []
    /// The functions of the configuration that no field calls.
    private(set) var unusedFunctions: Set<String>

    /// Fields of one kind, which are said in one line.
    private struct Group {
        let message: (String) -> String
        let hint: String?
        let position: Position
        var fields: [String] = []
    }

    init(
        _ schema: ProjectSchema, _ blueprint: Blueprint, _ configuration: Configuration, called: [String] = []
    ) {
        let directory = FunctionDirectory(configuration.engine.functions, givenNames: schema.reading.givenNames)
        unusedFunctions = Set(configuration.engine.functions.keys).subtracting(called)
        var groups: [(key: String, group: Group)] = []
        func add(_ field: String, to key: String, _ group: @autoclosure () -> Group) {
            let number = groups.firstIndex { $0.key == key }
            if number == nil { groups.append((key, group())) }
            groups[number ?? groups.count - 1].group.fields.append(field)
        }
        lazy var generated = Self.generatedOperations(blueprint)
        let (query, mutation) = (blueprint.roots.query, blueprint.roots.mutation)
        for (type, field) in Self.fields(of: blueprint) {
            // Nearly all fields are of records.
            if field.resolver == nil, type != query, type != mutation { continue }
            let name = "\(type).\(field.name)"
            func call(_ called: String) {
                let candidates = directory.candidates(called, field.name)
                unusedFunctions.subtract(candidates)
                let function = directory.givenName(of: called)
                if !functionNames.contains(function) { functionNames.append(function) }
                guard type != blueprint.roots.subscription, !directory.isConfigured(called, field.name) else { return }
                add(name, to: "function \(called)", Self.missing(function, at: field.position))
            }
            for handler in field.resolver?.handlers ?? [] {
                if case .function(let name)? = handler.directiveSource { call(name) }
            }
            switch field.resolver?.inner {
            case .functions(let calls)?: for one in calls { call(one.name) }
            case .conversation(let conversation, let step)? where directory.handler(of: conversation) != nil:
                // Its other mutations are how the function answers.
                if step == .send, let handler = directory.handler(of: conversation) { call(handler) }
            case .generation?, .conversation?:
                if configuration.language.isStandIn { add(name, to: "stand-in", Self.standIn(at: field.position)) }
            // What is to be said of them stands in the notices of resolvers.
            case .http?, .scripts?, .steps?: break
            // What becomes of subscriptions with handlers is said where the schema is read.
            case .some where type == blueprint.roots.subscription: break
            case .some(let resolver):
                let kind = Self.kind(of: resolver)
                add(name, to: kind, Self.unrunnable(kind, at: field.position))
            case nil:
                guard !generated.contains(field.name) else { continue }
                add(name, to: "none", Self.unresolved(at: field.position))
            }
        }
        diagnostics = groups.map { _, group in
            .warning(
                group.message(Self.list(group.fields)), at: group.position, in: schema.reading.sources, hint: group.hint
            )
        }
    }

    private static func missing(_ function: String, at position: Position) -> Group {
        Group(
            message: { "\($0) cannot be answered: the function \"\(function)\" has no URL" },
            hint:
                "Say where it is called: \"functions\": {\"\(function)\": {\"url\": \"http://127.0.0.1:9002/\"}} in the "
                + "configuration.", position: position)
    }

    private static func standIn(at position: Position) -> Group {
        Group(
            message: { "\($0) is answered by a stand-in: no language model is set up" },
            hint:
                "Say who answers: \"bedrock\": {\"openai\": \"http://127.0.0.1:11434/v1\"} in the configuration, or bedrock.url, or "
                + "bedrock.rules for tests (docs/ai.md).", position: position)
    }

    private static func unrunnable(_ kind: String, at position: Position) -> Group {
        Group(
            message: { "\($0) cannot be answered: \(kind) does not run here" },
            hint: "Each answers with the error NotImplemented. A function can be used in its place.", position: position
        )
    }

    private static func unresolved(at position: Position) -> Group {
        Group(
            message: { "\($0) has nothing that computes it, so it is always null" },
            hint: "Give it @function(name: \"…\"), @http(url: \"…\"), or a resolver in the folder resolvers.",
            position: position)
    }

    private static func kind(of resolver: FieldResolver) -> String {
        switch resolver {
        case .scripts, .steps: "a handler"
        case .sql: "an SQL statement"
        case .predictions: "@predictions"
        case .generation, .conversation: "a language model"
        case .functions, .http: "a function"
        }
    }

    /// All fields that may be computed, with their types, in the order of the schema.
    private static func fields(of blueprint: Blueprint) -> [(type: String, field: ModelField)] {
        let ofModels = blueprint.models.flatMap { model in model.fields.map { (type: model.name, field: $0) } }
        let ofTypes = blueprint.types.flatMap { type in
            type.kind == .object ? type.fields.map { (type: type.name, field: $0) } : []
        }
        return ofTypes + ofModels
    }

    /// A field of a root type by the name of a model's operation is that operation.
    private static func generatedOperations(_ blueprint: Blueprint) -> Set<String> {
        Set(
            blueprint.models.flatMap { model in
                let operations = model.operations
                return [
                    operations.get, operations.list, operations.sync, operations.create, operations.update,
                    operations.delete, model.search?.name,
                ].compactMap(\.self) + model.indexes.compactMap(\.query)
            })
    }

    /// Some of them by name: a schema may have hundreds.
    private static let namesMax = 5

    private static func list(_ names: [String]) -> String {
        guard names.count > namesMax else { return names.joined(separator: ", ") }
        return names.prefix(namesMax).joined(separator: ", ") + " and \(names.count - namesMax) more"
    }
}
