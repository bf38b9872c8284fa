/// The first line of a request: method, target in one of its forms, version (RFC 9112, section 3).
struct HTTPRequestLine {
    let method: HTTPMethod
    let methodCount: Int
    let minorVersion: Int
    /// Empty where a target in absolute form has none.
    let path: Range<Int>
    let query: Range<Int>
    /// The authority of a target in absolute form; empty otherwise.
    let authority: Range<Int>
    let isPathEncoded: Bool
    /// Where the header fields begin.
    let end: Int

    /// Methods longer than this are not methods.
    private static let methodBytesMax = 32

    init(parsing bytes: [UInt8], targetMax: Int) throws(HTTPParseError) {
        var offset = 0
        while offset < bytes.count, HTTPCharacters.isToken(bytes[offset]) { offset += 1 }
        guard offset > 0, offset <= Self.methodBytesMax, offset < bytes.count, bytes[offset] == HTTPCharacters.space
        else { throw .malformed("the request does not start with a method") }
        method = bytes.withUnsafeBytes { HTTPMethod(UnsafeRawBufferPointer(rebasing: $0[..<offset])) }
        methodCount = offset
        offset += 1

        let targetStart = offset
        while offset < bytes.count, HTTPCharacters.isTarget(bytes[offset]) { offset += 1 }
        let target = targetStart..<offset
        guard !target.isEmpty, offset < bytes.count, bytes[offset] == HTTPCharacters.space else {
            throw .malformed("the request's target is not a URL's path")
        }
        guard target.count <= targetMax else {
            throw HTTPParseError(.targetTooLong, "the request's target has more than \(targetMax) bytes")
        }
        minorVersion = try Self.minorVersion(bytes, from: offset + 1)
        end = offset + 1 + Self.versionBytes + 2

        authority = try Self.authority(bytes, target)
        let pathStart = authority.isEmpty ? target.lowerBound : authority.upperBound
        let question = bytes[pathStart..<target.upperBound].firstIndex(of: UInt8(ascii: "?"))
        let pathEnd = question ?? target.upperBound
        path = pathStart..<pathEnd
        query = (question.map { $0 + 1 } ?? target.upperBound)..<target.upperBound
        // A target in absolute form may leave its path out: it is "/" then.
        if authority.isEmpty || !path.isEmpty { try Self.check(path: bytes[path], method: method) }
        isPathEncoded = bytes[path].contains(UInt8(ascii: "%"))
        if isPathEncoded, !HTTPPercentCoding.isValid(bytes[path]) {
            throw .malformed("the request's path has a bad escape")
        }
    }

    private static let versionBytes = "HTTP/1.1".utf8.count

    private static func minorVersion(_ bytes: [UInt8], from start: Int) throws(HTTPParseError) -> Int {
        let end = start + versionBytes
        guard end + 1 < bytes.count, bytes[start..<end - 3].elementsEqual("HTTP/".utf8),
            HTTPCharacters.isDigit(bytes[end - 3]), bytes[end - 2] == UInt8(ascii: "."),
            HTTPCharacters.isDigit(bytes[end - 1]), bytes[end] == HTTPCharacters.carriageReturn,
            bytes[end + 1] == HTTPCharacters.lineFeed
        else { throw .malformed("the request line does not end with an HTTP version") }
        guard bytes[end - 3] == UInt8(ascii: "1"), bytes[end - 1] <= UInt8(ascii: "1") else {
            throw HTTPParseError(.versionNotSupported, "the versions served are HTTP/1.1 and HTTP/1.0")
        }
        return Int(bytes[end - 1] - 0x30)
    }

    /// The host and port of "http://host:port/path", empty when the target starts with its path.
    private static func authority(_ bytes: [UInt8], _ target: Range<Int>) throws(HTTPParseError) -> Range<Int> {
        let text = bytes[target]
        guard text.first != UInt8(ascii: "/"), text.first != UInt8(ascii: "*") else {
            return target.lowerBound..<target.lowerBound
        }
        for scheme: StaticString in ["http://", "https://", "ws://", "wss://"] {
            guard HTTPFields.isEqual(text.prefix(scheme.utf8CodeUnitCount), scheme) else { continue }
            let start = target.lowerBound + scheme.utf8CodeUnitCount
            let end =
                bytes[start..<target.upperBound].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
                ?? target.upperBound
            guard HTTPAuthority.isValid(bytes[start..<end]) else { break }
            return start..<end
        }
        throw .malformed("the request's target is not a URL's path")
    }

    private static func check(path: ArraySlice<UInt8>, method: HTTPMethod) throws(HTTPParseError) {
        if path.first == UInt8(ascii: "*") {
            guard path.count == 1, method == .options else { throw .malformed("only OPTIONS has the target *") }
        } else if path.first != UInt8(ascii: "/") {
            throw .malformed("the request's target is not a URL's path")
        }
    }
}
