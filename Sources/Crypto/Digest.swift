import COpenSSL

/// A digest of bytes by the SHA-2 family (FIPS 180-4).
package enum Digest: Sendable, CaseIterable {
    case sha256, sha384, sha512

    /// How many bytes it has.
    package var count: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of a message.
    package func of(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256:
            var digest = RunningSHA256()
            digest.add(message)
            return digest.end()
        case .sha384: return FoundDigest.sha384.of(message, count: count)
        case .sha512: return FoundDigest.sha512.of(message, count: count)
        }
    }

    var method: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}

/// A digest of OpenSSL, looked for once: that costs more than the digest of a short message.
private struct FoundDigest: @unchecked Sendable {
    // Safe to share: nothing changes it, and it is never given back.
    let pointer: OpaquePointer

    private init(_ name: String) {
        guard let pointer = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("OpenSSL has no \(name)") }
        self.pointer = pointer
    }

    func of(_ message: [UInt8], count: Int) -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let isMade = EVP_Digest(message, message.count, buffer.baseAddress, nil, pointer, nil) == 1
            initialized = isMade ? count : 0
        }
        // OpenSSL fails here only without memory; an empty digest would equal another one.
        precondition(digest.count == count, "OpenSSL made no digest")
        return digest
    }

    static let sha384 = FoundDigest("SHA384")
    static let sha512 = FoundDigest("SHA512")
}

/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    package static func text(of bytes: [UInt8]) -> String { String(decoding: digits(of: bytes), as: UTF8.self) }

    /// The digits of that text.
    package static func digits(of bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        bytes.withUnsafeBytes { append($0, to: &digits) }
        return digits
    }

    /// Appends the digits of that text. Hot path: four bytes at a time.
    package static func append(_ bytes: UnsafeRawBufferPointer, to digits: inout [UInt8]) {
        digits.append(addingCapacity: bytes.count * 2) { span in
            span.withUnsafeMutableBufferPointer { digits, count in
                let room = UnsafeMutableRawBufferPointer(digits)
                var place = 0
                while place + 4 <= bytes.count {
                    let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                    room.storeBytes(of: eightDigits(word).littleEndian, toByteOffset: count, as: UInt64.self)
                    place += 4
                    count += 8
                }
                while place < bytes.count {
                    digits[count] = digit(bytes[place] >> 4)
                    digits[count + 1] = digit(bytes[place] & 15)
                    place += 1
                    count += 2
                }
            }
        }
    }

    /// The digits of four bytes, from the lowest byte on.
    @inline(__always)
    private static func eightDigits(_ word: UInt32) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Each byte in two, then each half in a byte of its own, the upper one first.
        var halves = UInt64(word)
        halves = (halves | halves << 16) & 0x0000_FFFF_0000_FFFF
        halves = (halves | halves << 8) & 0x00FF_00FF_00FF_00FF
        halves = (halves >> 4 | halves << 8) & (ones &* 15)
        // One in each that is a letter: those that pass fifteen with six more.
        let letters = (halves &+ ones &* 6) >> 4 & ones
        let (figure, letter) = (UInt64(UInt8(ascii: "0")), UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0")))
        return halves &+ ones &* figure &+ letters &* letter
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The bytes of digits, of either case and nothing else; where their count is odd, as if a zero stood in front.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((text.count + 1) / 2)
        var isSecond = !text.count.isMultiple(of: 2)
        var first: UInt8 = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            if isSecond { bytes.append(first << 4 | value) } else { first = value }
            isSecond.toggle()
        }
        return bytes
    }

    /// The value of a digit of either case; nil for any other byte.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
