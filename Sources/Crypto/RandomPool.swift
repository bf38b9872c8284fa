/// Random bytes at hand, for those who want a few at a time: to ask the system costs the same for few and for many.
package struct RandomPool: Sendable {
    private var bytes: [UInt8] = []

    private static let refillBytes = 1024

    package init() {}

    /// Bytes that nobody else gets.
    package mutating func take(_ count: Int) -> [UInt8] {
        if bytes.count < count { bytes = RandomBytes.make(count: max(Self.refillBytes, count)) }
        let taken = Array(bytes.suffix(count))
        bytes.removeLast(count)
        return taken
    }
}
