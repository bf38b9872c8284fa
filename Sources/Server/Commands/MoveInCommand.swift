import Blueprint
import Glibc
import JSON
import Moving
import Network
import Store

/// `homeport move-in`: the state of an app out of AWS into a data folder, without a server or beside one that has no data yet.
package enum MoveInCommand {
    package struct Wish: Sendable {
        /// Folders of exports and scans.
        package var tables: [String] = []
        /// Folders of incremental exports, which come on top.
        package var since: [String] = []
        /// Files and folders of Cognito's lists of users.
        package var users: [String] = []
        /// The answers of the old pool's operations about it.
        package var pool: [String] = []
        /// Files that say which identity is whose.
        package var identities: [String] = []
        /// Folders of files, each with `:BUCKET` behind it where it is not the default one.
        package var files: [String] = []
        package var isDry = false
        package var keepsUnknown = false

        package init() {}

        /// True if nothing is to be moved: a pool is described only.
        var movesNothing: Bool {
            tables.isEmpty && since.isEmpty && users.isEmpty && identities.isEmpty && files.isEmpty
        }
    }

    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, environment: [String: String] = [:],
        _ output: CommandOutput, isWanted: @escaping @Sendable () -> Bool = { true }
    ) -> ExitCode {
        let database = resolution.configuration.database
        guard database != .memory else {
            output.report("homeport: a database in memory is gone with its process; name a file with --database")
            return .configuration
        }
        guard !wish.movesNothing || !wish.pool.isEmpty else {
            output.report("homeport: move-in needs something to move: --tables, --users, --identities or --files")
            return .usage
        }
        // A file beyond the limit of the system is an error of write, not the end by a signal.
        signal(SIGXFSZ, SIG_IGN)
        let opened: CommandStore
        do throws(CommandStore.End) { opened = try CommandStore(resolution, output) } catch { return error.code }
        let move = MoveIn(resolution, wish, environment, output, isWanted: isWanted)
        do throws(MoveFailure) {
            try move.prepare()
            guard !wish.isDry, !wish.movesNothing else {
                try move.run(opened.blueprint, DatabaseLayout(of: opened.blueprint), into: nil, isNew: true)
                return move.finish(opened.blueprint)
            }
            let isNew = try MoveFailure.storing { () throws(StoreError) in
                try database.readerBeside()?.hasData() != true
            }
            do throws(SystemError) {
                if case .file(let path) = database {
                    try DataFolder.make(for: path)
                } else {
                    try DataFolder.make(resolution.configuration.data)
                }
            } catch {
                throw MoveFailure(
                    "cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))",
                    code: .unwritableOutput)
            }
            let code = opened.use(resolution.configuration, output) { store in
                do throws(MoveFailure) {
                    try move.run(opened.blueprint, store.layout, into: store, isNew: isNew)
                    return nil
                } catch {
                    return CommandStore.Failure(message: error.message, code: error.code)
                }
            }
            guard code == .success else {
                move.finish(opened.blueprint)
                return code
            }
            return move.finish(opened.blueprint)
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }
}
