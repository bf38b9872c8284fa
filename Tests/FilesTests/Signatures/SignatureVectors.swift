import Access
import Foundation
import JSON
import Testing

@testable import Files
@testable import Network

/// Requests that clients were seen to sign, with the keys that they had.
struct SignatureVectors: Sendable {
    let requests: [SignatureVector]
    let keys: GivenKeys
    let configured: [PrincipalCredential]

    static let all: SignatureVectors = {
        let url = (Bundle.module.resourceURL ?? URL(filePath: "/")).appending(path: "Vectors/signatures.json")
        guard let bytes = try? [UInt8](Data(contentsOf: url)), let file = try? JSONReader.value(of: bytes) else {
            return SignatureVectors(requests: [], keys: GivenKeys(), configured: [])
        }
        var keys = GivenKeys()
        var configured: [PrincipalCredential] = []
        for key in file["keys"]?.array ?? [] {
            let name = key["accessKeyID"]?.string ?? ""
            let secret = key["secret"]?.string ?? ""
            if let token = key["sessionToken"]?.string {
                keys.all[name] = .init(token: token, secret: secret, expires: .max)
            } else {
                configured.append(
                    PrincipalCredential(
                        secret: secret, principal: IAMPrincipal(role: .administrator, accessKeyID: name)))
            }
        }
        return SignatureVectors(
            requests: (file["requests"]?.array ?? []).map { SignatureVector($0) }, keys: keys, configured: configured)
    }()
}

/// Keys that were given out for a time.
struct GivenKeys: TemporaryCredentials {
    struct Key: Sendable {
        let token: String
        let secret: String
        let expires: Int64
    }

    var all: [String: Key] = [:]

    init() {}

    init(key: String, token: String, secret: String, expires: Int64) {
        all[key] = Key(token: token, secret: secret, expires: expires)
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let key = all[accessKeyID], key.token == sessionToken else { return nil }
        let principal = IAMPrincipal(role: .authenticated, accessKeyID: accessKeyID, identityID: "us-east-1:1")
        return TemporaryCredential(secret: key.secret, principal: principal, expires: key.expires)
    }
}

/// One such request.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    let path: String
    private(set) var query: String
    private(set) var fields: [(name: String, value: String)]
    let time: Int64
    /// Whether it is signed wrongly.
    let isRefused: Bool

    var testDescription: String { name }
    var isLink: Bool { query.contains("X-Amz-Signature") }

    init(_ value: JSONValue) {
        name = value["name"]?.string ?? ""
        let target = (value["target"]?.string ?? " ").split(separator: " ", maxSplits: 1).map(String.init)
        method = target.first ?? ""
        let parts = (target.last ?? "").split(separator: "?", maxSplits: 1).map(String.init)
        path = parts.first ?? ""
        query = parts.count > 1 ? parts[1] : ""
        fields = (value["fields"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }
        time = SignatureTime.seconds(of: value["time"]?.string ?? "") ?? 0
        isRefused = value["isRefused"]?.bool ?? false
    }

    func head() throws -> HTTPRequestHead { try head(method, path, query, fields) }

    /// The head as it came, with these fields in the place of its own.
    func bytes(_ fields: [(name: String, value: String)]) -> [UInt8] { Self.bytes(method, path, query, fields) }

    func changing(query: String, fields: [(name: String, value: String)]) -> SignatureVector {
        var vector = self
        (vector.query, vector.fields) = (query, fields)
        return vector
    }

    private func head(
        _ method: String, _ path: String, _ query: String, _ fields: [(name: String, value: String)]
    ) throws -> HTTPRequestHead {
        try SignedRequest.head(bytes: Self.bytes(method, path, query, fields))
    }

    private static func bytes(
        _ method: String, _ path: String, _ query: String, _ fields: [(name: String, value: String)]
    ) -> [UInt8] {
        var bytes = Array("\(method) \(path)\(query.isEmpty ? "" : "?\(query)") HTTP/1.1\r\n".utf8)
        for (name, value) in fields {
            // Browsers send what Latin-1 has as that.
            let scalars = value.unicodeScalars.map(\.value)
            let isLatin = scalars.allSatisfy { $0 < 0x100 }
            bytes +=
                Array("\(name): ".utf8) + (isLatin ? scalars.map { UInt8($0) } : Array(value.utf8)) + Array("\r\n".utf8)
        }
        return bytes + Array("\r\n".utf8)
    }

    /// The request with one thing changed, each in turn.
    func changed() -> [(part: String, head: HTTPRequestHead)] {
        var changed: [(String, HTTPRequestHead?)] = [
            ("method", try? head(method == "GET" ? "PUT" : "GET", path, query, fields)),
            ("path", try? head(method, path + "x", query, fields)),
            ("path, longer", try? head(method, "/x" + path, query, fields)),
            ("query", try? head(method, path, query + "&prefix2=y", fields)),
        ]
        let parameters = query.isEmpty ? [] : query.split(separator: "&").map(String.init)
        for number in parameters.indices {
            var others = parameters
            others[number] += "0"
            changed.append((parameters[number], try? head(method, path, others.joined(separator: "&"), fields)))
            others.remove(at: number)
            changed.append(("no " + parameters[number], try? head(method, path, others.joined(separator: "&"), fields)))
        }
        for (number, (name, value)) in fields.enumerated() {
            var others = fields
            others[number].value = value.allSatisfy(\.isNumber) ? value + "0" : value + "x"
            changed.append((name, try? head(method, path, query, others)))
        }
        // What is no request any more is refused before it comes so far.
        return changed.compactMap { part, head in head.map { (part, $0) } }
    }

    /// The code of the refusal; nil where the signature is taken.
    func outcome(of head: HTTPRequestHead, after seconds: Int64 = 0) -> String? {
        let vectors = SignatureVectors.all
        return FileSignaturesTests.code {
            try FileSignatures(vectors.configured, vectors.keys, region: "us-east-1").proof(
                of: head, from: .elsewhere, now: time + seconds)
        }
    }
}
