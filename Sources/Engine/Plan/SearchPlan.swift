import GraphQL

/// A search query: pages of records, how many there are, and sums over all of them.
final class SearchPlan: Sendable {
    let type: RecordType
    let arguments: ArgumentTemplate
    let connection: ConnectionPlan
    /// What its tokens are good for, beside the arguments.
    let scope: String

    init(_ type: RecordType, arguments: ArgumentTemplate, connection: ConnectionPlan, scope: String) {
        self.type = type
        self.arguments = arguments
        self.connection = connection
        self.scope = scope
    }
}
