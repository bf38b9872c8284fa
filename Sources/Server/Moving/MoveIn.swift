import Blueprint
import Glibc
import JSON
import Moving
import Network
import Store
import UserPool

/// One run of `homeport move-in`: what is to come is looked through first, then brought in part by part, compared and reported.
final class MoveIn {
    private let resolution: ConfigurationResolver.Resolution
    private var configuration: Configuration { resolution.configuration }
    private let wish: MoveInCommand.Wish
    private let environment: [String: String]
    private let output: CommandOutput
    private let isWanted: @Sendable () -> Bool
    private let progress: MoveProgress
    private let started = MonotonicTime.now
    private var folders: [TableFolder] = []

    /// How long deleted records stay in tables of AWS: what was deleted before is not known.
    private static let tombstoneMilliseconds: Int64 = 43_200 * 60_000
    private var tables: TablesIn?
    private var since: SinceIn?
    private var later: [TableFolder] = []
    private var pool: PoolDescription?
    private var users: UsersIn?
    private var files: FilesMove?
    private var identities: (pairs: IdentityPairs, made: Int, present: Int)?
    private var wrong: [String] = []

    init(
        _ resolution: ConfigurationResolver.Resolution, _ wish: MoveInCommand.Wish, _ environment: [String: String],
        _ output: CommandOutput, isWanted: @escaping @Sendable () -> Bool
    ) {
        self.resolution = resolution
        self.wish = wish
        self.environment = environment
        self.output = output
        self.isWanted = isWanted
        progress = MoveProgress(output, listsIn: wish.isDry ? nil : resolution.configuration.data)
    }

    /// Looks through everything that is given, before anything is written.
    func prepare() throws(MoveFailure) {
        for folder in wish.tables {
            let found = try MoveFailure.reading { () throws(MovingFault) in try TableFolder(folder) }
            guard !found.sources.isEmpty || !found.exports.isEmpty else {
                throw MoveFailure(
                    "\(folder): there is no export and no page of a scan in it", code: .unreadableInput)
            }
            for path in found.others.prefix(FaultList.shownMax) {
                progress.note("\(path): not read, it is neither an export nor a page of a scan")
            }
            folders.append(found)
        }
        for folder in wish.since {
            later.append(try MoveFailure.reading { () throws(MovingFault) in try TableFolder(folder) })
        }
        if !wish.pool.isEmpty {
            pool = try MoveFailure.reading { () throws(MovingFault) in try PoolDescription(wish.pool) }
        }
        if !wish.users.isEmpty {
            var people: [PeopleFolder] = []
            for path in wish.users {
                people.append(try MoveFailure.reading { () throws(MovingFault) in try PeopleFolder(path) })
            }
            let users = UsersIn(people, isWanted: isWanted, progress)
            try users.prepare()
            self.users = users
        }
        if !wish.identities.isEmpty {
            let pairs = try MoveFailure.reading { () throws(MovingFault) in try IdentityPairs(wish.identities) }
            identities = (pairs, 0, 0)
        }
        for text in wish.files {
            let folder = FilesMove.Source(text).folder
            guard FileStatus.isFolder(folder) else {
                throw MoveFailure("\(folder): it is no folder", code: .unreadableInput)
            }
        }
        for source in folders.flatMap(\.sources) {
            try MoveFailure.reading { () throws(MovingFault) in try TableReading(source).verify() }
        }
    }

    /// Brings everything in.
    ///
    /// - Parameter isNew: whether the database was made for this move.
    func run(_ blueprint: Blueprint, _ layout: DatabaseLayout, into store: Store?, isNew: Bool) throws(MoveFailure) {
        defer { progress.clear() }
        for fault in identities?.pairs.faults ?? [] {
            progress.fault(FaultList.Fault(place: fault.place, record: "an identity", reason: fault.reason))
        }
        if !wish.tables.isEmpty { try bringTables(blueprint, layout, into: store, isNew: isNew) }
        if !later.isEmpty {
            let since = SinceIn(
                TableMap(blueprint, layout), blueprint, into: store, isWanted: isWanted, progress)
            self.since = since
            try since.run(later)
        }
        if let users { try bring(users, into: store) }
        if let store, identities != nil { try bringIdentities(into: store) }
        if !wish.files.isEmpty { try bringFiles(into: store) }
    }

    private func userPool(over store: Store) throws(MoveFailure) -> UserPool {
        let identifiers: PoolIdentifiers
        do throws(PoolFile.Failure) { identifiers = try PoolFile.identifiers(of: configuration) } catch {
            throw MoveFailure(error.message, code: .unwritableOutput)
        }
        let lines = UsersCommand.Lines()
        return UserPool(
            identifiers, configuration.signIn.pool, over: store, keys: { nil }, report: { lines.report($0) })
    }

    private func bringIdentities(into store: Store) throws(MoveFailure) {
        guard let pairs = identities?.pairs.pairs else { return }
        let pool = try userPool(over: store)
        var rest = pairs[...]
        while !rest.isEmpty {
            let part = rest.prefix(PoolLimits.importedUsersPerTransaction)
            rest = rest.dropFirst(part.count)
            let outcome = WaitedFor.value { () async -> Result<[IdentityImport.Outcome], TransferError> in
                do throws(TransferError) {
                    return .success(
                        try await IdentityImport(into: pool)
                            .run(part.map { IdentityImport.Pair(user: $0.user, id: $0.id) }, on: PoolShard()))
                } catch { return .failure(error) }
            }
            let outcomes: [IdentityImport.Outcome]
            do throws(TransferError) { outcomes = try outcome.get() } catch { throw MoveFailure(error) }
            for (pair, outcome) in zip(part, outcomes) {
                switch outcome {
                case .made: identities?.made += 1
                case .present: identities?.present += 1
                case .refused(let why):
                    progress.fault(FaultList.Fault(place: pair.place, record: pair.user, reason: why))
                }
            }
            guard isWanted() else { throw MoveFailure.stopped }
        }
    }

    private func bringFiles(into store: Store?) throws(MoveFailure) {
        guard let store else {
            for text in wish.files {
                let folder = FilesMove.Source(text).folder
                var count = 0
                try FolderWalk.files(below: folder, wrong: { MoveFailure($0) }) { _ throws(MoveFailure) in count += 1 }
                progress.line("\(folder): \(Counted.text(count, "file"))")
            }
            return
        }
        let files = try FilesMove(
            resolution, environment, over: store, of: IdentityImport(into: try userPool(over: store)),
            isWanted: isWanted,
            progress)
        defer { files.close() }
        self.files = files
        for text in wish.files {
            let failure = WaitedFor.value { () async -> MoveFailure? in
                do throws(MoveFailure) {
                    try await files.bring(FilesMove.Source(text))
                    return nil
                } catch { return error }
            }
            if let failure { throw failure }
        }
        for identity in files.strangers.prefix(FaultList.shownMax) {
            progress.note(
                "\(identity): files belong to this identity, and no user has it: name its user with --identities")
        }
        let more = files.strangers.count - FaultList.shownMax
        if more > 0 { progress.note("… and \(ProgressBar.grouped(more)) identities more without a user") }
    }

    private func bring(_ users: UsersIn, into store: Store?) throws(MoveFailure) {
        let pool = try store.map { store throws(MoveFailure) in try userPool(over: store) }
        let work = UncheckedWork(users: users, pool: pool)
        let failure = WaitedFor.value { () async -> MoveFailure? in
            do throws(MoveFailure) {
                try await work.users.bring(into: work.pool)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }

    /// Unchecked: nobody else touches it until the call is over.
    private struct UncheckedWork: @unchecked Sendable {
        let users: UsersIn
        let pool: UserPool?
    }

    private func bringTables(
        _ blueprint: Blueprint, _ layout: DatabaseLayout, into store: Store?, isNew: Bool
    ) throws(MoveFailure) {
        let now = Timestamp.now.millisecondsSince1970
        let tables = TablesIn(
            blueprint, layout, into: store,
            TablesIn.Options(
                keepsUnknown: wish.keepsUnknown, now: now,
                logMilliseconds: min(configuration.sync.logMilliseconds, Self.tombstoneMilliseconds),
                isWanted: isWanted), progress)
        self.tables = tables
        let sources = try tables.sources(of: folders)
        let start = try tables.begin(sources, isNew: isNew)
        for (source, table) in sources {
            do throws(MoveFailure) { try tables.read(source, table) } catch {
                // A file that is damaged keeps no other one out; the next move goes on with it.
                guard !error.isStop, error.code == .unreadableInput || error.code == .failure else { throw error }
                wrong.append(error.message)
            }
        }
        wrong += try tables.check()
        try tables.end(start)
    }

    /// Says what came of it.
    @discardableResult
    func finish(_ blueprint: Blueprint) -> ExitCode {
        progress.clear()
        if let tables { report(tables) }
        if let since {
            let counts = since.counts
            output.print(
                "\(Counted.text(counts.put, "record")) put and \(ProgressBar.grouped(counts.deleted)) deleted by incremental "
                    + "exports, \(ProgressBar.grouped(counts.same)) were so already")
        }
        if let pool { report(pool) }
        if let users { report(users) }
        if let identities, !wish.isDry {
            output.print(
                "\(Counted.text(identities.made, "user")) got their identity"
                    + (identities.present > 0 ? ", \(ProgressBar.grouped(identities.present)) had it already" : ""))
        }
        if let files { report(files) }
        // What an earlier run of this move has listed did not come either.
        let refused =
            (tables?.counts.values.reduce(0) { $0 + $1.misfits } ?? 0) + (since?.counts.refused ?? 0)
        progress.faults.report(to: output, earlier: refused > progress.faults.count)
        for text in wrong { output.report("homeport: \(text)") }
        if !wish.isDry, tables?.isComplete == false {
            output.report("The move is not complete. Correct what is named above, and give the same command again.")
        }
        let isWhole = progress.faults.count == 0 && wrong.isEmpty && refused == 0
        if wish.isDry { output.report("Nothing was written: this was a dry run.") }
        return isWhole ? .success : .failure
    }

    private func report(_ tables: TablesIn) {
        let counts = tables.counts
        let width = counts.keys.map(\.string.utf8.count).max() ?? 0
        var all = TableCounts()
        for (name, counts) in counts.sorted(by: { $0.key < $1.key }) {
            all = all + counts
            let gap = String(repeating: " ", count: width - name.string.utf8.count)
            output.print("\(name)\(gap)  \(Self.text(of: counts))")
        }
        output.print("\(Counted.text(all.made, "record")) of \(Counted.text(counts.count, "model")) came")
        var (unknown, lacking): ([ByteText: Int], [ByteText: Int]) = ([:], [:])
        for source in tables.progress {
            for (name, count) in source.now.unknown { unknown[name, default: 0] += count }
            for (name, count) in source.now.lacking { lacking[name, default: 0] += count }
        }
        for (name, count) in lacking.sorted(by: { $0.key < $1.key }) {
            output.report(
                "\(name): the schema requires it, and \(Counted.text(count, "record")) came without: queries that select it fail "
                    + "for them. Give it a value, or make it optional")
        }
        for (name, count) in unknown.sorted(by: { $0.key < $1.key }) {
            output.report(
                "\(name): the schema has no such field; \(Counted.text(count, "value")) "
                    + (wish.keepsUnknown ? "kept for the way out" : "left out (--keep-unknown keeps them)"))
        }
    }

    private func report(_ files: FilesMove) {
        output.print(
            "\(Counted.text(files.count, "file")) came"
                + (files.present > 0 ? ", \(ProgressBar.grouped(files.present)) were there already" : ""))
        if files.withoutType > 0 {
            output.report(
                "\(Counted.text(files.withoutType, "file")) without a content type: a listing beside the folder says it "
                    + "(FOLDER.jsonl with the answers of head-object)")
        }
        if files.withOtherTag > 0 {
            output.report(
                "\(Counted.text(files.withOtherTag, "file")) came in parts at AWS and are whole here: their ETag is another"
            )
        }
    }

    /// The settings that make the pool's names and behaviour those of the old one.
    private func report(_ pool: PoolDescription) {
        output.print(
            "The old pool as configuration, to be checked and put into the configuration file before the first start:")
        output.print(JSONWriter.text(of: pool.configuration))
        if let id = pool.userPoolID, configuration.signIn.userPoolID != id {
            output.report("auth.pool.userPoolId is not \(id): tokens and outputs have another pool's name")
        }
    }

    private func report(_ users: UsersIn) {
        let outcome = users.outcome
        output.print(
            "\(Counted.text(outcome.made, "user")) of \(ProgressBar.grouped(users.read)) came"
                + (outcome.present > 0 ? ", \(ProgressBar.grouped(outcome.present)) were there already" : ""))
        if outcome.withoutPassword > 0 {
            output.report(
                "\(Counted.text(outcome.withoutPassword, "user")) without a password: the first sign-in asks the "
                    + "userMigration function where the project has one, or they reset it at a verified address")
        }
    }

    private static func text(of counts: TableCounts) -> String {
        var text = "\(ProgressBar.grouped(counts.made)) of \(ProgressBar.grouped(counts.read)) came"
        if counts.present > 0 { text += ", \(ProgressBar.grouped(counts.present)) were there already" }
        if counts.misfits > 0 { text += ", \(ProgressBar.grouped(counts.misfits)) did not come" }
        return text
    }
}
