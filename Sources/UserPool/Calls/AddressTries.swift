import Access
import JSON
import Synchronization

/// How many wrong tries have come from one address, of whichever users: what stops who tries one password with every name.
///
/// Kept in memory, for as long as the process runs. Tries are counted before anybody knows whether they are right, and given
/// back when they were, so that of many at the same time no more than the free ones get through.
///
/// Addresses of this machine are not counted. A test suite signs hundreds of users in with wrong passwords on purpose, and a proxy
/// that is not configured would make one address of everybody. What is tried for one user is limited all the same
/// (`WrongTries`). Others have so many free tries (`addressTriesMax`) that an office or a school behind one address does not feel it.
final class AddressTries: Sendable {
    /// The operations in which something is guessed.
    private static let guarded: Set<ByteText> = [
        "InitiateAuth", "RespondToAuthChallenge", "ConfirmSignUp", "ConfirmForgotPassword", "ChangePassword",
        "VerifyUserAttribute", "VerifySoftwareToken",
    ]
    /// The refusals that tell of a wrong guess: of a password, a code or a name.
    private static let wrong: Set<ByteText> = [
        "CodeMismatchException", "ExpiredCodeException", "UserNotFoundException", "EnableSoftwareTokenMFAException",
    ]

    private let tries = Mutex(FadingCounts<ByteText>(keysMax: PoolLimits.addressesMax))

    /// Counts a try. False while the address has used up what is free.
    func begin(_ operation: String, from address: String, now: Int64) -> Bool {
        guard Self.guarded.contains(operation), let network = ClientNetwork.of(address) else { return true }
        return tries.withLock {
            $0.take(
                network, free: PoolLimits.addressTriesMax, fading: Double(PoolLimits.addressTryMilliseconds), now: now)
        }
    }

    /// Gives a try back that was not wrong.
    func end(_ operation: String, from address: String, _ error: PoolError?, now: Int64) {
        guard Self.guarded.contains(operation), let network = ClientNetwork.of(address), !Self.isWrong(error) else {
            return
        }
        tries.withLock { $0.giveBack(network, now: now) }
    }

    /// Forgets all.
    func forget() { tries.withLock { $0.removeAll() } }

    /// How many addresses are kept.
    var addresses: Int { tries.withLock { $0.keys } }

    private static func isWrong(_ error: PoolError?) -> Bool {
        guard let error else { return false }
        return error == .wrongPassword || wrong.contains(error.type)
    }
}
