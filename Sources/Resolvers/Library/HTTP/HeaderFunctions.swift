import JSON

/// `util.http`: fields of heads, those of a request to copy and those of the answer to set.
enum HeaderFunctions {
    /// What belongs to one connection only.
    private static let hopByHop: Set<ByteText> = [
        "transfer-encoding", "connection", "host", "expect", "keep-alive", "upgrade", "proxy-authenticate",
        "proxy-authorization", "te", "content-length",
    ]
    /// What the API itself says.
    private static let reserved: Set<ByteText> = [
        "access-control-allow-credentials", "access-control-allow-origin", "access-control-allow-methods",
        "access-control-allow-headers", "access-control-expose-headers", "access-control-max-age", "vary",
        "content-type",
    ]
    private static let reservedPrefixes = ["x-amzn-", "x-amz-"]
    private static let tokenSigns: Set<UInt8> = Set("!#$%&'*+-.^_`|~".utf8)

    static let all = [
        LibraryFunction("util.http.copyHeaders") { call throws(ResolverError) in
            guard let headers = try call.optionalObject(0) else { return .null }
            try call.count(headers.count)
            return .object(JSONObject(distinct: headers.filter { !hopByHop.contains($0.key.lowercased()) }))
        },
        LibraryFunction("util.http.addResponseHeader") { call throws(ResolverError) in
            try add(call[0].string ?? "", call[1], &call)
            return .null
        },
        LibraryFunction("util.http.addResponseHeaders") { call throws(ResolverError) in
            guard let headers = try call.optionalObject(0) else {
                try refuse("The fields of a head are an object.", &call)
                return .null
            }
            try call.count(headers.count)
            for header in headers { try add(header.key, header.value, &call) }
            return .null
        },
    ]

    /// What cannot be set is left out, and an error says so beside the field's value.
    private static func add(
        _ name: String, _ value: JSONValue, _ call: inout LibraryCall
    ) throws(ResolverError) {
        let key = name.lowercased()
        guard !name.isEmpty, name.utf8.allSatisfy(isOfToken) else {
            return try refuse("'\(name.prefix(100))' is no name for a field of a head.", &call)
        }
        guard !hopByHop.contains(key), !reserved.contains(key), !reservedPrefixes.contains(where: key.hasPrefix) else {
            return try refuse("The header '\(name.prefix(100))' cannot be set.", &call)
        }
        guard !value.isNull else { return try refuse("The header '\(name.prefix(100))' has no value.", &call) }
        let text = value.string ?? JSONWriter.text(of: value)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            return try refuse("The header '\(name.prefix(100))' has signs that no field of a head has.", &call)
        }
        var headers = call.outcome.responseHeaders
        headers.removeAll { $0.0.lowercased() == key }
        headers.append((name, text))
        let bytes = headers.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count }
        guard bytes <= LibraryLimits.headerBytesMax else {
            return try refuse("The headers have more than \(LibraryLimits.headerBytesMax) bytes.", &call)
        }
        try call.count(headers.count)
        call.outcome.responseHeaders = headers
    }

    private static func refuse(_ message: String, _ call: inout LibraryCall) throws(ResolverError) {
        try call.append(ResolverError(message, type: "ResponseHeaderError"))
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte >= 0x41
            || tokenSigns.contains(byte)
    }
}
