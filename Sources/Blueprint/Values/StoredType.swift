import GraphQL

/// The type of a field in the records of a model.
package struct StoredType: Sendable, Hashable {
    let reference: TypeReference

    /// A scalar that may be null.
    package init(scalar name: String) { reference = TypeReference(named: name) }

    init(_ reference: TypeReference) { self.reference = reference }

    package var isRequired: Bool { reference.wrapping.isNonNull }
}

extension Model {
    /// The type of a stored field, whether the schema declares it or a key, a relation or the model itself adds it.
    package func storedType(of field: String) -> StoredType? {
        if let declared = self.field(named: field) { return StoredType(declared.type) }
        if field == "id" { return StoredType(TypeReference(named: "ID").nonNull) }
        if timestamps.names.contains(field) { return StoredType(TypeReference(named: "AWSDateTime").nonNull) }
        if field == versioning?.field { return StoredType(scalar: "Int") }
        if let key = keyFields.first(where: { $0.name == field }) { return StoredType(scalar: key.typeName) }
        let parts = key.parts + (indexes + relationIndexes).flatMap(\.parts)
        return parts.first { $0.field == field }.map { StoredType(scalar: $0.typeName) }
    }
}
