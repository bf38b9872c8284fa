import GraphQL

/// `@model`: an object type becomes a table with queries, mutations and subscriptions.
extension SDLReading {
    mutating func readModels() {
        for use in uses(of: "model", step: .visit(.model)) {
            guard case .object(let object, _) = use.owner, models[use.typeName] == nil else { continue }
            guard !schema.roots.contains(use.typeName) else {
                refuseReservedName(use)
                continue
            }
            guard hasKey(object) else {
                log.error(
                    "SQL model \"\(use.typeName)\" must contain a primary key field", at: use.position,
                    step: .visit(.model), hint: "Declare the field id, or name the key with .identifier([...]).")
                continue
            }
            checkID(of: object)
            let arguments = ModelArguments(use.directive, model: use.typeName, settings: settings)
            models[use.typeName] = ModelDraft(
                object, operations: arguments.operations, timestamps: arguments.timestamps)
            modelOrder.append(use.typeName)
            warnOfTimestamps(of: object, arguments.timestamps)
        }
    }

    mutating func refuseReservedName(_ use: DirectiveUse) {
        log.error(
            "'\(use.typeName)' is a reserved type name and currently in use within the default schema element.",
            at: use.position, step: .visit(.model),
            hint: "Rename the type, or name other root types in a schema block.")
    }

    /// A record is found by one value. Amplify's transformer crashes here.
    private mutating func checkID(of object: ObjectTypeDefinition) {
        guard let id = object.fields.first(where: { $0.name.text == "id" }), id.isList,
            !object.fields.contains(where: { $0.directives.contains(named: "primaryKey") })
        else { return }
        log.error(
            "The primary key on type '\(object.name).id' cannot be a non-scalar.", at: id.name.position,
            step: .resolvers(.model), hint: "Write id: ID!, or choose another field with @primaryKey.")
    }

    /// An SQL table has no key but its own.
    private func hasKey(_ object: ObjectTypeDefinition) -> Bool {
        !notes.sqlModels.contains(object.name.text)
            || object.fields.contains { $0.directives.contains(named: "primaryKey") }
    }

    private mutating func warnOfTimestamps(of object: ObjectTypeDefinition, _ timestamps: Timestamps) {
        for field in object.fields where timestamps.contains(field.name.text) {
            guard field.typeName != "String", field.typeName != "AWSDateTime" else { continue }
            log.warning(
                "type \(object.name).\(field.name) is not of String or AWSDateTime. "
                    + "Auto population is not supported", at: field.position, step: .schema(.model))
        }
    }
}

/// The arguments of `@model`, put together with the defaults.
///
/// What an object leaves out has its default when objects are merged; otherwise it is not there.
struct ModelArguments {
    var operations: ModelOperations
    let timestamps: Timestamps

    init(_ directive: Directive, model: String, settings: Settings) {
        let defaults = ModelOperations(defaultsFor: model, isSynced: settings.isSynced, plural: settings.plural(of:))
        let isMerging = settings.shouldDeepMergeDirectiveConfigDefaults
        let reader = Reader(directive: directive, isMerging: isMerging)
        let level = reader.level
        let keepsNames = reader.namesNoSubscription && (isMerging || level == .public)
        func events(_ key: String, _ usual: [String]) -> [String] {
            keepsNames ? usual : reader.names("subscriptions", key, usual)
        }
        operations = ModelOperations(
            get: reader.name("queries", "get", defaults.get), list: reader.name("queries", "list", defaults.list),
            sync: reader.name("queries", "sync", defaults.sync),
            create: reader.name("mutations", "create", defaults.create),
            update: reader.name("mutations", "update", defaults.update),
            delete: reader.name("mutations", "delete", defaults.delete),
            onCreate: events("onCreate", defaults.onCreate), onUpdate: events("onUpdate", defaults.onUpdate),
            onDelete: events("onDelete", defaults.onDelete), level: level, hasNoQueries: directive.isNull("queries"),
            hasNoSubscriptions: directive.isNull("subscriptions"))
        timestamps = Self.timestamps(of: directive)
    }

    static func timestamps(of directive: Directive) -> Timestamps {
        guard let value = directive.argument("timestamps") else { return Timestamps() }
        guard let object = value.object else { return Timestamps(createdAt: nil, updatedAt: nil) }
        // A name that is left out is always the usual one: only null and an empty text remove it.
        func name(_ key: String) -> String? {
            guard let value = object.value(key) else { return key }
            return value.text.flatMap { $0.isEmpty ? nil : $0 }
        }
        return Timestamps(createdAt: name("createdAt"), updatedAt: name("updatedAt"))
    }

    private struct Reader {
        let directive: Directive
        let isMerging: Bool

        /// A name from an object argument; nil when it is removed.
        func name(_ argument: String, _ key: String, _ usual: String?) -> String? {
            guard let value = directive.argument(argument) else { return usual }
            guard let object = value.object else { return nil }
            guard let name = object.value(key) else { return isMerging ? usual : nil }
            return name.text.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// Names from an object argument. An empty list merges into the default, as it has nothing to replace it.
        func names(_ argument: String, _ key: String, _ usual: [String]) -> [String] {
            guard let value = directive.argument(argument) else { return usual }
            guard let object = value.object else { return [] }
            guard let names = object.value(key) else { return isMerging ? usual : [] }
            guard let texts = names.texts else { return [] }
            return texts.isEmpty && isMerging ? usual : texts
        }

        /// True if `subscriptions` is an object that names no subscription field.
        var namesNoSubscription: Bool {
            guard let object = directive.object("subscriptions") else { return false }
            return !["onCreate", "onUpdate", "onDelete"].contains { object.value($0) != nil }
        }

        var level: ModelOperations.SubscriptionLevel {
            guard let value = directive.argument("subscriptions") else { return .on }
            guard let object = value.object else { return .off }
            return object.value("level")?.text.flatMap(ModelOperations.SubscriptionLevel.init) ?? .on
        }
    }
}
