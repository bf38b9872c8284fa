/// A key for many codes of HMAC with SHA-256 (RFC 2104): what of the work depends on the key alone is done once.
package final class HMACKey: @unchecked Sendable {
    // Safe to share: after the start both are only copied from, until nobody holds them any more.
    private var inner: RunningSHA256
    private var outer: RunningSHA256

    private static let blockCount = 64

    package init(_ key: [UInt8]) {
        let key = key.count > Self.blockCount ? Digest.sha256.of(key) : key
        let block = key + [UInt8](repeating: 0, count: Self.blockCount - key.count)
        inner = Self.begun(block.map { $0 ^ 0x36 })
        outer = Self.begun(block.map { $0 ^ 0x5C })
    }

    deinit {
        inner.forget()
        outer.forget()
    }

    private static func begun(_ block: [UInt8]) -> RunningSHA256 {
        var digest = RunningSHA256()
        digest.add(block)
        return digest
    }

    /// The code of the pieces of a message, one behind the other, 32 bytes.
    package func code(of pieces: [UInt8]...) -> [UInt8] {
        var inner = inner
        for piece in pieces { inner.add(piece) }
        return code(&inner) { Array($0) }
    }

    /// Hands the code of a message to the closure.
    package func withCode<Answer>(of message: [UInt8], _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        var inner = inner
        inner.add(message)
        return code(&inner, body)
    }

    private func code<Answer>(_ inner: inout RunningSHA256, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        var outer = outer
        inner.end { outer.add($0) }
        return outer.end(body)
    }
}
