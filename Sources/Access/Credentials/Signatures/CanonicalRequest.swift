import Crypto
import JSON

/// A request in the one form in which Signature Version 4 signs it.
struct CanonicalRequest {
    private(set) var bytes: [UInt8] = []

    /// A field that is signed, with all its values in their order.
    struct Field {
        let name: String
        let values: [String]
    }

    /// With the fields that a signature is over, as they stand in the request.
    ///
    /// Hot path: they go from there into the form without a text in between.
    ///
    /// - Parameter host: what stands for the value of the field of that name.
    init(
        method: String, path: String, query: String, _ header: SignatureHeader, of fields: any CredentialFields,
        host: String, bodyDigest: [UInt8]
    ) {
        append(method: method, path: path, query: query)
        header.forEachSignedField { name in
            append(field: name)
            if SignatureHeader.isHost(name) {
                append(value: host)
            } else {
                var isFirst = true
                fields.forEachValue(of: name) { value in
                    if !isFirst { bytes.append(UInt8(ascii: ",")) }
                    append(value: value)
                    isFirst = false
                }
            }
            bytes.append(Self.lineEnd)
        }
        bytes.append(Self.lineEnd)
        header.appendSignedFields(to: &bytes)
        bytes.append(Self.lineEnd)
        bytes += bodyDigest
    }

    /// With fields that are read otherwise than they stand there.
    init(method: String, path: String, query: String, fields: [Field], host: String, bodyDigest: String) {
        append(method: method, path: path, query: query)
        for field in fields {
            var name = field.name
            name.withUTF8 { append(field: UnsafeRawBufferPointer($0)) }
            if name.withUTF8({ SignatureHeader.isHost(UnsafeRawBufferPointer($0)) }) {
                append(value: host)
            } else {
                for (place, value) in field.values.enumerated() {
                    if place > 0 { bytes.append(UInt8(ascii: ",")) }
                    append(value: value)
                }
            }
            bytes.append(Self.lineEnd)
        }
        bytes.append(Self.lineEnd)
        for (place, field) in fields.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ";")) }
            bytes += field.name.utf8
        }
        bytes.append(Self.lineEnd)
        bytes += bodyDigest.utf8
    }

    /// What a canonical request usually takes.
    private static let usualBytes = 512
    private static let lineEnd = UInt8(ascii: "\n")

    private mutating func append(method: String, path: String, query: String) {
        bytes.reserveCapacity(Self.usualBytes)
        for text in [method, path, query] {
            bytes += text.utf8
            bytes.append(Self.lineEnd)
        }
    }

    private mutating func append(field name: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(value: String) {
        var value = value
        value.withUTF8 { append(value: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a value without blanks around it, and with one blank wherever it has several.
    ///
    /// Hot path: most values have nothing to leave out.
    private mutating func append(value: UnsafeRawBufferPointer) {
        let blank = UInt8(ascii: " ")
        let value = value.trimmingBlanks
        var start = 0
        while start < value.count {
            // Up to a blank, and it; not those behind it.
            var end = value.place(of: blank, from: start)
            if end < value.count { end += 1 }
            bytes.append(contentsOf: value.part(start..<end))
            while end < value.count, value[end] == blank { end += 1 }
            start = end
        }
    }

    /// A path as it is signed: without empty and relative steps, and with everything else encoded once more. Only S3
    /// signs paths as they are.
    static func path(_ path: String) -> String {
        // Hot path: the services beside the API are called by this one.
        if path == "/" { return path }
        var steps: [String] = []
        for step in path.parts(separatedBy: "/") where !step.isEmpty {
            switch step {
            case ".": continue
            case "..": _ = steps.popLast()
            default: steps.append(step)
            }
        }
        let last = path.utf8.last
        let isFolder = last == UInt8(ascii: "/") || path.hasSuffix("/.") || path.hasSuffix("/..")
        let joined = "/" + steps.map { encoded($0.utf8) }.joined(separator: "/")
        return isFolder && !steps.isEmpty ? joined + "/" : joined
    }

    /// A query as it is signed: each name and value encoded once, sorted.
    static func query(_ query: String) -> String {
        if query.isEmpty { return query }
        var parameters: [(name: String, value: String)] = []
        for parameter in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let parts = pair.map { encoded(PercentCoding.decoded($0)) }
            parameters.append((parts.first ?? "", parts.count == 2 ? parts[1] : ""))
        }
        parameters.sort { left, right in
            left.name == right.name ? left.value < right.value : left.name < right.name
        }
        return parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: PercentCoding.encoded(bytes), as: UTF8.self)
    }
}
