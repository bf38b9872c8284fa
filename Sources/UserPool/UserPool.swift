import Access
import Cloud
import Crypto
import JSON
import Store
import Synchronization
import Threads

/// Sign-in: a user pool and an identity pool that answer as Cognito's do. This is the room's front page.
///
///     target, body ─▶ `PoolOperation` ─▶ members checked ─▶ `PoolRun`: reads, proofs beside the loop, one change ─▶ JSON
///
/// - `Settings/` is how the pool behaves and what it is called: plain values.
/// - `Calls/` is the outside: operations by name, the shapes of their members, errors as clients know them.
/// - `Flows/` is what the operations do: signing up, signing in, the tokens' life, what users do with their own records.
/// - `Administration/` is what administrators do with the records of others.
/// - `Data/` is users, groups, codes, tries and sign-ins in the database, in tables of this room alone.
/// - `Proofs/` is the arithmetic of passwords and codes, without database and network.
/// - `Tokens/` makes and reads tokens, and seals what clients carry from one call to the next.
/// - `Triggers/` calls the app's functions at their points of a sign-up and a sign-in.
/// - `Messages/` is what is sent to users.
/// - `Transfer/` takes users from files, and writes them into some.
/// - `Providers/` is others by whom users may sign in: what they are asked, and when they are believed.
/// - `Identities/` is the identity pool: names for users and guests, access keys for these, and STS, which gives such keys too.
/// - `Hosted/` is the pages for people, and OAuth 2.0 for apps that send people there: the same flows through another door.
///
/// Nothing of it is made before the first call: no table, no key, no thread.
///
/// What must stay true: whoever is told of an account, a change or a sign-out finds it on the disk, for every answer waits for its
/// commit; what decides who gets tokens is read in the transaction that makes them; a try is counted before it is compared;
/// and what is sent to clients in between is sealed and bound to pool, client and the record of the user.
package final class UserPool: Sendable {
    package let identifiers: PoolIdentifiers
    let store: Store
    let seal: Seal
    /// Of sessions that the pages give.
    let pageSeal: Seal
    /// Takes the place of providers on a developer's machine.
    let standIn: StandIn
    /// Makes the tokens of the pages' forms.
    let formSecret: [UInt8]
    /// Proves that refresh tokens are this pool's.
    let tokenKey: [UInt8]
    /// What stands in for users who are not there.
    let standInSecret: [UInt8]
    let proofs: WorkersAside
    private let adopted: Mutex<Adopted>
    let identityNames: IdentityNames
    /// The access keys of identities: whoever verifies signatures asks here whose they are.
    package var temporaryCredentials: any TemporaryCredentials { credentials }
    let credentials: IdentityCredentials
    let report: @Sendable (String) -> Void
    let addressTries = AddressTries()
    let creations = CreationCounts()
    private let keys: @Sendable () -> PoolKeys?
    private let keyMark: @Sendable () -> KeyMark?
    private let made = Mutex<MadeKeys?>(nil)
    private let hasTables = Atomic(false)
    private let clock: @Sendable () -> Int64
    private let listeners = Mutex<[MessageListener]>([])

    /// - Parameters:
    ///   - keys: opens the keys that tokens are signed with, or makes them. Called beside the loops; nil where
    ///     there are none to be had.
    ///   - keyMark: tells the keys of this moment from others, at next to no cost: where it differs from what it was, they
    ///     are opened again, since another process has made a new one. Nil where that cannot be told.
    ///   - report: is told what a person should know.
    ///   - clock: milliseconds since 1970.
    package init(
        _ identifiers: PoolIdentifiers, _ settings: PoolSettings, over store: Store,
        keys: @escaping @Sendable () -> PoolKeys?, keyMark: @escaping @Sendable () -> KeyMark? = { nil },
        report: @escaping @Sendable (String) -> Void,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        self.identifiers = identifiers
        self.store = store
        self.keys = keys
        self.keyMark = keyMark
        self.report = report
        self.clock = clock
        seal = Seal(key: store.secret(for: "sign-in sessions"))
        pageSeal = Seal(key: store.secret(for: "sign-in pages"))
        let proofs = WorkersAside(waitingMax: PoolLimits.waitingProofsMax)
        self.proofs = proofs
        standIn = StandIn(seal: Seal(key: store.secret(for: "sign-in stand-in providers")), clock: clock) { work in
            await proofs.value(of: work)
        }
        formSecret = store.secret(for: "sign-in forms")
        tokenKey = store.secret(for: "refresh tokens")
        standInSecret = store.secret(for: "sign-in stand-ins")
        identityNames = IdentityNames(identifiers, key: store.secret(for: "identity names"))
        credentials = IdentityCredentials(identifiers, secret: store.secret(for: "identity credentials"))
        adopted = Mutex(Adopted(settings, identifiers))
    }

    /// How it behaves now, with its clients by their names.
    private struct Adopted: Sendable {
        let settings: PoolSettings
        let clients: [ByteText: AppClient]
        /// The groups that were set otherwise before, until they are written.
        var changedGroups: [GroupSetting] = []

        init(_ settings: PoolSettings, _ identifiers: PoolIdentifiers) {
            self.settings = settings
            let clients = settings.clients.isEmpty ? [AppClient(identifiers.clientID)] : settings.clients
            self.clients = Dictionary(texts: clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The nodes that this process is one of; nil where it is the only one.
    package var nodes: Nodes? { store.nodes }

    package var settings: PoolSettings { adopted.withLock { $0.settings } }
    var clients: [ByteText: AppClient] { adopted.withLock { $0.clients } }

    /// Goes on with other settings: groups that they name are made with the next call. By which names users sign in, and the
    /// providers, have to be as they were: what is kept of users says so.
    package func adopt(_ settings: PoolSettings) {
        var next = Adopted(settings, identifiers)
        adopted.withLock { adopted in
            let former = adopted.settings.groups
            let others = settings.groups.filter { group in
                former.contains { ByteText($0.name) == ByteText(group.name) && $0 != group }
            }
            let waiting = adopted.changedGroups.filter { group in
                !others.contains { ByteText($0.name) == ByteText(group.name) }
            }
            next.changedGroups = waiting + others
            adopted = next
        }
        hasTables.store(false, ordering: .releasing)
    }

    /// Has somebody called when a message waits to be sent. Must not block.
    package func tellOfMessages(_ call: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(MessageListener(call: call)) }
    }

    private struct MessageListener: Sendable {
        let call: @Sendable () -> Void
    }

    func whenQueued() {
        for listener in listeners.withLock({ $0 }) { listener.call() }
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock() }

    /// Answers a call. `shard` is that of the loop on which this runs.
    package func answer(_ call: PoolCall, on shard: PoolShard) async -> PoolAnswer {
        do throws(PoolError) {
            guard let operation = PoolOperation.named(call.target) else {
                throw .unknownOperation(call.target)
            }
            // Before anything of it is read: whoever may not call it learns nothing by what it holds.
            if operation.access == .administrators, let refusal = call.refusalOfAdministration(operation.name) {
                throw refusal
            }
            let members = try Self.members(of: call.body)
            try MemberCheck.run(operation.members, on: members)
            try await makeTables(on: shard)
            let run = PoolRun(pool: self, shard: shard, input: PoolInput(members), call: call, now: now)
            guard let answer = try await counted(operation, run) else { return .success([]) }
            return .success(JSONWriter.bytes(of: .object(answer)))
        } catch {
            if let reason = error.reason { report("\(call.target): \(reason)") }
            return .refusal(error)
        }
    }

    /// Runs an operation, and counts it for the client's address where something is guessed in it or made by it.
    func counted(_ operation: PoolOperation, _ run: PoolRun) async throws(PoolError) -> JSONObject? {
        try await counted(operation.name, run) { () async throws(PoolError) in try await operation.run(run) }
    }

    /// The same for what is done in the place of an operation of that name.
    func counted(
        _ name: String, _ run: PoolRun, _ work: () async throws(PoolError) -> JSONObject?
    ) async throws(PoolError) -> JSONObject? {
        let address = run.call.address
        guard addressTries.begin(name, from: address, now: run.now) else { throw .tooManyAttempts }
        let creation = CreationCounts.kind(of: name, run.input)
        if let creation, !creations.begin(creation, from: address, run.settings.creation, now: run.now) {
            addressTries.end(name, from: address, nil, now: now)
            throw CreationCounts.refusal(of: creation)
        }
        do throws(PoolError) {
            let answer = try await work()
            addressTries.end(name, from: address, nil, now: now)
            return answer
        } catch {
            addressTries.end(name, from: address, error, now: now)
            if let creation { creations.giveBack(creation, from: address, now: now) }
            throw error
        }
    }

    private static func members(of body: [UInt8]) throws(PoolError) -> JSONObject {
        guard !body.isEmpty else { return JSONObject() }
        let limits = JSONLimits(
            bytesMax: PoolLimits.bodyBytesMax, nestingMax: PoolLimits.bodyNestingMax, refusesLoneSurrogates: true)
        guard let members = try? JSONReader.value(of: body, limits: limits).object else {
            throw PoolError("SerializationException", "The request's body is no JSON object.")
        }
        return members
    }

    /// What tells the keys of one moment from those of another, such as what a file system knows of their file.
    package typealias KeyMark = [Int64]

    private struct MadeKeys: Sendable {
        let keys: PoolKeys
        let mark: KeyMark?
    }

    /// The keys of the pool's tokens: opened or made with the first call that needs them, and again when there are others.
    func tokenKeys() async throws(PoolError) -> PoolKeys {
        if let made = present(at: keyMark()) { return made.good(at: now / 1_000) }
        let opened = await proofs.value { self.openKeys() }
        guard let opened = opened ?? nil else {
            throw PoolError(
                "InternalErrorException", "Something went wrong", reason: "there is no key to sign tokens with")
        }
        return opened
    }

    private func present(at mark: KeyMark?) -> PoolKeys? {
        made.withLock { made in
            guard let made, mark == nil || made.mark == mark else { return nil }
            return made.keys
        }
    }

    private func openKeys() -> PoolKeys? {
        let mark = keyMark()
        return made.withLock { made in
            if let made, mark == nil || made.mark == mark { return made.keys }
            // The mark is that from before: if another process changes them meanwhile, they are opened once more.
            if let opened = keys() { made = MadeKeys(keys: opened, mark: mark) }
            return made?.keys
        }
    }

    /// Makes the room's tables before their first use.
    func makeTables(on shard: PoolShard) async throws(PoolError) {
        guard !hasTables.load(ordering: .acquiring) else { return }
        let (adopted, now) = (adopted.withLock { $0 }, now)
        let settings = adopted.settings
        let isComplete = try await read(on: shard) { reader throws(PoolError) in
            do throws(StoreError) {
                guard try reader.has(PoolTables.all), adopted.changedGroups.isEmpty else { return false }
                return try reader.has(settings.groups)
            } catch {
                throw PoolError(error)
            }
        }
        if !isComplete {
            try await write { session throws(PoolError) in
                let writing = PoolWriting(session: session, settings: settings, now: now)
                try writing.bring(PoolTables.all)
                try writing.makeGroups()
                for group in adopted.changedGroups { try writing.apply(group) }
            }
            self.adopted.withLock { current in
                current.changedGroups.removeAll { adopted.changedGroups.contains($0) }
            }
        }
        hasTables.store(true, ordering: .releasing)
    }

    /// Reads what is there now: on the loop of the shard, or beside it where a server has the data.
    func read<Value: Sendable>(
        on shard: PoolShard, _ body: @escaping @Sendable (Reader) throws(PoolError) -> Value
    ) async throws(PoolError) -> Value {
        try await store.read(with: { () throws(StoreError) in try shard.reader(of: store) }, body)
    }

    /// Makes a change and waits until it is on the disk.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (WriteSession) throws(PoolError) -> Value
    ) async throws(PoolError) -> Value {
        try await store.writer.write(turn: .users, failing: { PoolError(StoreError(of: $0)) }) { session in
            try change(session)
        }
    }
}

/// The state of one loop for the pool: where the data is in a file, a connection to read with from the first call on.
package final class PoolShard: @unchecked Sendable {
    // Safe to share: used on the thread of its loop only; others just hold the reference.

    private var reader: Reader?
    private var providers: [ByteText: ProviderConnection] = [:]
    /// How functions and providers are called.
    let outside: (any OutsideService)?

    package init(outside: (any OutsideService)? = nil) {
        self.outside = outside
    }

    func reader(of store: Store) throws(StoreError) -> Reader {
        if let reader { return reader }
        let opened = try store.reader()
        reader = opened
        return opened
    }

    /// What this loop knows of a provider.
    func connection(
        to provider: IdentityProvider, report: @escaping @Sendable (String) -> Void
    ) -> ProviderConnection {
        if let connection = providers[provider.name] { return connection }
        let made = ProviderConnection(provider, report: report)
        providers[provider.name] = made
        return made
    }

    /// Called on the loop when nothing is served any more.
    package func close() {
        reader = nil
    }
}
