import Crypto

/// Makes positions into `nextToken`s and back.
///
/// A token is opaque: the record that a page ended at may be one that the caller must not see. It holds the position
/// encrypted and a code over position and scope, so that it works nowhere but for the field and arguments that it was
/// made for. The code is also what the encryption starts from, as in SIV (RFC 5297): it differs with every position,
/// so no keystream is used for two.
///
///     code (16 bytes) │ position, combined with HMAC(encryption key, code, 0), HMAC(encryption key, code, 1), …
package struct CursorSeal: Sendable {
    private let codeKey: [UInt8]
    private let streamKey: [UInt8]
    private static let codeCount = 16

    init(key: [UInt8]) {
        codeKey = HMACSHA256.code(of: Array("cursor code".utf8), key: key)
        streamKey = HMACSHA256.code(of: Array("cursor stream".utf8), key: key)
    }

    /// The token of a position. `scope` says what it is for: the field and the arguments but for limit and token.
    package func token(of position: ListQuery.Position, scope: [UInt8]) -> String {
        let plain = position.bytes
        let code = code(of: plain, scope: scope)
        return Base64URL.text(of: code + combined(plain, with: code))
    }

    /// The position of a token, or an error when it was made for something else or by somebody else.
    package func position(of token: String, scope: [UInt8]) throws(StoreError) -> ListQuery.Position {
        guard token.utf8.count <= StoreLimits.tokenBytesMax, let sealed = Base64URL.bytes(of: token),
            sealed.count > Self.codeCount
        else { throw Self.invalid }
        let code = Array(sealed[..<Self.codeCount])
        let plain = combined(Array(sealed[Self.codeCount...]), with: code)
        guard HMACSHA256.areEqual(code, self.code(of: plain, scope: scope)),
            let position = ListQuery.Position(bytes: plain)
        else { throw Self.invalid }
        return position
    }

    package static let invalid = StoreError(.invalidArgument, "Invalid pagination token given.")

    private func code(of plain: [UInt8], scope: [UInt8]) -> [UInt8] {
        // The length in front keeps a part of the scope from passing for one of the position.
        let length = withUnsafeBytes(of: UInt64(scope.count).littleEndian) { Array($0) }
        return Array(HMACSHA256.code(of: length + scope + plain, key: codeKey)[..<Self.codeCount])
    }

    private func combined(_ bytes: [UInt8], with code: [UInt8]) -> [UInt8] {
        var result = bytes
        var block: UInt32 = 0
        var start = 0
        while start < result.count {
            let number = withUnsafeBytes(of: block.littleEndian) { Array($0) }
            let stream = HMACSHA256.code(of: code + number, key: streamKey)
            let end = min(start + stream.count, result.count)
            for index in start..<end { result[index] ^= stream[index - start] }
            start = end
            block &+= 1
        }
        return result
    }
}

extension ListQuery.Position {
    private enum Tag: UInt8 {
        case null, integer, real, text
    }

    /// The row, then what kind of value orders, then the value.
    fileprivate var bytes: [UInt8] {
        var bytes = Self.bytes(of: UInt64(bitPattern: row))
        switch sort {
        case .null, .blob: bytes.append(Tag.null.rawValue)
        case .integer(let integer):
            bytes.append(Tag.integer.rawValue)
            bytes += Self.bytes(of: UInt64(bitPattern: integer))
        case .real(let real):
            bytes.append(Tag.real.rawValue)
            bytes += Self.bytes(of: real.bitPattern)
        case .text(let text):
            bytes.append(Tag.text.rawValue)
            bytes += text.utf8
        case .utf8(let text):
            bytes.append(Tag.text.rawValue)
            bytes += text
        }
        return bytes
    }

    fileprivate init?(bytes: [UInt8]) {
        guard bytes.count > 8, let row = Self.number(of: bytes[..<8]), let tag = Tag(rawValue: bytes[8]) else {
            return nil
        }
        let rest = bytes[9...]
        let sort: StoredValue? =
            switch tag {
            case .null: rest.isEmpty ? .null : nil
            case .integer: Self.number(of: rest).map { .integer(Int64(bitPattern: $0)) }
            case .real: Self.number(of: rest).map { .real(Double(bitPattern: $0)) }
            case .text: .text(String(decoding: rest, as: UTF8.self))
            }
        guard let sort else { return nil }
        self.init(sort: sort, row: Int64(bitPattern: row))
    }

    private static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func number(of bytes: ArraySlice<UInt8>) -> UInt64? {
        bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
