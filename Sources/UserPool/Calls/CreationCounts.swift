import Access
import Cloud
import JSON
import Synchronization

/// How many calls may make something that lasts or leaves the server, within an hour: users, identities of guests, and messages.
package struct CreationLimits: Sendable, Equatable {
    /// Calls of one address that make a user or send a message.
    package var callsPerAddress = PoolLimits.creatingCallsPerAddress
    /// Identities of guests that one address gets.
    package var guestsPerAddress = PoolLimits.guestsPerAddress
    /// Messages that one signed-in user causes: codes for their addresses.
    package var messagesPerUser = PoolLimits.messagesPerUser

    package init() {}
}

/// Counts what makes something, for each address and each signed-in user. Otherwise one stranger could fill the disk with users, and send
/// mails to any address in the app's name.
///
/// Kept in memory, as long as the process runs. Addresses of this machine are not counted, as with wrong tries (`AddressTries`). Calls
/// are counted before they are carried out, and given back when nothing came of them.
final class CreationCounts: Sendable {
    /// What is counted apart from each other.
    enum Kind: Hashable, Sendable {
        case call
        case guest
    }

    private struct Key: Hashable, Sendable {
        let kind: Kind
        let network: ByteText
    }

    private let addresses = Mutex(FadingCounts<Key>(keysMax: PoolLimits.addressesMax))
    private let users = Mutex(FadingCounts<Int64>(keysMax: PoolLimits.addressesMax))

    /// The operations that make something, whoever calls them.
    private static let calls: Set<ByteText> = ["SignUp", "ResendConfirmationCode", "ForgotPassword"]

    /// What a call makes; nil: nothing, or nothing before it is known who calls.
    static func kind(of operation: String, _ input: PoolInput) -> Kind? {
        if calls.contains(operation) { return .call }
        // A login has one identity, however often it asks.
        guard ByteText(operation) == "GetId", input.object("Logins")?.isEmpty ?? true else { return nil }
        return .guest
    }

    /// Counts one. False while the address has made as many as it may.
    func begin(_ kind: Kind, from address: String, _ limits: CreationLimits, now: Int64) -> Bool {
        guard let network = ClientNetwork.of(address) else { return true }
        let free = kind == .call ? limits.callsPerAddress : limits.guestsPerAddress
        return addresses.withLock {
            $0.take(Key(kind: kind, network: network), free: free, fading: Self.fading(free), now: now)
        }
    }

    /// Gives one back that has made nothing.
    func giveBack(_ kind: Kind, from address: String, now: Int64) {
        guard let network = ClientNetwork.of(address) else { return }
        addresses.withLock { $0.giveBack(Key(kind: kind, network: network), now: now) }
    }

    /// Counts a message that a signed-in user causes. False while they have caused as many as they may.
    func begin(ofUser user: Int64, _ limits: CreationLimits, now: Int64) -> Bool {
        let free = limits.messagesPerUser
        return users.withLock { $0.take(user, free: free, fading: Self.fading(free), now: now) }
    }

    /// So many an hour: in which time one is forgotten.
    private static func fading(_ free: Int) -> Double {
        Double(PoolLimits.creationWindowMilliseconds) / Double(max(1, free))
    }

    /// What a call is refused with that would make too much.
    static func refusal(of kind: Kind) -> PoolError {
        kind == .guest ? PoolError("TooManyRequestsException", "Rate exceeded") : .tooManyAttempts
    }
}

extension PoolRun {
    /// Counts a message that a signed-in user causes, for the user and for the address.
    func countMessage(by user: User) throws(PoolError) {
        let limits = settings.creation
        guard pool.creations.begin(ofUser: user.number, limits, now: now),
            pool.creations.begin(.call, from: call.address, limits, now: now)
        else { throw .tooManyAttempts }
    }
}
