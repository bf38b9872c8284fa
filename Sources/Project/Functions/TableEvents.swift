import Blueprint

/// A table of whose changes a function is told, and how: what an event source mapping of Lambda says.
package struct TableEvents: Sendable, Equatable {
    /// The model whose table it is, or the name of a table of the project's own.
    package var model: String
    package let isOwn: Bool
    /// How many changes it is told of at once at the most.
    package var batchSize: Int?
    /// True if it is told of what was changed before it came, too (`TRIM_HORIZON`).
    package var beginsWithOldest = false
    /// Patterns as JSON, one of which a change has to fit; empty: all do.
    package var filters: [String] = []
    /// True if there are others that cannot be read before they are deployed: then it is told of all changes.
    package var hasUnreadFilters = false
    /// How often a part that failed is told again; -1: until it is too old. Nil: as is usual.
    package var retryAttempts: Int?
    /// True if a part that failed is told again in halves; nil: as is usual.
    package var bisects: Bool?
    package var reportsItemFailures = false

    package init(_ model: String, isOwn: Bool = false) { (self.model, self.isOwn) = (model, isOwn) }
}
