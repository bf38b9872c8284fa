/// A model's primary key: the field that says where a record is, and the fields that order those in one place.
package struct ModelKey: Sendable, Hashable {
    package let partition: KeyPart
    package let sort: [KeyPart]
    /// True if the schema chose it with `@primaryKey`; otherwise it is `id`.
    package let isCustom: Bool

    package init(partition: KeyPart = .id, sort: [KeyPart] = [], isCustom: Bool = false) {
        self.partition = partition
        self.sort = sort
        self.isCustom = isCustom
    }

    /// All parts, the partition first.
    package var parts: [KeyPart] { [partition] + sort }
    package var fields: [String] { parts.map(\.field) }
}

/// A field in a key, with the type that it has there.
package struct KeyPart: Sendable, Hashable {
    package let field: String
    /// The scalar or enum.
    package let typeName: String

    package static let id = KeyPart(field: "id", typeName: "ID")

    package init(field: String, typeName: String) {
        self.field = field
        self.typeName = typeName
    }
}

/// A further key of a model: records are found by its partition field, in the order of its sort fields.
package struct ModelIndex: Sendable, Hashable {
    package enum Projection: Sendable, Hashable {
        case all
        case keysOnly
        case include([String])
    }

    package let name: String
    package let partition: KeyPart
    package let sort: [KeyPart]
    /// The query that reads it; nil for none.
    package let query: String?
    package let projection: Projection
    /// The argument of its query that takes the partition field.
    package let argument: String
    /// True if the schema left out the name. A relation cannot refer to such an index.
    package let isNameGenerated: Bool

    package init(
        name: String, partition: KeyPart, sort: [KeyPart] = [], query: String? = nil,
        projection: Projection = .all, argument: String? = nil, isNameGenerated: Bool = false
    ) {
        self.name = name
        self.partition = partition
        self.sort = sort
        self.query = query
        self.projection = projection
        self.argument = argument ?? partition.field
        self.isNameGenerated = isNameGenerated
    }

    package var parts: [KeyPart] { [partition] + sort }
}
