import Access
import JSON
import Synchronization

/// Slows who guesses: the third wrong password of a network costs a second, each further one twice as long, and all together have so many
/// tries a minute.
///
/// So that guessing from many addresses does not keep the operator out, a part of each minute is for networks that have not failed, and
/// browsers in which somebody was signed in before have a minute of their own.
final class WrongPasswords: Sendable {
    /// The caller that tries a password.
    enum Source: Hashable, Sendable {
        /// An address, or a network of version 6.
        case network(ByteText)
        /// A browser in which somebody was signed in before, by its name.
        case browser(ByteText)

        init(address: String) { self = .network(ClientNetwork.of(address) ?? ByteText(address)) }
    }

    private struct Tries {
        var count = 0
        var waitsUntil: Int64 = 0
    }

    private struct Minute {
        var number: Int64 = 0
        var strangers = 0
        var browsers = 0
    }

    private struct State {
        var bySource: [Source: Tries] = [:]
        var minute = Minute()
    }

    private let state = Mutex(State())
    private static let second: Int64 = 1_000
    private static let minute: Int64 = 60_000

    /// Counts a try before it is looked at. The answer is how many seconds are still to be waited; nil: now.
    func begin(from source: Source, now: Int64) -> Int64? {
        state.withLock { state in
            if let tries = state.bySource[source], tries.waitsUntil > now {
                return (tries.waitsUntil - now + Self.second - 1) / Self.second
            }
            if now / Self.minute != state.minute.number { state.minute = Minute(number: now / Self.minute) }
            guard Self.count(source, in: &state) else {
                return ((state.minute.number + 1) * Self.minute - now + Self.second - 1) / Self.second
            }
            if state.bySource[source] == nil, state.bySource.count >= ConsoleLimits.triedAddressesMax {
                // Those who waited longest ago.
                if let oldest = state.bySource.min(by: { $0.value.waitsUntil < $1.value.waitsUntil }) {
                    state.bySource.removeValue(forKey: oldest.key)
                }
            }
            var tries = state.bySource[source] ?? Tries()
            tries.count += 1
            if tries.count >= ConsoleLimits.freeTries {
                let doubled = Int64(1) << Int64(min(tries.count - ConsoleLimits.freeTries, 6))
                tries.waitsUntil = now + min(doubled, ConsoleLimits.waitSecondsMax) * Self.second
            }
            state.bySource[source] = tries
            return nil
        }
    }

    /// Counts a try for the minute. False where there is no place for it.
    private static func count(_ source: Source, in state: inout State) -> Bool {
        switch source {
        case .browser:
            guard state.minute.browsers < ConsoleLimits.triesPerMinute else { return false }
            state.minute.browsers += 1
        case .network:
            let hasFailed = state.bySource[source] != nil
            let max = ConsoleLimits.triesPerMinute - (hasFailed ? ConsoleLimits.triesForNewcomers : 0)
            guard state.minute.strangers < max else { return false }
            state.minute.strangers += 1
        }
        return true
    }

    /// How long that one has to wait now.
    func wait(of source: Source, now: Int64) -> Int64? {
        state.withLock { state in
            guard let tries = state.bySource[source], tries.waitsUntil > now else { return nil }
            return (tries.waitsUntil - now + Self.second - 1) / Self.second
        }
    }

    /// The password was right.
    func forget(_ source: Source) {
        state.withLock { _ = $0.bySource.removeValue(forKey: source) }
    }
}
