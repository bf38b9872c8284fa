/// An answer: a status, header fields, a body.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFieldLines
    package var body: HTTPResponseBody
    /// Ends the connection behind this answer.
    package var closesConnection = false
    /// Ends the connection without a byte of this answer: tests see what their clients do then.
    package var dropsConnection = false
    /// A note that the application finds in the exchange when it has `finished`, beside its `mark`. 0: none.
    package var note: UInt64 = 0
    /// Why the request was refused, for the log.
    package var reason: String?

    package init(status: HTTPStatus = .ok, fields: HTTPFieldLines = .init(), body: HTTPResponseBody = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The body of an answer.
package enum HTTPResponseBody: Sendable {
    case empty
    /// So many bytes that are not sent: of an answer to HEAD whose body nobody has to make.
    case absent(length: Int)
    /// Compressed on the way out when the client asks for it, it is worth it, and the flag allows it.
    case bytes([UInt8], isCompressible: Bool = true)
    /// A part of an open file, sent by the kernel.
    case file(HTTPFileBody)
    /// Written piece by piece while it is sent; with no length it is chunked.
    case stream(length: Int?, @Sendable (HTTPBodyWriter) async throws -> Void)
}

/// Header fields in the form in which they are sent, so that a block used by all answers is rendered once.
package struct HTTPFieldLines: Sendable, Equatable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(_ fields: KeyValuePairs<StaticString, String>) {
        for (name, value) in fields { append(name, value) }
    }

    /// Adds a field. Bytes that would end the line are left out of the value: nobody can smuggle in a field.
    package mutating func append(_ name: StaticString, _ value: String) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        appendValue(value)
    }

    /// Adds a field whose name is not known when the program is written; one that is no token is left out.
    package mutating func append(name: String, value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPCharacters.isToken) else { return }
        bytes.append(contentsOf: name.utf8)
        appendValue(value)
    }

    /// The same with a value of somebody's own letters: in Latin-1 where that has them all, as clients read it, else in UTF-8.
    package mutating func append(name: String, letters: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPCharacters.isToken) else { return }
        bytes.append(contentsOf: name.utf8)
        // Hot path: nearly all are ASCII.
        if letters.utf8.allSatisfy({ $0 < 0x80 }) { return appendValue(letters) }
        let isLatin = letters.unicodeScalars.allSatisfy { $0.value < 0x100 }
        appendValue(isLatin ? letters.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(letters.utf8))
    }

    package mutating func append(_ other: HTTPFieldLines) {
        bytes.append(contentsOf: other.bytes)
    }

    private mutating func appendValue(_ value: String) {
        var value = value
        value.withUTF8 { appendValue($0) }
    }

    private mutating func appendValue(_ value: [UInt8]) { value.withUnsafeBufferPointer { appendValue($0) } }

    private mutating func appendValue(_ value: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: ":"))
        bytes.append(HTTPCharacters.space)
        // Hot path: a byte that is left out is what nobody sends.
        if value.allSatisfy(HTTPCharacters.isFieldValue) {
            bytes.append(contentsOf: value)
        } else {
            for byte in value where HTTPCharacters.isFieldValue(byte) { bytes.append(byte) }
        }
        bytes.append(HTTPCharacters.carriageReturn)
        bytes.append(HTTPCharacters.lineFeed)
    }
}

/// A part of an open file as a body. It owns the descriptor until the answer takes it.
package final class HTTPFileBody: Sendable {
    package let count: Int
    private let offset: Int
    private let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor, offset: Int, count: Int) {
        self.descriptor = descriptor
        self.offset = offset
        self.count = count
    }

    /// A sending of its own: the descriptor is duplicated, so that it lives as long as it is needed. Nil when the
    /// process has no descriptor left.
    func send() -> FileSend? {
        guard let copy = descriptor.duplicate() else { return nil }
        return FileSend(copy, offset: offset, count: count)
    }
}
