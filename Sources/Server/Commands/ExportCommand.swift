import Glibc
import Network
import Store

/// `homeport export`: all records of a database as lines of JSON.
package enum ExportCommand {
    /// Writes them to a file, which appears when it is complete, or to standard output.
    package static func run(
        _ configuration: Configuration, to file: String?, _ output: CommandOutput
    ) -> ExitCode {
        guard configuration.database != .memory else {
            output.report("homeport: a database in memory is gone with its server; name a file with --database")
            return .configuration
        }
        let reader: Reader
        do throws(StoreError) { reader = try configuration.database.servedReader() } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
        let bar = ProgressBar("records")
        do throws(TransferError) {
            let count: Int
            if let file {
                count = try CompleteFile.write(file) { descriptor, name throws(TransferError) in
                    try write(reader, to: descriptor, name, bar)
                }
            } else {
                count = try write(reader, to: 1, "standard output", bar)
            }
            bar.clear()
            if let file { output.report("\(Counted.text(count, "record")) exported to \(file)") }
            return .success
        } catch {
            bar.clear()
            output.report("homeport: \(error)")
            return ExitCode(error)
        }
    }

    private static func write(
        _ reader: Reader, to descriptor: Int32, _ name: String, _ bar: ProgressBar
    ) throws(TransferError) -> Int {
        let export: RecordExport
        do throws(StoreError) { export = try RecordExport(reader) } catch { throw .store(error) }
        return try export.run(to: descriptor, name: name) { progress in
            bar.show(
                count: progress.recordCount, part: Double(progress.recordCount) / Double(max(1, progress.recordMax)))
        }
    }
}

extension ExitCode {
    /// The code of a transfer that went wrong.
    init(_ error: TransferError) {
        self =
            switch error {
            case .unreadable: .unreadableInput
            case .unwritable: .unwritableOutput
            case .line: .failure
            case .store(let error): ExitCode(error)
            }
    }

    /// The code of a database that cannot be used.
    init(_ error: StoreError) {
        self =
            switch error.kind {
            case .migrationRefused, .invalidArgument, .invalidValue, .tooLarge, .exists: .failure
            case .cannotOpen, .corrupt, .unknownFormat: .unreadableInput
            case .readOnly, .diskFull: .unwritableOutput
            case .locked, .inputOutput, .interrupted, .stopped, .overloaded, .away, .tooManyChanges: .systemRefused
            case .unsupported: .configuration
            case .unexpected: .internalError
            }
    }
}
