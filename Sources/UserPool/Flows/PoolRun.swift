import Cloud
import Crypto
import JSON
import Store

/// One call while it is answered: what the operations have at hand.
struct PoolRun: Sendable {
    let pool: UserPool
    let shard: PoolShard
    let input: PoolInput
    let call: PoolCall
    /// When the call came, in milliseconds since 1970.
    let now: Int64
    /// Through which door it came.
    var door = Door.api
    /// True if the sign-in is the first one of a user whom a provider has brought.
    var isOfNewcomer = false

    enum Door: Sendable {
        case api
        /// The pages for people, which act for every client and keep who signs in.
        case pages
    }

    var settings: PoolSettings { pool.settings }

    // MARK: Data

    /// Reads what is there now.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(PoolError) -> Value
    ) async throws(PoolError) -> Value {
        try await pool.read(on: shard, body)
    }

    /// The user with a number; nil: there is none, or no number.
    func user(_ number: Int64?) async throws(PoolError) -> User? {
        guard let number else { return nil }
        return try await read { reader throws(PoolError) in try reader.user(number) }
    }

    func user(named name: UserName) async throws(PoolError) -> User? {
        try await read { reader throws(PoolError) in try reader.user(named: name) }
    }

    /// The same in the time that somebody takes who is not there.
    func user(named name: UserName, orLike like: Int64) async throws(PoolError) -> User? {
        try await read { reader throws(PoolError) in try reader.user(named: name, orLike: like) }
    }

    /// Makes a change and waits until it is on the disk. What it throws undoes it.
    ///
    /// A change that turns out to send a message about which the app's functions have not been asked is undone, and made again
    /// when they were: nothing waits for them within a transaction, and they are not asked about messages that nobody gets.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (PoolWriting) throws(PoolError) -> Value
    ) async throws(PoolError) -> Value {
        do throws(PoolError) { return try await write(change, wording: nil) } catch {
            guard let message = error.unworded, let user = try await user(message.user),
                let wording = try await wording(message.source, for: user)
            else { throw error }
            return try await write(change, wording: UserWording(user: user.number, wording: wording))
        }
    }

    private func write<Value: Sendable>(
        _ change: @escaping @Sendable (PoolWriting) throws(PoolError) -> Value, wording: UserWording?
    ) async throws(PoolError) -> Value {
        let settings = settings
        let now = now
        let isForPages = door == .pages
        let tokenKey = pool.tokenKey
        return try await pool.write { session throws(PoolError) in
            try change(
                PoolWriting(
                    session: session, settings: settings, now: now, isForPages: isForPages, tokenKey: tokenKey,
                    wording: wording))
        }
    }

    /// Does arithmetic beside the loop.
    func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(PoolError) -> Value {
        guard let value = await pool.proofs.value(of: work) else {
            throw PoolError("TooManyRequestsException", "Too many requests. Try again later.")
        }
        return value
    }

    func name(_ given: String) -> UserName { UserName(given, in: settings) }

    // MARK: Clients

    /// The client that a request names. One with a secret proves to know it for the name that it sends.
    func client(username: String?, secretHash: String?) throws(PoolError) -> AppClient {
        let id = try input.required("ClientId")
        guard let client = pool.clients[id] else { throw .unknownClient(id) }
        guard let secret = client.secret, door == .api else { return client }
        guard let secretHash else {
            throw .notAuthorized("Client \(id) is configured with secret but SECRET_HASH was not received")
        }
        let code = HMACSHA256.code(of: Array("\(username ?? "")\(id)".utf8), key: Array(secret.utf8))
        guard ConstantTime.areEqual(Base64.text(of: code, .standard), secretHash) else {
            throw .notAuthorized("Unable to verify secret hash for client \(id)")
        }
        return client
    }

    /// The user whom a request names, for those who may learn that there is none.
    func knownUser(_ name: String) async throws(PoolError) -> User {
        guard let user = try await user(named: self.name(name)) else { throw .userNotFound }
        return user
    }
}
