extension Store {
    /// True if this process is one of several nodes over the database.
    package var isOneOfNodes: Bool { nodeNumber != nil }

    /// The number of this process among the nodes; nil where it is none.
    package var nodeNumber: Int64? { writer.nodes.withLock { $0?.number } }
}

extension Reader {
    /// The numbers of the nodes that live. Whatever carries the number of another node belongs to none.
    package func livingNodes() throws(StoreError) -> Set<Int64> { try NodeRows.livingNodes(on: connection) }
}

extension WriteSession {
    /// The same within a change.
    package func livingNodes() throws(StoreError) -> Set<Int64> { try NodeRows.livingNodes(on: connection) }
}
