import COpenSSL

/// A natural number of any size. Its memory is overwritten when it goes: it may be a secret.
package struct BigNumber: ~Copyable {
    /// Good for as long as the number is: never that of one without a name.
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// A number to write into.
    init() {
        // OpenSSL fails here, and in the arithmetic below, only without memory; going on would accept what is forged.
        guard let pointer = BN_new() else { preconditionFailure("OpenSSL made no number") }
        self.pointer = pointer
    }

    deinit { BN_clear_free(pointer) }

    /// The number of bytes, the greatest first. None are zero.
    package init(_ bytes: [UInt8]) {
        guard let pointer = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            preconditionFailure("OpenSSL made no number")
        }
        self.pointer = pointer
    }

    package var isZero: Bool { BN_is_zero(pointer) == 1 }

    /// The fewest bytes that it has, the greatest first: none for zero.
    package var bytes: [UInt8] {
        let count = Int(BN_num_bits(pointer) + 7) / 8
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = Int(BN_bn2bin(pointer, buffer.baseAddress))
        }
    }

    /// So many bytes, with zeros in front, in a time that does not tell how many: nil when it needs more.
    package func bytes(count: Int) -> [UInt8]? {
        var fits = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fits = BN_bn2binpad(pointer, buffer.baseAddress, Int32(clamping: count)) >= 0
            initialized = fits ? count : 0
        }
        return fits ? bytes : nil
    }

    /// The number that a body writes, with a place where it keeps others on the way, which OpenSSL overwrites in the end.
    static func make(_ body: (_ result: OpaquePointer, _ workspace: OpaquePointer) -> Int32) -> BigNumber {
        let result = BigNumber()
        withWorkspace { workspace in
            precondition(body(result.pointer, workspace) == 1, "OpenSSL made no number")
        }
        return result
    }

    static func withWorkspace(_ body: (OpaquePointer) -> Void) {
        guard let workspace = BN_CTX_new() else { preconditionFailure("OpenSSL made no number") }
        body(workspace)
        BN_CTX_free(workspace)
    }
}
