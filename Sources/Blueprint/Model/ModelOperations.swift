import GraphQL

/// The names of a model's queries, mutations and subscriptions; nil or empty for those that it does not have.
package struct ModelOperations: Sendable, Hashable {
    /// Who hears of changes.
    package enum SubscriptionLevel: String, Sendable {
        case off
        /// Everybody that AppSync lets in.
        case `public`
        /// Those whom the model's rules let read.
        case on
    }

    package let get: String?
    package internal(set) var list: String?
    /// The query that delivers changes; only with conflict detection.
    package let sync: String?
    package let create: String?
    package let update: String?
    package let delete: String?
    package let onCreate: [String]
    package let onUpdate: [String]
    package let onDelete: [String]
    package let level: SubscriptionLevel
    /// True if the schema says `queries: null`. A root field of its own may then have the name that get or list
    /// would have had, and a custom key shapes that field's arguments all the same.
    package let hasNoQueries: Bool
    /// True if the schema says `subscriptions: null`. There is nobody to hear then, but rules on required fields are
    /// checked as if there were.
    package let hasNoSubscriptions: Bool

    package init(
        get: String?, list: String?, sync: String? = nil, create: String?, update: String?, delete: String?,
        onCreate: [String], onUpdate: [String], onDelete: [String], level: SubscriptionLevel = .on,
        hasNoQueries: Bool = false, hasNoSubscriptions: Bool = false
    ) {
        self.get = get
        self.list = list
        self.sync = sync
        self.create = create
        self.update = update
        self.delete = delete
        self.onCreate = onCreate
        self.onUpdate = onUpdate
        self.onDelete = onDelete
        self.level = level
        self.hasNoQueries = hasNoQueries
        self.hasNoSubscriptions = hasNoSubscriptions
    }

    /// The operations that a model of that name has when nothing is said.
    ///
    /// `plural` is what the name of a list is made from.
    package init(defaultsFor model: String, isSynced: Bool, plural: (String) -> String = Plural.of) {
        let several = Names.upper(plural(model))
        self.init(
            get: Names.operation("get", model), list: "list" + several, sync: isSynced ? "sync" + several : nil,
            create: Names.operation("create", model),
            update: Names.operation("update", model), delete: Names.operation("delete", model),
            onCreate: [Names.subscription("onCreate", model)], onUpdate: [Names.subscription("onUpdate", model)],
            onDelete: [Names.subscription("onDelete", model)])
    }

    /// Returns whether two queries or two mutations have that name.
    func hasTwins(named name: String, _ operation: OperationType) -> Bool {
        let names: [String?] =
            switch operation {
            case .query: [get, list, sync]
            case .mutation: [create, update, delete]
            case .subscription: []
            }
        return names.count { $0 == name } > 1
    }

    /// The subscription fields, each once.
    var subscriptionNames: [String] { level == .off ? [] : Self.unique(onCreate + onUpdate + onDelete) }

    /// The subscription fields that a mutation feeds, each once.
    var heardNames: [String] { Self.unique(subscriptions.map(\.name)) }

    private static func unique(_ names: [String]) -> [String] {
        // A few names: comparing them is faster than hashing.
        names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
    }

    /// The subscription fields with the mutations that feed them. One name can listen to several.
    package var subscriptions: [(name: String, mutation: String)] {
        guard level != .off else { return [] }
        var found: [(name: String, mutation: String)] = []
        found.reserveCapacity(onCreate.count + onUpdate.count + onDelete.count)
        func add(_ names: [String], _ mutation: String?) {
            guard let mutation else { return }
            for name in names { found.append((name, mutation)) }
        }
        add(onCreate, create)
        add(onUpdate, update)
        add(onDelete, delete)
        return found
    }
}
