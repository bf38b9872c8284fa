import Blueprint
import Engine
import GraphQL
import Resolvers

/// The notes on the project's own resolvers: those that do not run, and those that AppSync would refuse.
struct ResolverNotices {
    /// The reasons against running or deploying them.
    private(set) var warnings: [Diagnostic] = []
    /// Each resolver, with what it is attached to and what it works on.
    private(set) var listing: [Diagnostic] = []
    /// The functions that they call.
    private(set) var functions: [String] = []

    /// The data sources without rights of which there is a notice.
    private var poorSources: Set<[UInt8]> = []

    /// Findings of one file that are told.
    private static let findingsMax = 20

    init(_ schema: ProjectSchema, _ blueprint: Blueprint, _ configuration: Configuration) {
        let handlers = Self.handlers(of: blueprint)
        guard !handlers.isEmpty else { return }
        let resolvers = ProjectResolvers(configuration.resolvers, blueprint, ResolverBackend())
        warnOfLongPipelines(handlers, schema)
        let middles = Self.middles(of: blueprint)
        let directives = middles.filter { $0.value == .directive }
        for handler in handlers {
            let field = "\(handler.typeName).\(handler.fieldName)"
            guard !handler.isAmplifys else { continue }
            listing.append(
                Diagnostic(
                    severity: .note,
                    message: "\(field) runs \(handler.entry)\(Self.place(of: handler))\(Self.source(of: handler))"))
            if handler.isSlot {
                switch middles[field] {
                case .directive?:
                    warn(
                        "\(handler.entry) runs here, and Amplify leaves it out when it deploys: \(field) has a directive that takes no steps",
                        handler, schema, hint: "Put what it does into the function, or a check into @auth.")
                case .nothing?:
                    warn(
                        "\(field) cannot be answered: \(handler.entry) is a step around a field that nothing answers for",
                        handler, schema, hint: "Put what it does into a resolver of the field's own.")
                case nil: break
                }
            }
            read(handler, of: field, schema)
            if let service = resolvers.serviceWithoutRights(of: handler.dataSource),
                poorSources.insert(Array(handler.dataSource.utf8)).inserted
            {
                warn(
                    "the data source \(handler.dataSource) signs its requests for \(service), and nothing gives its role rights: they are refused with AccessDenied",
                    handler, schema,
                    hint:
                        "Give it some in amplify/backend.ts by dataSource.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: ['\(service):...'], resources: [...] })), "
                        + "or by resolvers.dataSources.\(handler.dataSource).policy in the configuration.")
            }
            // What stands around a pipeline works on nothing itself.
            guard handler.directiveSource == nil, handler.role != .around else { continue }
            switch resolvers.source(named: handler.dataSource) {
            case .unserved(let reason)?: warn("\(field) cannot be answered: \(reason)", handler, schema)
            case .function(let name, _)?: functions.append(name)
            case nil where handler.dataSource.isEmpty && handler.role == .main && directives[field] != nil: break
            case nil where handler.dataSource.isEmpty:
                warn(
                    "\(field) cannot be answered: no resolver in the API's folder stacks says what \(handler.entry) works on",
                    handler, schema)
            case nil where handler.dataSource != CustomHandler.noSource:
                warn(
                    "\(field) cannot be answered: there is no data source \(handler.dataSource)", handler, schema,
                    hint: "Add it in amplify/backend.ts, or to resolvers.dataSources in the configuration.")
            default: break
            }
        }
    }

    /// Its role among the steps of its field, where that is not plain.
    private static func place(of handler: CustomHandler) -> String {
        switch handler.role {
        case .function, .unit, .invocation, .service: ""
        case .around: " around a pipeline"
        case .main: handler.dataSource.hasSuffix(CustomHandler.tableEnding) ? " in the place of Amplify's own" : ""
        case .slot(let slot, let number): " at \(slot.rawValue) \(number)"
        }
    }

    private static func source(of handler: CustomHandler) -> String {
        if handler.role == .around { return "" }
        return " on " + (handler.dataSource.isEmpty ? "nothing that is known" : handler.dataSource)
    }

    /// The notes on steps around a field that is neither an operation of a model nor a relation.
    private enum Middle {
        case directive, nothing
    }

    /// The fields of which that is so, by `Query.name`.
    private static func middles(of blueprint: Blueprint) -> [String: Middle] {
        var middles: [String: Middle] = [:]
        func note(_ type: String, _ field: ModelField, isRelation: Bool) {
            switch field.resolver {
            case .steps?: middles["\(type).\(field.name)"] = .directive
            case .scripts(let handlers)? where !isRelation && handlers.contains(where: \.isSlot):
                middles["\(type).\(field.name)"] = .nothing
            default: break
            }
        }
        for type in blueprint.types where type.kind == .object {
            for field in type.fields { note(type.name, field, isRelation: false) }
        }
        for model in blueprint.models {
            for field in model.fields { note(model.name, field, isRelation: model.relation(named: field.name) != nil) }
        }
        for operation in [OperationType.query, .mutation] {
            for field in blueprint.overriddenOperations[operation] ?? [] {
                middles["\(blueprint.roots.name(of: operation)).\(field.name)"] = nil
            }
        }
        return middles
    }

    /// Functions that AppSync takes in one pipeline.
    private static let functionsMax = 10

    private mutating func warnOfLongPipelines(_ handlers: [CustomHandler], _ schema: ProjectSchema) {
        var counts: [(field: String, count: Int, first: CustomHandler)] = []
        for handler in handlers where handler.role == .function {
            let field = "\(handler.typeName).\(handler.fieldName)"
            if let place = counts.firstIndex(where: { $0.field == field }) {
                counts[place].count += 1
            } else {
                counts.append((field, 1, handler))
            }
        }
        for (field, count, first) in counts where count > Self.functionsMax {
            warn(
                "\(field) has \(count) functions, and AppSync takes at most \(Self.functionsMax) in a pipeline", first,
                schema)
        }
    }

    /// All of them, in the order of the schema.
    private static func handlers(of blueprint: Blueprint) -> [CustomHandler] {
        var all: [CustomHandler] = []
        func take(_ resolver: FieldResolver?) {
            all += resolver?.handlers ?? []
        }
        for type in blueprint.types where type.kind == .object { for field in type.fields { take(field.resolver) } }
        for model in blueprint.models { for field in model.fields { take(field.resolver) } }
        for fields in blueprint.overriddenOperations.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map(\.value) {
            for field in fields { take(field.resolver) }
        }
        all += blueprint.handledSubscriptions.flatMap(\.handlers)
        // A field of the type for subscriptions is among both.
        var seen: Set<CustomHandler> = []
        return all.filter { seen.insert($0).inserted }
    }

    private mutating func read(_ handler: CustomHandler, of field: String, _ schema: ProjectSchema) {
        do throws(ResolverCodeError) {
            let code = try handler.code.read()
            for finding in code.warnings.prefix(Self.findingsMax) {
                warn("\(handler.entry):\(Self.text(finding)), which AppSync warns of", handler, schema)
            }
            if case .javaScript(_, isTypeScript: true) = handler.code {
                warn("\(handler.entry) is TypeScript, which AppSync does not take as it is", handler, schema)
            }
        } catch {
            if case .missing(let reason) = handler.code {
                return warn("\(field) cannot be answered: \(reason)", handler, schema)
            }
            for finding in error.findings.prefix(Self.findingsMax) {
                warn(
                    "\(field) cannot be answered: \(handler.entry):\(Self.text(finding))", handler, schema,
                    hint: "AppSync refuses it, and here the field answers with the error NotImplemented.")
            }
        }
    }

    private static func text(_ finding: ResolverCodeError.Finding) -> String {
        "\(finding.place.line):\(finding.place.column): \(finding.message)"
            + (finding.rule.map { " (\($0))" } ?? "")
    }

    private mutating func warn(
        _ message: String, _ handler: CustomHandler, _ schema: ProjectSchema, hint: String? = nil
    ) {
        warnings.append(.warning(message, at: handler.position, in: schema.reading.sources, hint: hint))
    }
}
