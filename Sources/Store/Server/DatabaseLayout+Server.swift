import JSON

extension DatabaseLayout {
    /// Refuses what a database on a server cannot have, or not yet.
    func checkOnServer() throws(StoreError) {
        for table in tables {
            var names = [table.isSynced ? ChangeLog.prefix + table.name : table.name]
            if let index = table.searchIndex { names += [index.name] + index.columns.map(\.name) }
            for name in names + table.columns.map(\.name) + table.computed.map(\.name)
            where name.utf8.count > StoreLimits.serverNameBytesMax {
                throw StoreError(
                    .unsupported,
                    "the model \(table.model): the name \(name) has more than \(StoreLimits.serverNameBytesMax) bytes, and "
                        + "PostgreSQL would cut it. Shorten it, or use a database in a file")
            }
            for key in table.keys where key.sort.count > 1 {
                for field in key.sort where table.column(of: field)?.kind == .real {
                    throw StoreError(
                        .unsupported,
                        "the model \(table.model) has the float \(field) among several sort fields of a key, which a database on a "
                            + "server cannot do yet. Use a database in a file")
                }
            }
        }
    }
}
