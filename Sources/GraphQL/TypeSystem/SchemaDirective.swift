/// A directive that a schema knows. Specification: section 3.13.
package final class SchemaDirective: Sendable {
    package let name: String
    package let description: String?
    package let arguments: InputTable
    package let isRepeatable: Bool
    package let locations: [DirectiveLocation]

    init(
        name: String, description: String?, arguments: InputTable, isRepeatable: Bool, locations: [DirectiveLocation]
    ) {
        self.name = name
        self.description = description
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
    }
}
