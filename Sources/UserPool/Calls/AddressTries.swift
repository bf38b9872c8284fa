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

    private struct Tries {
        /// Those that count at that moment.
        var count: Double
        var moment: Int64
    }

    private let tries = Mutex<[ByteText: Tries]>([:])

    /// Counts a try. False while the address has used up what is free.
    func begin(_ operation: String, from address: String, now: Int64) -> Bool {
        guard Self.guarded.contains(operation), let key = Self.key(of: address) else { return true }
        return tries.withLock { all in
            let count = Self.count(all[key], now: now)
            guard count < Double(PoolLimits.addressTriesMax) else { return false }
            if all[key] == nil, all.count >= PoolLimits.addressesMax { Self.makeRoom(in: &all, now: now) }
            all[key] = Tries(count: count + 1, moment: now)
            return true
        }
    }

    /// Gives a try back that was not wrong.
    func end(_ operation: String, from address: String, _ error: PoolError?, now: Int64) {
        guard Self.guarded.contains(operation), let key = Self.key(of: address), !Self.isWrong(error) else { return }
        tries.withLock { all in
            let count = Self.count(all[key], now: now) - 1
            all[key] = count > 0 ? Tries(count: count, moment: now) : nil
        }
    }

    /// Forgets all.
    func forget() { tries.withLock { $0 = [:] } }

    /// How many addresses are kept.
    var addresses: Int { tries.withLock { $0.count } }

    private static func isWrong(_ error: PoolError?) -> Bool {
        guard let error else { return false }
        return error == .wrongPassword || wrong.contains(error.type)
    }

    /// Tries are forgotten one after the other.
    private static func count(_ tries: Tries?, now: Int64) -> Double {
        guard let tries else { return 0 }
        let forgotten = Double(max(0, now - tries.moment)) / Double(PoolLimits.addressTryMilliseconds)
        return max(0, tries.count - forgotten)
    }

    /// Forgets those of whom nothing is left, else those that have tried least.
    private static func makeRoom(in all: inout [ByteText: Tries], now: Int64) {
        all = all.filter { count($0.value, now: now) > 0 }
        guard all.count >= PoolLimits.addressesMax else { return }
        let counts = all.mapValues { count($0, now: now) }
        let limit = counts.values.sorted()[all.count / 4]
        all = all.filter { (counts[$0.key] ?? 0) > limit }
    }

    /// Whose tries are counted together; nil: nobody's. Of version 6 everybody has a whole network of addresses.
    private static func key(of address: String) -> ByteText? {
        let bytes = address.utf8
        guard bytes.contains(UInt8(ascii: ":")) else {
            return address.hasPrefix("127.") || address.isEmpty ? nil : ByteText(address)
        }
        if address.hasPrefix("::ffff:"), bytes.contains(UInt8(ascii: ".")) {
            return key(of: String(address.dropFirst("::ffff:".count)))
        }
        guard ByteText(address) != "::1" else { return nil }
        return ByteText(network(of: address))
    }

    /// The first 64 bits of an address of version 6, with all their zeros.
    private static func network(of address: String) -> String {
        let halves = address.parts(separatedBy: "::")
        let front = halves[0].utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        let back =
            halves.count > 1
            ? halves[1].utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) } : []
        let zeros = Array(repeating: "0", count: max(0, 8 - front.count - back.count))
        return (front + zeros + back).prefix(4).joined(separator: ":")
    }
}
