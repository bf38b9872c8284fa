/// A content coding of HTTP that we can undo.
package enum ContentCoding: Sendable, Hashable {
    case gzip
    /// zlib's format by the standard; some clients send bare DEFLATE blocks under this name.
    case deflate

    /// The coding that the value of a `Content-Encoding` header names. Several codings on top of each other are not supported:
    /// nobody sends them but to make a small body very large.
    package enum Request: Sendable, Hashable {
        case identity
        case coding(ContentCoding)
        case unsupported
    }

    package static func requested(by headerValue: String) -> Request {
        switch headerValue.lowercased() {
        case "", "identity": .identity
        case "gzip", "x-gzip": .coding(.gzip)
        case "deflate": .coding(.deflate)
        default: .unsupported
        }
    }

    /// Returns whether an `Accept-Encoding` header allows a gzip answer: named, or meant by `*`, with a weight above zero.
    package static func isGzipAccepted(by headerValue: String) -> Bool {
        var isAnyAccepted = false
        for element in headerValue.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { String(Substring($0).lowercased().filter { $0 != " " && $0 != "\t" }) }
            guard let name = parts.first else { continue }
            let isAccepted = !parts.dropFirst().contains(where: isZeroWeight)
            switch name {
            case "gzip", "x-gzip": return isAccepted
            case "*": isAnyAccepted = isAccepted
            default: break
            }
        }
        return isAnyAccepted
    }

    private static func isZeroWeight(_ parameter: String) -> Bool {
        parameter.hasPrefix("q=0") && parameter.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
    }
}
