import JSON

/// What a request says of its signature by Version 4: the `Authorization` field, or the parameters of a link, taken apart.
package struct SignatureHeader: Equatable {
    package static let algorithm = "AWS4-HMAC-SHA256"

    package let accessKeyID: String
    /// The day, as `20260101`.
    package let day: String
    package let region: String
    package let service: String
    /// The names of the fields that are signed, in lower case, sorted.
    package let signedFields: [String]
    package let signature: String

    /// What the signature is good for.
    package var scope: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// The same, behind what is before it in a text.
    package func appendScope(to text: inout [UInt8]) {
        for part in [day, region, service] {
            text += part.utf8
            text.append(UInt8(ascii: "/"))
        }
        text += "aws4_request".utf8
    }

    /// Whether a field is meant to be such a signature.
    package static func begins(_ text: String) -> Bool { text.hasPrefix(algorithm) }

    /// The service in the scope of a field, looked at and no more: whether the field is right is for whoever checks it.
    ///
    /// Hot path: every signed request is asked for whom it is.
    package static func service(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard text.starts(with: algorithm.utf8) else { return nil }
        var slashes = 0
        var start = text.startIndex
        for (place, byte) in zip(text.indices, text) where byte == UInt8(ascii: "/") {
            slashes += 1
            guard slashes == scopeCount - 1 else {
                start = place + 1
                continue
            }
            guard text[(place + 1)...].starts(with: "aws4_request".utf8) else { return nil }
            return UnsafeRawBufferPointer(rebasing: text[start..<place])
        }
        return nil
    }

    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= AccessLimits.tokenBytesMax, text.hasPrefix("\(Self.algorithm) ") else {
            throw .incompleteSignature("Authorization header requires an algorithm and its parameters.")
        }
        var text = text
        try self.init(parameters: text.withUTF8 { Parameters($0.dropFirst(Self.algorithm.utf8.count)) })
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// The texts behind the names of the field; nil where it has another form.
    private struct Parameters {
        var credential: [String]?
        var fields: [String]?
        var signature: String?
        var isWrong = false

        /// Hot path: a field of some two hundred bytes, of which seven texts are made.
        init(_ text: Bytes) {
            var rest = text
            while !rest.isEmpty {
                let part = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[part.endIndex...].dropFirst()
                guard !part.isEmpty else { continue }
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                    isWrong = true
                    return
                }
                let name = part[..<equals].trimmingBlanks
                let value = part[(equals + 1)...].trimmingBlanks
                if name.elementsEqual("Credential".utf8) {
                    if case .some = credential { isWrong = true }
                    credential = SignatureHeader.parts(of: value, UInt8(ascii: "/"), max: SignatureHeader.scopeCount)
                } else if name.elementsEqual("SignedHeaders".utf8) {
                    if case .some = fields { isWrong = true }
                    fields = SignatureHeader.parts(of: value, UInt8(ascii: ";"), max: AccessLimits.signedFieldsMax)
                } else if name.elementsEqual("Signature".utf8) {
                    isWrong = isWrong || signature != nil
                    signature = String(decoding: UnsafeBufferPointer(rebasing: value), as: UTF8.self)
                }
            }
        }
    }

    private init(parameters: Parameters) throws(Refusal) {
        guard !parameters.isWrong else {
            throw .incompleteSignature("Authorization header has a part that is not name=value, or has one twice.")
        }
        guard let credential = parameters.credential, let fields = parameters.fields,
            let signature = parameters.signature
        else {
            throw .incompleteSignature(
                "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters.")
        }
        try self.init(credential, fields, signature)
    }

    private static let scopeCount = 5

    /// The texts between separators; one more than the most that are right, where there are more.
    private static func parts(of bytes: Bytes, _ separator: UInt8, max: Int) -> [String] {
        var parts: [String] = []
        parts.reserveCapacity(usualParts)
        var rest = bytes
        while parts.count < max, let end = rest.firstIndex(of: separator) {
            parts.append(String(decoding: UnsafeBufferPointer(rebasing: rest[..<end]), as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        parts.append(String(decoding: UnsafeBufferPointer(rebasing: rest), as: UTF8.self))
        return parts
    }

    private static let usualParts = 5

    package init(credential: String, signedFields fields: String, signature: String) throws(Refusal) {
        var (credential, fields) = (credential, fields)
        try self.init(
            credential.withUTF8 { Self.parts(of: $0[...], UInt8(ascii: "/"), max: Self.scopeCount) },
            fields.withUTF8 { Self.parts(of: $0[...], UInt8(ascii: ";"), max: AccessLimits.signedFieldsMax) },
            signature)
    }

    private init(_ scope: [String], _ names: [String], _ signature: String) throws(Refusal) {
        guard scope.count == Self.scopeCount, scope[4] == "aws4_request", scope.allSatisfy({ !$0.isEmpty }) else {
            throw .incompleteSignature(
                "Credential must have the form access key/date/region/service/aws4_request.")
        }
        guard names.count <= AccessLimits.signedFieldsMax,
            names.allSatisfy({ name in !name.isEmpty && !name.utf8.contains { Self.capitals.contains($0) } }),
            zip(names, names.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw .incompleteSignature("SignedHeaders must be names in lower case, sorted, each of them once.")
        }
        (accessKeyID, day, region, service) = (scope[0], scope[1], scope[2], scope[3])
        signedFields = names
        self.signature = signature
    }

    private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Without the blanks at both ends.
    fileprivate var trimmingBlanks: Self {
        var rest = self
        while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest = rest.dropFirst() }
        while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest = rest.dropLast() }
        return rest
    }
}
