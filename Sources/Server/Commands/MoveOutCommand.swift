import Glibc
import Moving
import Store

/// `homeport move-out`: the state of an app in the forms that AWS takes, beside a running server.
package enum MoveOutCommand {
    package struct Wish: Sendable {
        package let folder: String
        package var format = ExportWriter.Format.dynamodbJSON

        package init(_ folder: String) {
            self.folder = folder
        }

        /// The names of the forms that records can have.
        package static var formats: [String] { ExportWriter.Format.allCases.map(\.rawValue) }

        package mutating func setFormat(_ name: String) {
            if let known = ExportWriter.Format(rawValue: name) { format = known }
        }
    }

    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, environment: [String: String] = [:],
        _ output: CommandOutput, isWanted: @escaping @Sendable () -> Bool = { true }
    ) -> ExitCode {
        let database = resolution.configuration.database
        guard database != .memory else {
            output.report("homeport: a database in memory is gone with its server; name a file with --database")
            return .configuration
        }
        do throws(StoreError) { _ = try database.servedReader() } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
        signal(SIGXFSZ, SIG_IGN)
        let opened: CommandStore
        do throws(CommandStore.End) { opened = try CommandStore(resolution, output) } catch { return error.code }
        do throws(MoveFailure) {
            let move = MoveOut(resolution.configuration, wish, output, isWanted: isWanted)
            try move.run(database, opened.blueprint) { folder, part, progress throws(MoveFailure) in
                var count = 0
                var failure: MoveFailure?
                let code = opened.use(resolution.configuration, output) { store in
                    do throws(MoveFailure) {
                        count = try files(
                            opened.resolution, environment, store, to: folder, by: part, isWanted, progress)
                    } catch { failure = error }
                    return nil
                }
                if let failure { throw failure }
                guard code == .success else { throw MoveFailure("the files could not be read", code: code) }
                return count
            }
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    private static func files(
        _ resolution: ConfigurationResolver.Resolution, _ environment: [String: String], _ store: Store,
        to folder: String,
        by part: String, _ isWanted: @escaping @Sendable () -> Bool, _ progress: MoveProgress
    ) throws(MoveFailure) -> Int {
        let files = try FilesMove(resolution, environment, over: store, isWanted: isWanted, progress)
        defer { files.close() }
        let failure = WaitedFor.value { () async -> MoveFailure? in
            do throws(MoveFailure) {
                try await files.write(to: folder, by: part)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        return files.count
    }
}
