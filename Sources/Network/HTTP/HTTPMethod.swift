/// The method of a request.
package enum HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    case get, head, post, put, delete, options, patch
    case other(String)

    init(_ bytes: UnsafeRawBufferPointer) {
        self =
            Self.known.first { bytes.elementsEqual($0.text.utf8) }?.method
            ?? .other(String(decoding: bytes, as: UTF8.self))
    }

    package var description: String {
        if case .other(let text) = self { return text }
        return Self.known.first { $0.method == self }?.text ?? ""
    }

    private static let known: [(method: HTTPMethod, text: String)] = [
        (.post, "POST"), (.get, "GET"), (.options, "OPTIONS"), (.head, "HEAD"), (.put, "PUT"), (.delete, "DELETE"),
        (.patch, "PATCH"),
    ]
}
