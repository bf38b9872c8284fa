import Network

extension HTTPRequestHead {
    private struct NoHead: Error {}

    /// The head of a request as it comes in.
    ///
    /// - Parameter line: its first line without the version: `GET /`.
    static func read(_ line: String, _ fields: [String], version: String = "HTTP/1.1") throws -> HTTPRequestHead {
        var parser = HTTPRequestParser(limits: HTTPLimits())
        let text = "\(line) \(version)\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
        return try Array(text.utf8).withUnsafeBytes { bytes in
            var bytes = bytes
            guard case .head(let head) = parser.next(&bytes) else { throw NoHead() }
            return head
        }
    }
}
