import GraphQL

/// A query of all records of a model whose pages go on by tokens of its own kind: a search or a sync.
final class PagedPlan: Sendable {
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
