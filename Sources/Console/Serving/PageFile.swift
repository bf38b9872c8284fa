import JSON
import Network

/// A file of the page, with what a browser is told of it.
struct PageFile: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The types of what is served. A file of any other is not.
    private static let types: [(ending: String, type: String)] = [
        (".html", "text/html; charset=utf-8"), (".js", "text/javascript; charset=utf-8"),
        (".css", "text/css; charset=utf-8"), (".svg", "image/svg+xml"), (".png", "image/png"),
        (".ico", "image/x-icon"), (".json", "application/json"), (".txt", "text/plain; charset=utf-8"),
        (".woff2", "font/woff2"),
    ]

    /// What it is to a browser; nil for what is not served.
    static func type(of name: String) -> String? { types.first { name.hasSuffix($0.ending) }?.type }

    /// Whether its bytes are smaller when they are compressed.
    var isCompressible: Bool { !name.hasSuffix(".png") && !name.hasSuffix(".woff2") }

    /// The bytes as gzip has them; nil where they would not be fewer.
    var compressed: [UInt8]? {
        guard isCompressible, var deflater = try? Deflater(.gzip, level: 9) else { return nil }
        var output: [UInt8] = []
        let isMade = bytes.withUnsafeBytes { bytes in
            (try? deflater.deflate(bytes, ending: .finish, into: &output)) != nil
        }
        guard isMade else { return nil }
        return output.count < bytes.count ? output : nil
    }
}
