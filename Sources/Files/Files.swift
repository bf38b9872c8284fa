import Access
import Crypto
import Delivery
import Glibc
import JSON
import Network
import Store
import Synchronization
import Threads

/// Files: a store that answers as S3 does, under the rules of an Amplify app. This is the room's front page.
///
///     head ─▶ target (bucket, key) ─▶ signature ─▶ rights ─▶ body streamed to a file, hashed on the way ─▶ record ─▶ answer
///
/// - `Signatures/` tells who asks: Signature Version 4 in the head and in a link.
/// - `Forms/` takes apart what browsers post from a page: its fields, the policy that its maker signed, and the file.
/// - `Rights/` tells who may do what: the rules of `amplify add storage` and of `defineStorage`.
/// - `Content/` is what bodies are made of: the chunks of `aws-chunked`, checksums, ranges.
/// - `Markup/` reads and writes XML.
/// - `Data/` is objects as files, and what is known of them in the database, in tables of this room alone.
/// - `Operations/` is what clients call.
/// - `Events/` is what functions are told of, and who tells them.
///
/// What must stay true: rights are decided before anything is looked up, from what is signed alone; an object is there when its bytes and its
/// record are on the disk, and until then the old one is; names on the disk never come from keys.
package final class FileService: Sendable {
    private let adopted: Mutex<FileSettings>
    let store: Store
    let folder: FileFolder
    /// Where the files lie.
    package var folderPath: String { folder.path }
    let signatures: FileSignatures
    let names: BucketNames
    /// Seals where a list goes on.
    let pages: Seal
    let leftovers = Leftovers()
    let report: @Sendable (String) -> Void
    private let isTemporary: Bool
    private let clock: @Sendable () -> Int64
    private let callerOf: @Sendable (IAMPrincipal) -> FileCaller?
    private let made: MadeBuckets
    private let known: KnownBuckets
    private let hasTables = Atomic(false)
    /// Changes of objects so far, for what is kept of them all.
    let changes = Atomic<UInt64>(0)
    let keptTotals = Mutex<KeptTotals?>(nil)
    private let whenNoted = Mutex<EventListener?>(nil)
    private let beginning = Mutex<Task<Result<Void, FileError>, Never>?>(nil)

    /// - Parameters:
    ///   - folder: where the files lie. Made with the first one.
    ///   - isTemporary: whether the files go when the service is closed.
    ///   - caller: who somebody is here; nil: nobody who may do anything.
    ///   - report: is told what a person should know.
    ///   - clock: milliseconds since 1970.
    package init(
        _ settings: FileSettings, over store: Store, in folder: String, _ signatures: FileSignatures,
        isTemporary: Bool = false, caller: @escaping @Sendable (IAMPrincipal) -> FileCaller?,
        report: @escaping @Sendable (String) -> Void,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        adopted = Mutex(settings)
        let known = KnownBuckets(settings)
        self.known = known
        self.store = store
        self.folder = FileFolder(folder, freeBytesMin: settings.freeBytesMin)
        self.signatures = signatures
        self.isTemporary = isTemporary
        self.report = report
        self.clock = clock
        callerOf = caller
        pages = Seal(key: store.secret(for: "pages of files"))
        let made = MadeBuckets()
        self.made = made
        names = BucketNames(bases: settings.hosts) { known.has($0) || made.has($0) }
    }

    /// How it behaves now.
    package var settings: FileSettings { adopted.withLock { $0 } }

    /// Goes on with other buckets, rules and functions. What is under way ends as it has begun; files of a bucket that is gone stay
    /// where they are, and are there again with it. Hosts, region and limits stay those of the start.
    package func adopt(_ settings: FileSettings) {
        adopted.withLock { adopted in
            adopted.buckets = settings.buckets
            adopted.identities = settings.identities
            adopted.usualBucket = settings.usualBucket
            adopted.functions = settings.functions
        }
        known.adopt(settings)
        tellOfEvents()
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    // MARK: Beginning and end

    /// Looks for what the last run has left, where it has not ended in order. Beside everything else; whoever has no files pays for nothing.
    package func sweep() async {
        guard access(folder.path, F_OK) == 0 else { return }
        do throws(FileError) {
            try await FileSweep(service: self).run()
        } catch {
            report("what the last run has left of files could not be looked for: \(error.reason ?? error.message)")
        }
    }

    /// Ends in order: nothing has to be looked for at the next start. Called when nothing is served any more.
    package func close() {
        defer {
            folder.end()
            if isTemporary { FolderContent.remove(folder.path) }
        }
        guard let run = folder.run, rmdir(folder.incomingPath(ofRun: run)) == 0 else { return }
        let isNode = store.nodes != nil
        store.writer.submit(
            turn: .files, key: nil,
            { session in
                let writing = FileWriting(session: session, now: 0)
                try writing.change(ObjectRow.runDeletion, [.integer(run)])
                if isNode { try writing.change(RunOwner.deletion, [.integer(run)]) }
            }, answer: { _ in })
    }

    // MARK: Events

    /// Makes the sender that calls functions with changes to files. It takes the place of the one before. Nil: no function is called with them,
    /// and none will be.
    ///
    /// - Parameters:
    ///   - outside: the loop's own.
    ///   - isRenewable: whether other settings may come (`adopt`).
    package func eventSender(
        by outside: any OutsideService, on loop: EventLoop, isRenewable: Bool = false
    ) -> FileEventSender? {
        guard isRenewable || !settings.functions.isEmpty else { return nil }
        let report = report
        let sender = FileEventSender(
            over: store, { [weak self] in self?.settings.functions ?? FileFunctions() }, region: settings.region,
            by: outside, on: loop, report: report)
        whenNoted.withLock { $0 = EventListener { [weak sender] in sender?.wake() } }
        return sender
    }

    private struct EventListener: Sendable {
        let call: @Sendable () -> Void
    }

    // MARK: Buckets and rights

    func hasBucket(_ name: String) -> Bool { names.isKnown(name) }

    /// Buckets with when they were made; those of the configuration are as old as the first release of S3.
    func buckets() -> [(name: String, created: Int64)] {
        let given = settings.buckets.keys.map { (name: $0.string, created: Int64(1_142_294_400_000)) }
        return (given + made.all).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns whether the rules let a caller do that. What no rule speaks of is denied.
    func allows(_ action: FileAction, _ bucket: String, _ key: String, _ caller: FileCaller) -> Bool {
        switch caller {
        case .administrator: true
        case .anonymous: false
        case .function(_, let rights?):
            // A rule gives what the role does not, but for what the role denies.
            rights.denies(action, bucket, key)
                ? false
                : settings.buckets[bucket]?.allow(action, key, to: caller) ?? false
                    || hasBucket(bucket) && rights.allow(action, bucket, key)
        case .function(_, nil): settings.buckets[bucket]?.allow(action, key, to: caller) ?? false
        case .guest, .user, .member:
            settings.buckets[bucket]?.allow(action, key, to: caller) ?? false
                || hasBucket(bucket) && settings.identities?.allow(action, bucket, key, to: caller) ?? false
        }
    }

    func caller(of principal: IAMPrincipal?) -> FileCaller {
        principal.flatMap { callerOf($0) } ?? .anonymous
    }

    /// Makes a bucket, within a change. False: there is one of that name.
    func makeBucket(_ name: String, _ writing: FileWriting) throws(FileError) -> Bool {
        guard try !hasBucket(name, writing) else { return false }
        try writing.change(ObjectRow.bucketInsertion, [.text(name), .integer(writing.now)])
        return true
    }

    /// Returns whether there is a bucket of that name, within a change: whatever was asked for before it, what it says holds.
    func hasBucket(_ name: String, _ writing: FileWriting) throws(FileError) -> Bool {
        if settings.buckets[name] != nil { return true }
        return try writing.session.hasMadeBucket(name)
    }

    func demandBucket(_ name: String, _ writing: FileWriting) throws(FileError) {
        guard try hasBucket(name, writing) else { throw .noSuchBucket.with("BucketName", name) }
    }

    /// Reads which buckets there are: at first, and behind every change of them.
    func readBuckets(on shard: FileShard) async throws(FileError) {
        try await read(on: shard) { [made] reader throws(FileError) in
            try made.know { () throws(FileError) in try reader.madeBuckets() }
        }
    }

    /// Reads them with a reader of somebody's own, where there are any; nil: there are none yet.
    func readBuckets(_ reader: () throws(StoreError) -> Reader?) {
        do throws(FileError) {
            try made.know { () throws(FileError) in
                let found: Reader?
                do throws(StoreError) { found = try reader() } catch { throw FileError(error) }
                return try found?.madeBuckets() ?? []
            }
        } catch {
            report("which buckets there are could not be read: \(error.reason ?? error.message)")
        }
    }

    /// The nodes that have this folder in common; nil: this server is the only one.
    package var nodes: Nodes? { store.nodes }

    /// Says that there may be events to be told.
    package func tellOfEvents() { whenNoted.withLock { $0 }?.call() }

    // MARK: The database

    /// Reads what is there now: on the loop of the shard, or beside it where a server has the data.
    func read<Value: Sendable>(
        on shard: FileShard, _ body: @escaping @Sendable (Reader) throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        try await store.read(with: { () throws(StoreError) in try shard.records(of: store) }, body)
    }

    /// Reads what a first request needs to know. Where there are no tables nobody has put a file yet.
    func hasRecords(on shard: FileShard) async throws(FileError) -> Bool {
        guard !hasTables.load(ordering: .acquiring) else { return true }
        let isThere = try await read(on: shard) { reader throws(FileError) in
            try storing { () throws(StoreError) in try reader.has(FileTables.all) }
        }
        guard isThere else { return false }
        try await readBuckets(on: shard)
        hasTables.store(true, ordering: .releasing)
        return true
    }

    /// The same for a file, without a task.
    func hasRecordsOnLoop(of shard: FileShard) throws(FileError) -> Bool {
        try hasRecords { () throws(FileError) in
            try storing { () throws(StoreError) in try shard.records(of: store) }
        }
    }

    /// The same with a reader of the thread that calls.
    func hasRecords(in reader: () throws(FileError) -> Reader) throws(FileError) -> Bool {
        guard !hasTables.load(ordering: .acquiring) else { return true }
        let reader = try reader()
        guard try storing({ () throws(StoreError) in try reader.has(FileTables.all) }) else { return false }
        try made.know { () throws(FileError) in try reader.madeBuckets() }
        hasTables.store(true, ordering: .releasing)
        return true
    }

    /// Makes tables and folders before the first change. On the loop that is given, whoever waits for it.
    func makeReady(on loop: EventLoop? = nil) async throws(FileError) {
        guard folder.run == nil else { return }
        let beginning = beginning.withLock { beginning in
            if let beginning { return beginning }
            let begun = Task(executorPreference: loop) { [self] () async -> Result<Void, FileError> in
                do throws(FileError) { return .success(try await begin()) } catch { return .failure(error) }
            }
            beginning = begun
            return begun
        }
        if case .failure(let error) = await beginning.value {
            // The next upload tries again.
            self.beginning.withLock { $0 = nil }
            throw error
        }
    }

    private func begin() async throws(FileError) {
        let (now, folder) = (now, folder)
        let before = try await folder.work { () throws(FileError) in folder.highestRun() }
        let node = store.nodes?.number
        let run = try await writeAnything { session throws(FileError) in
            do throws(StoreError) {
                for tables in FileTables.whole { try session.bring(tables) }
                if node != nil { try session.bring(FileTables.owners) }
            } catch {
                throw FileError(error)
            }
            let writing = FileWriting(session: session, now: now)
            try writing.change(ObjectRow.runInsertion, [.integer(before), .integer(now)])
            let run = try storing { () throws(StoreError) in try session.lastRowNumber }
            if let node { try writing.change(RunOwner.insertion, [.integer(run), .integer(node)]) }
            return run
        }
        try await folder.work { () throws(FileError) in try folder.begin(run: run) }
        // From here on no other process takes it for one that has died. One that did so before has taken it off the list.
        _ = try await writeAnything { session throws(FileError) in
            try FileWriting(session: session, now: now).change(ObjectRow.runRenewal, [.integer(run), .integer(now)])
        }
    }

    /// Goes on without a run that another node has taken away from this one.
    private func forgetRun(_ run: Int64) {
        guard folder.forget(run: run) else { return }
        beginning.withLock { $0 = nil }
    }

    /// Makes a change and waits until it is on the disk. Then the files that it has left are removed.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (FileWriting) throws(FileError) -> (value: Value, leaves: [FileNumber])
    ) async throws(FileError) -> Value {
        let now = now
        let functions = settings.functions
        let gone = leftovers.take()
        let (node, run) = (store.nodes?.number, folder.run)
        let written: (value: Value, leaves: [FileNumber])
        do throws(FileError) {
            written = try await writeAnything { session throws(FileError) in
                let writing = FileWriting(session: session, now: now, functions: functions, node: node)
                let written = try change(writing)
                try writing.forget(gone)
                return written
            }
        } catch {
            leftovers.removed(gone)
            // The next upload begins another run.
            if error == .lostRun, let run { forgetRun(run) }
            throw error
        }
        changes.add(1, ordering: .releasing)
        if !functions.isEmpty { tellOfEvents() }
        if !written.leaves.isEmpty {
            let (folder, leftovers, leaves) = (folder, leftovers, written.leaves)
            // Nobody waits for it: the notes bring it to its end after a crash.
            folder.begin {
                folder.remove(leaves)
                leftovers.removed(leaves)
            }
        }
        return written.value
    }

    private func writeAnything<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession) throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        try await store.writer.write(turn: .files, failing: { FileError(StoreError(of: $0)) }) { session in
            try change(session)
        }
    }
}

/// The buckets that the settings give.
private final class KnownBuckets: Sendable {
    private let names: Mutex<Set<ByteText>>

    init(_ settings: FileSettings) { names = Mutex(Set(settings.buckets.keys)) }

    func adopt(_ settings: FileSettings) { names.withLock { $0 = Set(settings.buckets.keys) } }

    func has(_ name: String) -> Bool { names.withLock { $0.contains(ByteText(name)) } }
}

/// The buckets that were made by a call.
private final class MadeBuckets: Sendable {
    private let buckets = KeptReading<[ByteText: (name: String, created: Int64)]>()

    var all: [(name: String, created: Int64)] { buckets.value.map { Array($0.values) } ?? [] }

    func has(_ name: String) -> Bool { buckets.value?[ByteText(name)] != nil }

    func know(_ read: () throws(FileError) -> [(name: String, created: Int64)]) throws(FileError) {
        try buckets.read { () throws(FileError) in
            Dictionary(try read().map { (ByteText($0.name), $0) }, uniquingKeysWith: { $1 })
        }
    }
}

/// What one loop keeps for the files: a connection to read with, from its first call on.
package final class FileShard: EndOfTurnHandler, @unchecked Sendable {
    // Safe to share: used on the thread of its loop only; others just hold the reference.
    private var opened: Reader?
    private var isInTurn = false
    /// Small objects that this loop has answered with.
    var contents = KeptContents()

    package init() {}

    func reader(of store: Store) throws(StoreError) -> Reader {
        if let opened { return opened }
        let reader = try store.reader()
        opened = reader
        return reader
    }

    /// Reads what is there now.
    func records(of store: Store) throws(StoreError) -> Reader {
        let reader = try reader(of: store)
        try endTurn()
        return reader
    }

    /// Reads what was there when the first read of this turn of the loop began: one transaction is for all of them.
    func recordsOfTurn(of store: Store, on loop: EventLoop) throws(StoreError) -> Reader {
        let reader = try reader(of: store)
        guard !isInTurn else { return reader }
        try reader.beginTurn()
        isInTurn = true
        loop.callAtEndOfTurn(self)
        return reader
    }

    private func endTurn() throws(StoreError) {
        guard isInTurn, let opened else { return }
        isInTurn = false
        try opened.endTurn()
    }

    package func turnEnded() {
        // A connection that cannot end its reading is of no use; the next read opens another.
        do throws(StoreError) { try endTurn() } catch { opened = nil }
    }

    /// Called on the loop when nothing is served any more.
    package func close() {
        isInTurn = false
        opened = nil
    }
}
