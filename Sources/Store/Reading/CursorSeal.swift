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
    private let codeKey: HMACKey
    private let streamKey: HMACKey
    private static let codeCount = 16

    init(key: [UInt8]) {
        codeKey = HMACKey(HMACSHA256.code(of: Array("cursor code".utf8), key: key))
        streamKey = HMACKey(HMACSHA256.code(of: Array("cursor stream".utf8), key: key))
    }

    /// The token of a position. `scope` says what it is for: the field and the arguments but for limit and token.
    package func token(of position: ListQuery.Position, scope: [UInt8]) -> String {
        token(of: position.bytes, scope: scope)
    }

    /// The position of a token, or an error when it was made for something else or by somebody else.
    package func position(of token: String, scope: [UInt8]) throws(StoreError) -> ListQuery.Position {
        guard let position = ListQuery.Position(bytes: try plain(of: token, scope: scope)) else { throw Self.invalid }
        return position
    }

    /// The token of a position in a search.
    package func token(of position: TextSearch.Position, scope: [UInt8]) -> String {
        token(of: position.bytes, scope: Self.searchScope + scope)
    }

    /// The position of the token of a search.
    package func searchPosition(of token: String, scope: [UInt8]) throws(StoreError) -> TextSearch.Position {
        let plain = try plain(of: token, scope: Self.searchScope + scope)
        guard let position = TextSearch.Position(bytes: plain) else { throw Self.invalid }
        return position
    }

    // No token of a list passes for one of a search.
    private static let searchScope = Array("search:".utf8)

    /// The token of bytes that nobody but the server is to read.
    package func token(of plain: [UInt8], scope: [UInt8]) -> String {
        let code = code(of: plain, scope: scope)
        return Base64.text(of: code + combined(plain, with: code))
    }

    /// The bytes of a token that was made for this scope.
    package func plain(of token: String, scope: [UInt8]) throws(StoreError) -> [UInt8] {
        guard token.utf8.count <= StoreLimits.tokenBytesMax, let sealed = Base64.bytes(of: token.utf8),
            sealed.count > Self.codeCount
        else { throw Self.invalid }
        let code = Array(sealed[..<Self.codeCount])
        let plain = combined(Array(sealed[Self.codeCount...]), with: code)
        guard HMACSHA256.areEqual(code, self.code(of: plain, scope: scope)) else { throw Self.invalid }
        return plain
    }

    package static let invalid = StoreError(.invalidArgument, "Invalid pagination token given.")

    private func code(of plain: [UInt8], scope: [UInt8]) -> [UInt8] {
        // The length in front keeps a part of the scope from passing for one of the position.
        let length = withUnsafeBytes(of: UInt64(scope.count).littleEndian) { Array($0) }
        return Array(codeKey.code(of: length, scope, plain)[..<Self.codeCount])
    }

    private func combined(_ bytes: [UInt8], with code: [UInt8]) -> [UInt8] {
        var result = bytes
        var block: UInt32 = 0
        var start = 0
        while start < result.count {
            let number = withUnsafeBytes(of: block.littleEndian) { Array($0) }
            let stream = streamKey.code(of: code, number)
            let end = min(start + stream.count, result.count)
            for index in start..<end { result[index] ^= stream[index - start] }
            start = end
            block &+= 1
        }
        return result
    }
}

extension ListQuery.Position {
    /// The row, then the value that orders.
    var bytes: [UInt8] { PositionBytes.bytes(of: UInt64(bitPattern: row)) + PositionBytes.bytes(of: sort) }

    init?(bytes: [UInt8]) {
        guard bytes.count > 8, let row = PositionBytes.number(of: bytes[..<8]),
            let sort = PositionBytes.value(of: bytes[8...])
        else { return nil }
        self.init(sort: sort, row: Int64(bitPattern: row))
    }
}

extension TextSearch.Position {
    /// Each value after its length.
    fileprivate var bytes: [UInt8] {
        values.flatMap { value in
            let bytes = PositionBytes.bytes(of: value)
            return PositionBytes.bytes(of: UInt64(bytes.count)) + bytes
        }
    }

    fileprivate init?(bytes: [UInt8]) {
        var values: [StoredValue] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = PositionBytes.number(of: rest.prefix(8)), count <= rest.count - 8,
                let value = PositionBytes.value(of: rest.dropFirst(8).prefix(Int(count)))
            else { return nil }
            values.append(value)
            rest = rest.dropFirst(8 + Int(count))
        }
        self.init(values)
    }
}

/// The form of values within positions: what kind it is, then the value.
enum PositionBytes {
    private enum Tag: UInt8 {
        case null, integer, real, text
    }

    static func bytes(of value: StoredValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch value {
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

    static func value(of bytes: ArraySlice<UInt8>) -> StoredValue? {
        guard let tag = bytes.first.flatMap(Tag.init) else { return nil }
        let rest = bytes.dropFirst()
        return switch tag {
        case .null: rest.isEmpty ? .null : nil
        case .integer: number(of: rest).map { .integer(Int64(bitPattern: $0)) }
        case .real: number(of: rest).map { .real(Double(bitPattern: $0)) }
        case .text: .text(String(decoding: rest, as: UTF8.self))
        }
    }

    static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    static func number(of bytes: ArraySlice<UInt8>) -> UInt64? {
        bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
