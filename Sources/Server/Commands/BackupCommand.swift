import Glibc
import JSON
import Network
import Store

/// `homeport backup`: one archive of everything that a server keeps, as it is at one moment.
package enum BackupCommand {
    static let advice =
        "Copy the database with pg_dump, and then the data folder, which has the files, the names and the keys"

    package static func run(
        _ resolution: ConfigurationResolver.Resolution, to file: String, environment: [String: String],
        _ output: CommandOutput
    ) -> ExitCode {
        let configuration = resolution.configuration
        guard case .file(let database) = configuration.database else {
            output.report(
                configuration.database.refusal(
                    "backup",
                    inMemory: "homeport: a database in memory is gone with its server; name a file with --database",
                    onServer: BackupCommand.advice))
            return .configuration
        }
        guard access(database, F_OK) == 0 else {
            output.report(
                "homeport: there is no \(database): nothing was served here yet. Name another one with --data or --database"
            )
            return .unreadableInput
        }
        let bar = ProgressBar("KB")
        do throws(BackupFailure) {
            if let obstacle = BackupRestore.obstacle(in: configuration.data) {
                throw BackupFailure(.unreadableInput, obstacle)
            }
            let maker = BackupMaker(
                database: database, files: BuiltInFiles.folder(of: configuration, besides: environment),
                notes: { KeptFiles.notes(of: configuration, over: $0) })
            let outcome = try maker.write(to: file) { progress in
                bar.show(
                    count: Int(clamping: progress.bytes >> 10),
                    part: progress.bytesMax.map { Double(progress.bytes) / Double(max(1, $0)) })
            }
            bar.clear()
            output.report(
                "\(file): the database and \(Counted.text(outcome.files, "file")) of \(text(of: outcome.moment)), "
                    + Counted.text(Int(clamping: outcome.bytes), "byte"))
            return .success
        } catch {
            bar.clear()
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    static func text(of moment: Int64) -> String { Timestamp(seconds: moment / 1_000).text }
}

/// `homeport restore`: a backend out of such an archive.
package enum RestoreCommand {
    package static func run(
        _ configuration: Configuration, from file: String, replaces: Bool, _ output: CommandOutput
    ) -> ExitCode {
        guard case .file(let database) = configuration.database else {
            output.report(
                configuration.database.refusal(
                    "restore",
                    inMemory: "homeport: a database in memory is gone with its server; name a file with --database",
                    onServer: BackupCommand.advice))
            return .configuration
        }
        let bar = ProgressBar("KB")
        do throws(BackupFailure) {
            let restore = BackupRestore(
                archive: file, data: configuration.data, database: database, replaces: replaces)
            let outcome = try restore.run { bytes, all in
                bar.show(count: Int(clamping: bytes >> 10), part: Double(bytes) / Double(max(1, all)))
            }
            bar.clear()
            output.report(
                "\(configuration.data): the database and \(Counted.text(outcome.files, "file")) of "
                    + "\(BackupCommand.text(of: outcome.manifest.moment)), made by Homeport \(outcome.manifest.version)"
            )
            return .success
        } catch {
            bar.clear()
            output.report("homeport: \(error.message)")
            return error.code
        }
    }
}
