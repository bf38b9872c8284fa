import Blueprint
import Engine
import Resolvers

/// What is to be said of the resolvers that a project wrote itself: what does not run, and what AppSync would refuse.
struct ResolverNotices {
    /// What stands in the way of running or of deploying them.
    private(set) var warnings: [Diagnostic] = []
    /// Each resolver, with what it is attached to and what it works on.
    private(set) var listing: [Diagnostic] = []
    /// The functions that they call.
    private(set) var functions: [String] = []

    /// Findings of one file that are told.
    private static let findingsMax = 20

    init(_ schema: ProjectSchema, _ blueprint: Blueprint, _ configuration: Configuration) {
        let handlers = Self.handlers(of: blueprint)
        guard !handlers.isEmpty else { return }
        let resolvers = ProjectResolvers(configuration.resolvers, blueprint, ResolverBackend())
        for handler in handlers {
            let field = "\(handler.typeName).\(handler.fieldName)"
            listing.append(
                Diagnostic(
                    severity: .note, message: "\(field) runs \(handler.entry) on \(handler.dataSource)"))
            read(handler, of: field, schema)
            switch resolvers.source(named: handler.dataSource) {
            case .unserved(let reason)?: warn("\(field) cannot be answered: \(reason)", handler, schema)
            case .function(let name)?: functions.append(name)
            case nil where handler.dataSource != CustomHandler.noSource:
                warn(
                    "\(field) cannot be answered: there is no data source \(handler.dataSource)", handler, schema,
                    hint: "Add it in amplify/backend.ts, or to resolvers.dataSources in the configuration.")
            default: break
            }
        }
    }

    /// All of them, in the order of the schema.
    private static func handlers(of blueprint: Blueprint) -> [CustomHandler] {
        var all: [CustomHandler] = []
        func take(_ resolver: FieldResolver?) {
            if case .scripts(let handlers)? = resolver { all += handlers }
        }
        for type in blueprint.types where type.kind == .object { for field in type.fields { take(field.resolver) } }
        for model in blueprint.models { for field in model.fields { take(field.resolver) } }
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
