import GraphQL

/// A record type: a table, the operations on it, and the rules for it.
///
/// An object, since the value would be dozens of references, and whoever goes through the models would copy them all.
package final class Model: Sendable {
    package let name: String
    package let description: String?
    /// The fields that the schema declares, relations among them, in their order.
    package let fields: [ModelField]
    /// The foreign keys that relations add, in the order in which they are added. Declared ones are not among them.
    package let keyFields: [KeyField]
    package let interfaces: [String]
    /// The directives that its author wrote for AppSync itself (`@aws_iam`, …).
    package let directives: [Directive]
    package let key: ModelKey
    /// The indexes that the schema declares with `@index`, in their order.
    package let indexes: [ModelIndex]
    /// The indexes that relations need and nobody declared, such as `gsi-Post.comments`.
    package let relationIndexes: [ModelIndex]
    package let relations: [Relation]
    package let timestamps: Timestamps
    package let operations: ModelOperations
    /// The rules of `@auth` on the type; nil when the type has none.
    package let rules: [AccessRule]?
    /// Who may do what by role, field and operation; nil when neither the type nor a field has rules.
    package let matrix: AccessMatrix?
    /// The name of its search query, when it has one.
    package let search: SearchQuery?
    /// How conflicting changes are resolved; nil when the later one wins.
    package let conflictStrategy: ConflictStrategy?
    /// The name that its stored data has (`@mapsTo`); its own name otherwise.
    package let storedName: String
    /// True if it was generated for `@manyToMany`.
    package let isJoin: Bool
    /// True if its author has it in an SQL database.
    package let isSQL: Bool
    /// Set for a model of the first transformer's `@versioned`.
    package let versioning: Versioning?
    package let position: Position

    private let fieldNumbers: NameTable
    private let relationNumbers: NameTable

    package init(
        name: String, description: String? = nil, fields: [ModelField], keyFields: [KeyField] = [],
        interfaces: [String] = [], directives: [Directive] = [], key: ModelKey, indexes: [ModelIndex] = [],
        relationIndexes: [ModelIndex] = [], relations: [Relation] = [], timestamps: Timestamps = Timestamps(),
        operations: ModelOperations, rules: [AccessRule]? = nil, matrix: AccessMatrix? = nil,
        search: SearchQuery? = nil, conflictStrategy: ConflictStrategy? = nil, storedName: String? = nil,
        isJoin: Bool = false, isSQL: Bool = false, versioning: Versioning? = nil, position: Position = .none
    ) {
        self.name = name
        self.description = description
        self.fields = fields
        self.keyFields = keyFields
        self.interfaces = interfaces
        self.directives = directives
        self.key = key
        self.indexes = indexes
        self.relationIndexes = relationIndexes
        self.relations = relations
        self.timestamps = timestamps
        self.operations = operations
        self.rules = rules
        self.matrix = matrix
        self.search = search
        self.conflictStrategy = conflictStrategy
        self.storedName = storedName ?? name
        self.isJoin = isJoin
        self.isSQL = isSQL
        self.versioning = versioning
        self.position = position
        fieldNumbers = NameTable(fields.map(\.name))
        relationNumbers = NameTable(relations.map(\.field))
    }

    /// The declared field of that name.
    package func field(named name: String) -> ModelField? {
        fieldNumbers[name].map { fields[$0] }
    }

    package func hasField(named name: String) -> Bool { fieldNumbers.contains(name) }

    /// The relation that the field of that name is.
    package func relation(named field: String) -> Relation? {
        relationNumbers[field].map { relations[$0] }
    }

    /// The index of that name, declared or made for a relation.
    package func index(named name: String) -> ModelIndex? {
        indexes.first { $0.name == name } ?? relationIndexes.first { $0.name == name }
    }

    /// The index that answers the query of that name.
    package func index(answering query: String) -> ModelIndex? {
        indexes.first { $0.query == query }
    }

    /// True if its changes have versions, and can be asked for since a moment.
    package var isSynced: Bool { conflictStrategy != nil }

    /// True if the type has an `id` in the API: it declares one, or the key is the default one.
    package var hasID: Bool { !key.isCustom || hasField(named: "id") }
}

/// A foreign key that a relation adds to a model.
package struct KeyField: Sendable, Hashable {
    package let name: String
    /// The scalar or enum that it holds: the type of the key that it repeats.
    package let typeName: String
    /// True if the type and the create input require it, as the relation's field is required.
    package let isRequired: Bool

    package init(name: String, typeName: String, isRequired: Bool) {
        self.name = name
        self.typeName = typeName
        self.isRequired = isRequired
    }
}

/// Which fields hold the times that Homeport sets; nil for none.
package struct Timestamps: Sendable, Hashable {
    package let createdAt: String?
    package let updatedAt: String?

    package init(createdAt: String? = "createdAt", updatedAt: String? = "updatedAt") {
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The names in their order.
    package var names: [String] { [createdAt, updatedAt].compactMap { $0 } }

    package func contains(_ name: String) -> Bool { name == createdAt || name == updatedAt }
}

/// The full text query of a model.
package struct SearchQuery: Sendable, Hashable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// The version field of the first transformer's `@versioned`: an update must name the version that it changes.
package struct Versioning: Sendable, Hashable {
    /// The field that holds the version.
    package let field: String
    /// The input field that names the version expected.
    package let input: String

    package init(field: String = "version", input: String = "expectedVersion") {
        self.field = field
        self.input = input
    }
}
