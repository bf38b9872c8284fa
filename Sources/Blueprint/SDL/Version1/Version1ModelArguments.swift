import GraphQL

/// The arguments of `@model` in version 1. What a map leaves out is not there, but a map of subscriptions that names none
/// leaves them all.
struct Version1ModelArguments {
    let operations: ModelOperations
    let timestamps: Timestamps

    init(_ directive: Directive, model: String, settings: Settings) {
        let several = Names.upper(model)
        let create = Self.name(directive, "mutations", "create", Names.operation("create", model))
        let update = Self.name(directive, "mutations", "update", Names.operation("update", model))
        let delete = Self.name(directive, "mutations", "delete", Names.operation("delete", model))
        let subscriptions = directive.object("subscriptions")
        let given = ["onCreate", "onUpdate", "onDelete"].map { subscriptions?.value($0)?.texts }
        let namesNone = given.allSatisfy { $0 == nil }
        func events(_ number: Int, _ event: String, _ mutation: String?) -> [String] {
            guard namesNone else { return given[number] ?? [] }
            return mutation == nil ? [] : [event + Names.upper(model)]
        }
        operations = ModelOperations(
            get: Self.name(directive, "queries", "get", Names.operation("get", model)),
            list: Self.name(directive, "queries", "list", "list" + settings.plural(of: several)),
            // Its plural is always formed by rules.
            sync: settings.conflictStrategy(of: model) == nil ? nil : "sync" + Names.upper(Plural.of(model)),
            create: create, update: update, delete: delete, onCreate: events(0, "onCreate", create),
            onUpdate: events(1, "onUpdate", update), onDelete: events(2, "onDelete", delete),
            level: Self.level(directive))
        timestamps = ModelArguments.timestamps(of: directive)
    }

    /// A name from a map; nil when the map does not have it.
    private static func name(_ directive: Directive, _ argument: String, _ key: String, _ usual: String) -> String? {
        guard let value = directive.argument(argument) else { return usual }
        return value.object?.value(key)?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func level(_ directive: Directive) -> ModelOperations.SubscriptionLevel {
        guard let value = directive.argument("subscriptions") else { return .on }
        guard let object = value.object else { return .off }
        return object.value("level")?.text.flatMap(ModelOperations.SubscriptionLevel.init) ?? .on
    }
}
