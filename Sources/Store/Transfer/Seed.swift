import Blueprint
import JSON

/// The data that a new database starts with.
package enum Seed {
    package enum Outcome: Sendable, Equatable {
        case loaded(RecordImport.Outcome)
        /// There are records of this model already, so nothing was read.
        case skipped(model: String)
    }

    /// Loads a file into a store without records. One that was interrupted goes on, whatever it had loaded by then.
    package static func load(
        _ path: String, into store: Store, of blueprint: Blueprint, _ options: RecordImport.Options,
        report: (RecordImport.Progress) -> Void = { _ in }
    ) throws(TransferError) -> Outcome {
        let load = RecordImport(into: store, of: blueprint, options)
        let isUnfinished = try load.unfinished()?.isSeed ?? false
        if !isUnfinished, let model = try firstModelWithRecords(in: store) { return .skipped(model: model) }
        return .loaded(try load.run(file: path, isSeed: true, report: report))
    }

    private static func firstModelWithRecords(in store: Store) throws(TransferError) -> String? {
        do throws(StoreError) {
            let reader = try store.readerBeside()
            for table in store.layout.tables
            where try reader.connection.value(SQLText("SELECT 1 FROM \(table.quotedName) LIMIT 1")) != nil {
                return table.model
            }
            return nil
        } catch { throw .store(error) }
    }
}
