/// What a server sent against the protocol, or beyond a limit. The connection is of no use after it.
package enum PostgresViolation: Error, Equatable, Sendable, CustomStringConvertible {
    /// A message of a kind that the protocol does not have, or that this client never asks for (COPY).
    case unknownKind(UInt8)
    /// A message whose length cannot be.
    case badLength(kind: UInt8, length: Int)
    case tooLong(kind: UInt8, length: Int, limit: Int)
    /// A message that ends before its last field, or goes on after it.
    case badBody(kind: UInt8)
    /// A message that does not belong where it came.
    case unexpected(kind: UInt8)
    case tooManyColumns(limit: Int)
    case tooManyRows(limit: Int)
    case tooManyRowBytes(limit: Int)
    case tooManyMessages(limit: Int)

    package var description: String {
        switch self {
        case .unknownKind(let kind): "a message of the kind \(Self.name(kind)), which it must not send"
        case .badLength(let kind, let length): "a message \(Self.name(kind)) with the impossible length \(length)"
        case .tooLong(let kind, let length, let limit):
            "a message \(Self.name(kind)) of \(length) bytes; the limit is \(limit)"
        case .badBody(let kind): "a message \(Self.name(kind)) whose fields do not fit its length"
        case .unexpected(let kind): "a message \(Self.name(kind)) that nothing asked for"
        case .tooManyColumns(let limit): "a row of more than \(limit) columns"
        case .tooManyRows(let limit): "more than \(limit) rows for one trip; read them in pages"
        case .tooManyRowBytes(let limit): "rows of more than \(limit) bytes for one trip; read them in pages"
        case .tooManyMessages(let limit): "more than \(limit) messages before the sign-in was over"
        }
    }

    /// A letter where it is one, else its number.
    private static func name(_ kind: UInt8) -> String {
        (0x21...0x7E).contains(kind) ? "'\(Character(UnicodeScalar(kind)))'" : "\(kind)"
    }
}
