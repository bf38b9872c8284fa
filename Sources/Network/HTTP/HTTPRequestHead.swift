import Glibc

/// The first line and the header fields of a request, checked.
///
/// The client's words in it never change. It is a class, because many hand it on along the way of a request, and that costs a
/// reference only.
package final class HTTPRequestHead: Sendable {
    /// True if its loop hands this object out again when the same bytes come again. Set before anybody else has the object.
    package internal(set) nonisolated(unsafe) var isKept = false
    /// The application's findings about these bytes, for later requests with the same ones. The loop of the request alone uses them.
    package nonisolated(unsafe) var findings: AnyObject?

    package let method: HTTPMethod
    /// 0 for HTTP/1.0, 1 for HTTP/1.1.
    package let minorVersion: Int
    package let fields: HTTPFields
    package let framing: HTTPBodyFraming
    /// True if the client wants to send another request on this connection.
    package let keepsAlive: Bool
    /// True if the client waits for "100 Continue" before it sends the body.
    package let expectsContinue: Bool

    /// True if the request came by HTTP/2. Its head is then one of HTTP/1.1 with the same meaning, `host` for `:authority`.
    package let isHTTP2: Bool

    private let methodCount: Int
    private let pathRange: Range<Int>
    private let queryRange: Range<Int>
    private let authorityRange: Range<Int>
    private let isPathEncoded: Bool

    /// The method as it was sent.
    package var methodText: String { String(decoding: fields.storage[..<methodCount], as: UTF8.self) }

    /// The path with its escapes decoded, starting with "/"; "*" for `OPTIONS *`.
    package var path: String {
        if pathRange.isEmpty { return "/" }
        return isPathEncoded
            ? HTTPPercentCoding.decoded(fields.storage[pathRange])
            : String(decoding: fields.storage[pathRange], as: UTF8.self)
    }

    /// Returns whether the path is that text. Hot path: no `String` is made.
    package func isPath(_ text: StaticString) -> Bool {
        guard !pathRange.isEmpty else {
            return text.utf8CodeUnitCount == 1 && text.utf8Start.pointee == UInt8(ascii: "/")
        }
        return !isPathEncoded && isEqual(pathRange, text)
    }

    /// Returns whether the path, as it was sent, is that folder or lies below it. Hot path: no `String` is made.
    package func isBelow(_ folder: StaticString) -> Bool {
        let path = fields.storage[pathRange]
        let count = folder.utf8CodeUnitCount
        guard path.count >= count, isEqual(path.startIndex..<path.startIndex + count, folder) else { return false }
        return path.count == count || path[path.startIndex + count] == UInt8(ascii: "/")
    }

    /// Hands the bytes of the `host` field to the closure where they are the authority; nil where they are not.
    package func withHostField<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        authorityRange.isEmpty ? fields.withValue(of: "host", body) : nil
    }

    private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return fields.storage.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0 + range.lowerBound, text.utf8Start, range.count) == 0 } ?? false
        }
    }

    /// The path as it was sent.
    package var encodedPath: String {
        pathRange.isEmpty ? "/" : String(decoding: fields.storage[pathRange], as: UTF8.self)
    }

    /// The query behind the "?", as it was sent.
    package var query: String { String(decoding: fields.storage[queryRange], as: UTF8.self) }

    /// The host and perhaps the port that the client wants to speak to: from the target, or from the `host` field.
    package var authority: String? {
        authorityRange.isEmpty ? fields["host"] : String(decoding: fields.storage[authorityRange], as: UTF8.self)
    }

    /// Parses a whole head, the empty line at its end included, as `HTTPHeadScanner` found it.
    ///
    /// - Parameter framing: the framing of HTTP/2, for a head that came by it, where its fields say nothing.
    init(
        parsing bytes: UnsafeRawBufferPointer, limits: HTTPLimits, ofHTTP2 framing: HTTPBodyFraming? = nil
    ) throws(HTTPParseError) {
        var storage = [UInt8](bytes)
        let line = try HTTPRequestLine(parsing: storage, targetMax: limits.targetBytes)
        let entries = try HTTPFieldParser.parse(&storage, from: line.end, fieldsMax: limits.headFields)
        let fields = HTTPFields(storage: storage, entries: entries)

        var hosts = 0
        var connectionCloses = false
        var connectionKeeps = false
        var expectsContinue = false
        for entry in entries {
            if fields.isName(entry, "host") {
                hosts += 1
                guard HTTPAuthority.isValid(fields.value(of: entry)) else {
                    throw .malformed("the host field is no host")
                }
            } else if fields.isName(entry, "connection") {
                for option in fields.value(of: entry).split(separator: UInt8(ascii: ",")) {
                    let option = HTTPFields.trimmed(option)
                    if HTTPFields.isEqual(option, "close") { connectionCloses = true }
                    if HTTPFields.isEqual(option, "keep-alive") { connectionKeeps = true }
                }
            } else if fields.isName(entry, "expect") {
                guard HTTPFields.isEqual(fields.value(of: entry), "100-continue") else {
                    throw HTTPParseError(.expectationFailed, "the only expectation served is 100-continue")
                }
                expectsContinue = true
            }
        }
        guard hosts == 1 || (hosts == 0 && line.minorVersion == 0) else {
            throw .malformed(hosts == 0 ? "the host field is missing" : "the host field is given more than once")
        }
        method = line.method
        methodCount = line.methodCount
        minorVersion = line.minorVersion
        isHTTP2 = framing != nil
        self.framing = try HTTPBodyFraming(fields, minorVersion: line.minorVersion) ?? framing ?? .none
        keepsAlive = !connectionCloses && (line.minorVersion >= 1 || connectionKeeps)
        self.expectsContinue = expectsContinue && line.minorVersion >= 1
        self.fields = fields
        pathRange = line.path
        queryRange = line.query
        authorityRange = line.authority
        isPathEncoded = line.isPathEncoded
    }
}
