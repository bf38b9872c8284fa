import Glibc
import Store
import UserPool

/// `homeport users import` and `homeport users export`: users of other pools come in from files, and go out into some.
enum UsersTransfer {
    /// Lines that were left out and are told of; of more it is told how many.
    private static let toldMax = 100

    /// Takes users from a file, or from standard input without one, and answers with how many lines were left out.
    static func load(
        _ path: String?, into pool: UserPool, on shard: PoolShard, _ output: UsersCommand.Lines
    ) async throws(TransferError) -> Int {
        let bar = ProgressBar("users")
        defer { bar.clear() }
        let name = path ?? "standard input"
        let reader = if let path { try LineReader(opening: path) } else { LineReader(reading: 0, name: name) }
        let bytesMax = path.flatMap(byteCount)
        var told = 0
        let outcome = try await UserImport(into: pool).run(
            UserFile(reader), on: shard,
            report: { progress in
                bar.show(
                    count: progress.users, part: bytesMax.map { Double(progress.bytes) / Double(max(1, $0)) })
            },
            refuse: { line, why in
                told += 1
                if told <= toldMax { output.report("\(name):\(line): \(why)") }
            })
        if told > toldMax { output.report("… and \(Counted.text(told - toldMax, "line")) more") }
        output.report(summary(of: outcome))
        return outcome.refused
    }

    private static func byteCount(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The result of an import, in a sentence or two.
    static func summary(of outcome: UserImport.Outcome) -> String {
        var text = "\(Counted.text(outcome.made, "user")) imported"
        if outcome.present > 0 { text += ", \(ProgressBar.grouped(outcome.present)) there already" }
        if outcome.withForeignPassword > 0 {
            text +=
                "\n\(ProgressBar.grouped(outcome.withForeignPassword)) of them sign in by their password the first time "
                + "(USER_PASSWORD_AUTH or the hosted page), by SRP from then on"
        }
        if outcome.withoutPassword > 0 {
            text +=
                "\n\(ProgressBar.grouped(outcome.withoutPassword)) of them have no password: they get one by "
                + "ForgotPassword, at an address that is verified"
        }
        return text
    }

    /// Writes all users to a file, which appears when it is complete, or to standard output.
    static func export(
        _ configuration: Configuration, to file: String?, _ output: CommandOutput
    ) -> ExitCode {
        let bar = ProgressBar("users")
        do throws(PoolFile.Failure) {
            let identifiers = try PoolFile.identifiers(of: configuration)
            do throws(TransferError) {
                let reader: Reader
                do throws(StoreError) { reader = try configuration.database.servedReader() } catch {
                    throw .store(error)
                }
                let export = UserExport(reader, of: identifiers)
                let write = { (descriptor: Int32, name: String) throws(TransferError) -> Int in
                    try export.run(to: descriptor, name: name) { progress in
                        bar.show(
                            count: progress.users, part: Double(progress.users) / Double(max(1, progress.usersMax)))
                    }
                }
                let count = if let file { try CompleteFile.write(file, write) } else { try write(1, "standard output") }
                bar.clear()
                if let file {
                    output.report(
                        "\(Counted.text(count, "user")) of pool \(identifiers.userPoolID) exported to \(file), with what "
                            + "proves their passwords: keep it as you keep the database")
                }
                return .success
            } catch {
                bar.clear()
                output.report("homeport: \(error)")
                return ExitCode(error)
            }
        } catch {
            output.report("homeport: \(error.message)")
            return .unwritableOutput
        }
    }
}
