import Blueprint
import JSON
import Store

/// Fills a new database with the data that a configuration names.
enum SeededStore {
    static func fill(
        _ store: Store, of blueprint: Blueprint, from file: String?, _ log: Log
    ) throws(StartError) {
        guard let file else { return }
        do throws(TransferError) {
            switch try Seed.load(file, into: store, of: blueprint, RecordImport.Options(now: .now)) {
            case .loaded(let outcome):
                log.info("seed: \(ImportCommand.summary(of: outcome))", ["file": .string(file)])
            case .skipped(let model):
                log.info("no seed: there are records already", ["file": .string(file), "model": .string(model)])
            }
        } catch {
            throw StartError(ExitCode(error), "the seed: \(error)")
        }
    }
}
