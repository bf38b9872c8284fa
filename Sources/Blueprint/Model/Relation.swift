/// A field that leads from a model to another, or to itself.
package struct Relation: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case hasOne
        case hasMany
        case belongsTo
        /// Leads to the join model.
        case manyToMany

        /// True if the field is a connection with items.
        package var isMany: Bool { self == .hasMany || self == .manyToMany }
    }

    /// What is read to follow the relation.
    package enum Lookup: Sendable, Hashable {
        /// The record of that primary key.
        case primaryKey
        /// The records of an index of the target.
        case index(String)
    }

    /// Where the fields that hold the link come from.
    package enum Link: Sendable, Hashable {
        /// Nobody named them: they are key fields, added by this relation or by its counterpart.
        case implicit
        /// `fields:` on this side.
        case fields
        /// `references:` on both sides, fields of the child.
        case references
    }

    package let kind: Kind
    /// The model that the field belongs to.
    package let model: String
    package let field: String
    /// The model that it leads to.
    package let target: String
    package let lookup: Lookup
    package let link: Link
    /// The fields of this model whose values are looked up, in the order of the key looked in. Null in the first
    /// means that there is nothing to find.
    package let sourceFields: [String]
    /// The fields of the target that they are compared with.
    package let targetFields: [String]
    /// The page size of a connection when the caller gives none.
    package let limit: Int
    /// True if the field can never be null.
    package let isRequired: Bool

    /// The sort fields that its connection takes a condition on; empty for none. When the relation is implicit they
    /// are those of the target's own key, and the condition has no effect.
    package let sortParts: [KeyPart]
    /// The index that the schema names for it.
    package let indexName: String?
    /// The foreign keys that it adds where they are not declared: to the target of a `@hasMany`, to its own model
    /// otherwise.
    package let keyFields: [KeyField]

    package static let limitDefault = 100

    package init(
        kind: Kind, model: String, field: String, target: String, lookup: Lookup, link: Link,
        sourceFields: [String], targetFields: [String], limit: Int = Relation.limitDefault,
        isRequired: Bool = false, sortParts: [KeyPart] = [], indexName: String? = nil, keyFields: [KeyField] = []
    ) {
        self.kind = kind
        self.model = model
        self.field = field
        self.target = target
        self.lookup = lookup
        self.link = link
        self.sourceFields = sourceFields
        self.targetFields = targetFields
        self.limit = limit
        self.isRequired = isRequired
        self.sortParts = sortParts
        self.indexName = indexName
        self.keyFields = keyFields
    }

    /// The model that its key fields belong to.
    package var keyOwner: String { kind.isMany ? target : model }
}
