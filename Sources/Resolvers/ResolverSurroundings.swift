import Crypto
import JSON

/// Time and chance, the only things from outside that a handler can ask for.
package struct ResolverSurroundings: Sendable {
    /// Milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// As many bytes as said.
    package let randomBytes: @Sendable (Int) -> [UInt8]

    package init(now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    package static let live = ResolverSurroundings(
        now: { Timestamp.now.millisecondsSince1970 }, randomBytes: { RandomBytes.make(count: $0) })

    /// From 0 up to, not with, 1.
    package func random() -> Double {
        var bits: UInt64 = 0
        for byte in randomBytes(8) { bits = bits << 8 | UInt64(byte) }
        return Double(bits >> 11) / 9_007_199_254_740_992
    }
}
