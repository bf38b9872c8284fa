@testable import Network

/// A request's head, as it would come over the wire.
enum SignedRequest {
    static func head(_ line: String, _ fields: [String]) throws -> HTTPRequestHead {
        try head(bytes: Array(([line + " HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n").utf8))
    }

    static func head(bytes: [UInt8]) throws -> HTTPRequestHead {
        try bytes.withUnsafeBytes { try HTTPRequestHead(parsing: $0, limits: HTTPLimits()) }
    }

    static func fields(_ lines: [String]) throws -> HTTPFields {
        try head("GET /", ["host: a"] + lines).fields
    }
}
