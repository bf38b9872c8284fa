import JSON
import Synchronization

/// Slows who guesses: the third wrong password of an address costs a second, each further one twice as long, and all addresses
/// together have so many tries a minute.
final class WrongPasswords: Sendable {
    private struct Tries {
        var count = 0
        var waitsUntil: Int64 = 0
    }

    private struct State {
        var byAddress: [ByteText: Tries] = [:]
        var minute: Int64 = 0
        var inMinute = 0
    }

    private let state = Mutex(State())
    private static let second: Int64 = 1_000
    private static let minute: Int64 = 60_000

    /// Counts a try before it is looked at. The answer is how many seconds are still to be waited; nil: now.
    func begin(from address: String, now: Int64) -> Int64? {
        state.withLock { state in
            let address = ByteText(address)
            if let tries = state.byAddress[address], tries.waitsUntil > now {
                return (tries.waitsUntil - now + Self.second - 1) / Self.second
            }
            if now / Self.minute != state.minute { (state.minute, state.inMinute) = (now / Self.minute, 0) }
            guard state.inMinute < ConsoleLimits.triesPerMinute else {
                return ((state.minute + 1) * Self.minute - now + Self.second - 1) / Self.second
            }
            state.inMinute += 1
            if state.byAddress[address] == nil, state.byAddress.count >= ConsoleLimits.triedAddressesMax {
                // Those who waited longest ago.
                if let oldest = state.byAddress.min(by: { $0.value.waitsUntil < $1.value.waitsUntil }) {
                    state.byAddress.removeValue(forKey: oldest.key)
                }
            }
            var tries = state.byAddress[address] ?? Tries()
            tries.count += 1
            if tries.count >= ConsoleLimits.freeTries {
                let doubled = Int64(1) << Int64(min(tries.count - ConsoleLimits.freeTries, 6))
                tries.waitsUntil = now + min(doubled, ConsoleLimits.waitSecondsMax) * Self.second
            }
            state.byAddress[address] = tries
            return nil
        }
    }

    /// How long the address has to wait now.
    func wait(of address: String, now: Int64) -> Int64? {
        state.withLock { state in
            guard let tries = state.byAddress[ByteText(address)], tries.waitsUntil > now else { return nil }
            return (tries.waitsUntil - now + Self.second - 1) / Self.second
        }
    }

    /// The password was right.
    func forget(_ address: String) {
        state.withLock { _ = $0.byAddress.removeValue(forKey: ByteText(address)) }
    }
}
