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

    /// Whether a field is meant to be such a signature.
    package static func begins(_ text: String) -> Bool { text.hasPrefix(algorithm) }

    package init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= AccessLimits.tokenBytesMax, text.hasPrefix("\(Self.algorithm) ") else {
            throw .incompleteSignature("Authorization header requires an algorithm and its parameters.")
        }
        var parts: [ByteText: String] = [:]
        for part in text.utf8.dropFirst(Self.algorithm.utf8.count).split(separator: UInt8(ascii: ",")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair.first.map { String(Substring($0)).trimmingBlanks } ?? ""
            guard pair.count == 2, parts[name] == nil else {
                throw .incompleteSignature("Authorization header has a part that is not name=value, or has one twice.")
            }
            parts[name] = String(Substring(pair[1])).trimmingBlanks
        }
        guard let credential = parts["Credential"], let fields = parts["SignedHeaders"],
            let signature = parts["Signature"]
        else {
            throw .incompleteSignature(
                "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters.")
        }
        try self.init(credential: credential, signedFields: fields, signature: signature)
    }

    package init(credential: String, signedFields fields: String, signature: String) throws(Refusal) {
        let scope = credential.parts(separatedBy: "/")
        guard scope.count == 5, scope[4] == "aws4_request", scope.allSatisfy({ !$0.isEmpty }) else {
            throw .incompleteSignature(
                "Credential must have the form access key/date/region/service/aws4_request.")
        }
        let names = fields.parts(separatedBy: ";")
        guard names.count <= AccessLimits.signedFieldsMax, names.allSatisfy({ !$0.isEmpty && $0 == $0.lowercased() }),
            zip(names, names.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw .incompleteSignature("SignedHeaders must be names in lower case, sorted, each of them once.")
        }
        (accessKeyID, day, region, service) = (scope[0], scope[1], scope[2], scope[3])
        signedFields = names
        self.signature = signature
    }
}
