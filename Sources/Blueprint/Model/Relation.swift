/// A field that leads from a model to another, or to itself.
package struct Relation: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case hasOne
        case hasMany
        case belongsTo
        /// Leads to the join model.
        case manyToMany

        /// Whether the field is a connection with items.
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
    /// Whether the field can never be null.
    package let isRequired: Bool

    package static let limitDefault = 100

    package init(
        kind: Kind, model: String, field: String, target: String, lookup: Lookup, link: Link,
        sourceFields: [String], targetFields: [String], limit: Int = Relation.limitDefault, isRequired: Bool = false
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
    }
}
