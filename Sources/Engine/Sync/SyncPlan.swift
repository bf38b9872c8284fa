import GraphQL

/// A sync query: pages of all records of a model, or of what changed since a moment.
final class SyncPlan: Sendable {
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

/// When the syncs of an operation begin. It must be asked for before the first record is read.
struct SyncStart {
    let startedAt: Int64
    /// Since when changes are in the logs: who comes from before gets all records.
    let logSince: Int64
}
