import GraphQL

/// A field of a model, of a custom object or interface, or of a root type.
package final class ModelField: Sendable {
    package let name: String
    package let description: String?
    /// The type as it was declared.
    package let type: TypeReference
    package let arguments: [InputValueDefinition]
    /// The directives that reach AppSync: `@aws_*` and `@deprecated`.
    package let directives: [Directive]
    /// The rules of `@auth` on the field, which replace those of its model; nil when it has none.
    package let rules: [AccessRule]?
    /// What `@default` puts in on create.
    package let defaultValue: String?
    /// What `@validate` checks, in its order.
    package let validations: [FieldValidation]
    /// What computes its value, when it is not stored.
    package let resolver: FieldResolver?
    /// True if the database makes its value when none is given: the next whole number.
    package let isGenerated: Bool
    /// True if it stands in an `extend type`: part of the type, but not of what model-level rules cover.
    package let isExtension: Bool
    package let position: Position
    /// The kind of the scalar that it holds, or that the lists in it hold; nil for another type.
    package let scalar: ScalarKind?

    package init(
        name: String, description: String? = nil, type: TypeReference, arguments: [InputValueDefinition] = [],
        directives: [Directive] = [], rules: [AccessRule]? = nil, defaultValue: String? = nil,
        validations: [FieldValidation] = [], resolver: FieldResolver? = nil, isGenerated: Bool = false,
        isExtension: Bool = false, position: Position = .none
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.arguments = arguments
        self.directives = directives
        self.rules = rules
        self.defaultValue = defaultValue
        self.validations = validations
        self.resolver = resolver
        self.isGenerated = isGenerated
        self.isExtension = isExtension
        self.position = position
        scalar = ScalarKind(scalar: type.name.text)
    }

    /// The named type inside all lists.
    package var typeName: String { type.name.text }
    package var isList: Bool { type.wrapping.isList }
    package var isRequired: Bool { type.wrapping.isNonNull }
    /// True if filters compare it as a list when it holds enums. Amplify takes a list that is required for a value.
    package var isFilteredAsList: Bool { isList && !isRequired }
}

/// A check of `@validate` on a field's value.
package struct FieldValidation: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case gt, lt, gte, lte, minLength, maxLength, startsWith, endsWith, matches

        /// True if it compares numbers.
        package var isNumeric: Bool { self == .gt || self == .lt || self == .gte || self == .lte }
        /// True if it measures a length.
        package var isLength: Bool { self == .minLength || self == .maxLength }
    }

    package let kind: Kind
    package let value: String
    package let errorMessage: String?

    package init(kind: Kind, value: String, errorMessage: String? = nil) {
        self.kind = kind
        self.value = value
        self.errorMessage = errorMessage
    }
}
