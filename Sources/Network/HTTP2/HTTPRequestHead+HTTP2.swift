import HTTP2

extension HTTPRequestHead {
    /// The head of a request that came by HTTP/2.
    ///
    /// It is written as one of HTTP/1.1 and parsed as such, so that one set of rules holds for targets, hosts and fields, and so that nobody
    /// behind has to know how a request came.
    static func ofHTTP2(
        _ request: HTTP2RequestFields, endsStream: Bool, limits: HTTPLimits
    ) throws(HTTPParseError) -> HTTPRequestHead {
        let text = try text(of: request)
        return try text.withUnsafeBufferPointer { text throws(HTTPParseError) in
            try HTTPRequestHead(
                parsing: UnsafeRawBufferPointer(text), limits: limits,
                ofHTTP2: endsStream ? HTTPBodyFraming.none : .chunked)
        }
    }

    private static func text(of request: HTTP2RequestFields) throws(HTTPParseError) -> [UInt8] {
        let fields = request.fields
        guard let path = request.path.map({ fields.value(of: $0) }) else { throw .malformed("CONNECT is not served") }
        let method = fields.value(of: request.method)
        guard method.allSatisfy(HTTPCharacters.isToken) else {
            throw .malformed("the request does not start with a method")
        }
        guard path.first == UInt8(ascii: "/") || path.elementsEqual([UInt8(ascii: "*")]),
            path.allSatisfy(HTTPCharacters.isTarget)
        else { throw .malformed("the request's target is not a URL's path") }
        var text: [UInt8] = []
        text.reserveCapacity(fields.bytes.count + 4 * fields.entries.count + 32)
        text += method
        text.append(HTTPCharacters.space)
        text += path
        text += " HTTP/1.1".utf8
        let authority = request.authority.map { fields.value(of: $0) }
        if let authority { append("host", authority, to: &text) }
        var cookie: [UInt8] = []
        for entry in fields.entries[request.firstRegular...] {
            let (name, value) = (fields.name(of: entry), fields.value(of: entry))
            if HTTPFields.isEqual(name, "host"), let authority {
                // Two readers could take one each.
                guard value.elementsEqual(authority) else { throw .malformed("the host field is not the :authority") }
            } else if HTTPFields.isEqual(name, "cookie") {
                // HTTP/2 may cut it into pieces (RFC 9113, section 8.2.3).
                if !cookie.isEmpty { cookie += "; ".utf8 }
                cookie += value
            } else {
                append(name, value, to: &text)
            }
        }
        if !cookie.isEmpty { append("cookie", cookie[...], to: &text) }
        text += "\r\n\r\n".utf8
        guard text.count <= HTTPFields.bytesMax else {
            throw HTTPParseError(.headTooLarge, "the head has more than \(HTTPFields.bytesMax) bytes")
        }
        return text
    }

    private static func append(_ name: String, _ value: ArraySlice<UInt8>, to text: inout [UInt8]) {
        append(Array(name.utf8)[...], value, to: &text)
    }

    private static func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, to text: inout [UInt8]) {
        text += "\r\n".utf8
        text += name
        text += ": ".utf8
        text += value
    }
}

extension HTTPTrailer {
    /// The fields behind a body that came by HTTP/2, within the limit of a trailer.
    init(_ fields: HPACKFields, bytesMax: Int) throws(HTTPParseError) {
        self.init()
        guard fields.bytes.count <= bytesMax else {
            throw HTTPParseError(.headTooLarge, "the trailer has more than \(bytesMax) bytes")
        }
        for entry in fields.entries {
            self.fields.append(
                (
                    name: String(decoding: fields.name(of: entry), as: UTF8.self),
                    value: String(decoding: fields.value(of: entry), as: UTF8.self)
                ))
        }
    }
}

extension HTTP2Limits {
    /// The limits of HTTP as they apply to HTTP/2.
    init(_ limits: HTTPLimits) {
        self.init()
        headerListBytes = min(limits.headBytes, HTTPFields.bytesMax - 1024)
        headerFields = limits.headFields
        concurrentStreams = limits.streamsPerConnection
    }
}
