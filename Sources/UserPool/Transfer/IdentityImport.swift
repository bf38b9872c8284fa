import JSON
import Store

/// Identities of another identity pool, which their users keep: files below `private/ID/` and `protected/ID/` stay theirs.
package struct IdentityImport: Sendable {
    /// A user, by `sub` or name, and the identity that is theirs.
    package struct Pair: Sendable {
        package let user: String
        package let id: String

        package init(user: String, id: String) {
            self.user = user
            self.id = id
        }
    }

    package enum Outcome: Sendable {
        case made
        /// The user has this identity already.
        case present
        case refused(String)
    }

    private let pool: UserPool

    package init(into pool: UserPool) {
        self.pool = pool
    }

    /// Gives users their identities, all in one transaction. Answers with what became of each.
    package func run(_ pairs: [Pair], on shard: PoolShard) async throws(TransferError) -> [Outcome] {
        do throws(PoolError) {
            try await pool.makeTables(on: shard)
            let (pool, settings, now) = (pool, pool.settings, pool.now)
            return try await pool.write { session throws(PoolError) in
                let change = PoolWriting(session: session, settings: settings, now: now)
                var outcomes: [Outcome] = []
                for pair in pairs { outcomes.append(try Self.admit(pair, change, pool)) }
                return outcomes
            }
        } catch { throw .store(error.ofStore ?? StoreError(.unexpected, error.message)) }
    }

    private static func admit(_ pair: Pair, _ change: PoolWriting, _ pool: UserPool) throws(PoolError) -> Outcome {
        if let fault = fault(of: pair.id, pool) { return .refused(fault) }
        guard let user = try change.session.user(named: UserName(pair.user, in: pool.settings)) else {
            return .refused("there is no user \(pair.user)")
        }
        return try give(pair.id, to: user, named: pair.user, change, pool)
    }

    /// Gives a user an identity that is nobody's, where the user has none.
    ///
    /// - Parameter id: from somebody who knows whose it is. A client that names it proves nothing.
    static func give(
        _ id: String, to user: User, named name: String, _ change: PoolWriting, _ pool: UserPool
    ) throws(PoolError) -> Outcome {
        if let fault = fault(of: id, pool) { return .refused(fault) }
        if let known = try change.session.identity(of: user.sub) {
            return ByteText(known.id) == ByteText(id)
                ? .present : .refused("the user \(name) has the identity \(known.id) already")
        }
        guard try change.session.identity(id) == nil else { return .refused("the identity \(id) is another user's") }
        try change.make(id, for: user.sub)
        try change.release(id)
        return .made
    }

    private static func fault(of id: String, _ pool: UserPool) -> String? {
        pool.identityNames.isWellFormed(id)
            ? nil
            : "the identity \(id) is none of a pool in \(pool.identifiers.region): set auth.pool.identityPoolId to the old "
                + "pool's id"
    }

    // MARK: Without a user

    /// Keeps identities to which files belong until their users are known. Answers with those that are no user's.
    package func hold(_ ids: [String], on shard: PoolShard) async throws(TransferError) -> [String] {
        do throws(PoolError) {
            try await pool.makeTables(on: shard)
            let (settings, now) = (pool.settings, pool.now)
            return try await pool.write { session throws(PoolError) in
                let change = PoolWriting(session: session, settings: settings, now: now)
                var strangers: [String] = []
                for id in ids where try session.identity(id)?.subject == nil {
                    strangers.append(id)
                    if try session.identity(id) == nil { try change.hold(id) }
                }
                return strangers
            }
        } catch { throw .store(error.ofStore ?? StoreError(.unexpected, error.message)) }
    }

    private static let all = RoomStatement(
        "SELECT subject, id FROM _homeport_identities WHERE subject IS NOT NULL ORDER BY subject")

    /// Hands each user's `sub` and identity to the closure.
    package static func forEach(
        in reader: Reader, _ body: (_ subject: String, _ id: String) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try reader.has(PoolTables.all) else { return }
        try reader.rows(all, []) { row throws(StoreError) in
            try body(row.text(0), row.text(1))
            return true
        }
    }
}
