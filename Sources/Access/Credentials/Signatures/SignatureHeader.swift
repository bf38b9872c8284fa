import JSON

/// What a request says of its signature by Version 4: the `Authorization` field, or the parameters of a link, taken apart.
///
/// Hot path: every signed request has one, so it stays the bytes that it came in, and a part becomes a text where somebody wants one.
package struct SignatureHeader: Equatable, Sendable {
    package static let algorithm = "AWS4-HMAC-SHA256"
    private static let algorithmWord: StaticString = "AWS4-HMAC-SHA256"

    /// The credential, the names of the signed fields and the signature, one behind the other.
    private let bytes: [UInt8]
    /// Where the parts of the credential end, which a slash parts: the access key, the day, the region, the service and all of it.
    private let keyEnd, dayEnd, regionEnd, serviceEnd, credentialEnd: Int
    private let namesEnd: Int

    package var accessKeyID: String { text(0..<keyEnd) }
    /// The day, as `20260101`.
    package var day: String { text(keyEnd + 1..<dayEnd) }
    package var region: String { text(dayEnd + 1..<regionEnd) }
    package var service: String { text(regionEnd + 1..<serviceEnd) }
    /// The access key, the day and the region: who has the same three signs with the same key.
    var keyName: String { text(0..<regionEnd) }
    package var signature: String { text(namesEnd..<bytes.count) }
    var signatureBytes: ArraySlice<UInt8> { bytes[namesEnd...] }
    /// The names of the fields that are signed, in lower case, sorted.
    package var signedFields: [String] {
        var names: [String] = []
        forEachSignedField { names.append(String(decoding: $0, as: UTF8.self)) }
        return names
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Hands the name of each signed field to the closure, in order.
    package func forEachSignedField<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(Failure) in
            var start = credentialEnd
            while start < namesEnd {
                let end = bytes[start..<namesEnd].firstIndex(of: UInt8(ascii: ";")) ?? namesEnd
                try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end]))
                start = end + 1
            }
        }
    }

    /// Returns whether a field of that name, which is in lower case, is signed.
    package func signs(_ name: some Collection<UInt8>) -> Bool {
        var isSigned = false
        forEachSignedField { isSigned = isSigned || $0.elementsEqual(name) }
        return isSigned
    }

    package func signs(_ name: StaticString) -> Bool {
        var isSigned = false
        forEachSignedField { isSigned = isSigned || $0.isSame(as: name) }
        return isSigned
    }

    /// True for both names of the host. Clients of HTTP/2 sign the host as `:authority`; the bootstrap of functions sends their
    /// requests by HTTP/1.1, with the same value in `Host`.
    static func isHost(_ name: UnsafeRawBufferPointer) -> Bool {
        name.isSame(as: "host") || name.isSame(as: ":authority")
    }

    /// True where the client signed the host, by either name.
    var signsHost: Bool { signs("host") || signs(":authority") }

    /// Appends the names of the signed fields with a semicolon between two of them.
    package func appendSignedFields(to text: inout [UInt8]) { text += bytes[credentialEnd..<namesEnd] }

    /// What the signature is good for.
    package var scope: String { text(keyEnd + 1..<credentialEnd) }

    /// The same, behind what is before it in a text.
    package func appendScope(to text: inout [UInt8]) { text += bytes[keyEnd + 1..<credentialEnd] }

    /// Returns whether it is good for that day.
    func isOf(day: some Collection<UInt8>) -> Bool { bytes[keyEnd + 1..<dayEnd].elementsEqual(day) }

    /// Returns whether a field is meant to be such a signature.
    package static func begins(_ text: String) -> Bool { text.hasPrefix(algorithm) }

    static func begins(_ text: UnsafeRawBufferPointer) -> Bool { text.begins(with: algorithmWord) }

    /// The service in the scope of a field, looked at and no more: whether the field is right is for whoever checks it.
    ///
    /// Hot path: every signed request is asked for whom it is.
    package static func service(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard begins(text) else { return nil }
        var slashes = 0
        var start = text.startIndex
        for (place, byte) in zip(text.indices, text) where byte == UInt8(ascii: "/") {
            slashes += 1
            guard slashes == slashCount else {
                start = place + 1
                continue
            }
            guard text[(place + 1)...].starts(with: "aws4_request".utf8) else { return nil }
            return UnsafeRawBufferPointer(rebasing: text[start..<place])
        }
        return nil
    }

    package init(_ text: String) throws(Refusal) {
        var text = text
        let header = text.withUTF8 { bytes in
            Result { () throws(Refusal) in try SignatureHeader(UnsafeRawBufferPointer(bytes)) }
        }
        self = try header.get()
    }

    /// Of the bytes of the field.
    init(_ text: UnsafeRawBufferPointer) throws(Refusal) {
        let start = Self.algorithmWord.utf8CodeUnitCount
        guard text.count <= AccessLimits.tokenBytesMax, Self.begins(text), text.count > start,
            text[start] == UInt8(ascii: " ")
        else {
            throw .incompleteSignature("Authorization header requires an algorithm and its parameters.")
        }
        let parameters = Parameters(text.part(start..<text.count))
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

    /// What stands behind the names of the field.
    private struct Parameters {
        var credential: UnsafeRawBufferPointer?
        var fields: UnsafeRawBufferPointer?
        var signature: UnsafeRawBufferPointer?
        var isWrong = false

        init(_ text: UnsafeRawBufferPointer) {
            var start = 0
            while start < text.count {
                let end = text.place(of: UInt8(ascii: ","), from: start)
                let part = text.part(start..<end)
                start = end + 1
                guard !part.isEmpty else { continue }
                let equals = part.place(of: UInt8(ascii: "="))
                guard equals < part.count else {
                    isWrong = true
                    return
                }
                let name = part.part(0..<equals).trimmingBlanks
                let value = part.part(equals + 1..<part.count).trimmingBlanks
                if name.isSame(as: "Credential") {
                    isWrong = isWrong || credential != nil
                    credential = value
                } else if name.isSame(as: "SignedHeaders") {
                    isWrong = isWrong || fields != nil
                    fields = value
                } else if name.isSame(as: "Signature") {
                    isWrong = isWrong || signature != nil
                    signature = value
                }
            }
        }
    }

    package init(credential: String, signedFields fields: String, signature: String) throws(Refusal) {
        var (credential, fields, signature) = (credential, fields, signature)
        let header = credential.withUTF8 { credential in
            fields.withUTF8 { fields in
                signature.withUTF8 { signature in
                    Result { () throws(Refusal) in
                        try SignatureHeader(
                            UnsafeRawBufferPointer(credential), UnsafeRawBufferPointer(fields),
                            UnsafeRawBufferPointer(signature))
                    }
                }
            }
        }
        self = try header.get()
    }

    private init(
        _ credential: UnsafeRawBufferPointer, _ names: UnsafeRawBufferPointer, _ signature: UnsafeRawBufferPointer
    ) throws(Refusal) {
        let slash = UInt8(ascii: "/")
        keyEnd = credential.place(of: slash)
        dayEnd = credential.place(of: slash, from: keyEnd + 1)
        regionEnd = credential.place(of: slash, from: dayEnd + 1)
        serviceEnd = credential.place(of: slash, from: regionEnd + 1)
        credentialEnd = credential.count
        guard keyEnd > 0, dayEnd > keyEnd + 1, regionEnd > dayEnd + 1, serviceEnd > regionEnd + 1,
            serviceEnd < credentialEnd,
            credential.part(serviceEnd + 1..<credentialEnd).isSame(as: "aws4_request")
        else {
            throw .incompleteSignature(
                "Credential must have the form access key/date/region/service/aws4_request.")
        }
        guard Self.areSortedNames(names) else {
            throw .incompleteSignature("SignedHeaders must be names in lower case, sorted, each of them once.")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(credential.count + names.count + signature.count)
        bytes.append(contentsOf: credential)
        bytes.append(contentsOf: names)
        bytes.append(contentsOf: signature)
        self.bytes = bytes
        namesEnd = credential.count + names.count
    }

    private static let slashCount = 4

    /// Returns whether the names are in lower case, sorted, without doubles, and not too many.
    private static func areSortedNames(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        var before = text.part(0..<0)
        for _ in 0..<AccessLimits.signedFieldsMax {
            let end = text.place(of: UInt8(ascii: ";"), from: start)
            let name = text.part(start..<end)
            guard !name.isEmpty, !name.contains(where: { capitals.contains($0) }),
                before.lexicographicallyPrecedes(name)
            else { return false }
            guard end < text.count else { return true }
            start = end + 1
            before = name
            // Behind the last semicolon there is no name.
            guard start < text.count else { return false }
        }
        return false
    }

    private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
}
