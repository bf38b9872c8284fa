extension Store {
    /// True if this process is one of several nodes over the database.
    package var isOneOfNodes: Bool { nodeNumber != nil }

    /// The number of this process among the nodes; nil where it is none.
    package var nodeNumber: Int64? { writer.nodes.withLock { $0?.number } }
}
