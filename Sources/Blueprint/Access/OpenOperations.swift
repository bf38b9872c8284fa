/// Which of the operations stay open that no rule names. Only version 1 of the transformer opens them.
package enum OpenOperations: String, Sendable, Hashable, CaseIterable {
    /// All of them: what that version means by saying nothing.
    case all
    /// Those that read. What nobody has a rule to write, nobody writes.
    case reads
    /// None: what no rule names is closed, as in version 2.
    case nothing = "none"

    /// Returns whether an operation stays open that no rule names.
    package func contains(_ operation: OperationSet) -> Bool {
        switch self {
        case .all: true
        case .reads: operation.isSubset(of: .read)
        case .nothing: false
        }
    }
}

extension Sequence<AccessRule> {
    /// Those that name an operation.
    package func naming(_ operation: OperationSet) -> [AccessRule] {
        filter { $0.operations.isSuperset(of: operation) }
    }
}

extension Blueprint {
    /// The operations of models that are open because no rule names them, by the words that rules have for them: writes in
    /// their order, then reads. None in a project of version 2.
    package var openOperations: [(model: Model, writes: [String], reads: [String])] {
        guard settings.transformerVersion == 1 else { return [] }
        let followed = Set(models.flatMap { $0.relations.map(\.target) })
        return models.compactMap { model in
            let rules = model.rules ?? []
            func isOpen(_ operation: OperationSet) -> Bool {
                settings.version1OpenOperations.contains(operation) && rules.naming(operation).isEmpty
            }
            let operations = model.operations
            let writes: [(String, OperationSet, Bool)] = [
                ("create", .create, operations.create != nil), ("update", .update, operations.update != nil),
                ("delete", .delete, operations.delete != nil),
            ]
            let hasOtherReads =
                model.indexes.contains { $0.query != nil } || model.search != nil || operations.sync != nil
                || !operations.subscriptions.isEmpty || followed.contains(model.name)
            var reads = [
                operations.get != nil && isOpen(.get) ? "get" : nil,
                operations.list != nil && isOpen(.list) ? "list" : nil,
                hasOtherReads && isOpen(.indirectRead) ? "read" : nil,
            ].compactMap(\.self)
            // The last of them is the word for all three.
            if reads.count == 3 { reads = ["read"] }
            let open = writes.filter { $0.2 && isOpen($0.1) }.map(\.0)
            return open.isEmpty && reads.isEmpty ? nil : (model, open, reads)
        }
    }
}
