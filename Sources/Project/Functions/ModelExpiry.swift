import Blueprint

/// A field of a model that says when its record is to go, in seconds since 1970: `timeToLiveAttribute` of its table.
package struct ModelExpiry: Sendable, Equatable {
    package let model: String
    package let field: String

    package init(model: String, field: String) {
        self.model = model
        self.field = field
    }
}
