import Access
import Crypto
import Testing

@testable import Files
@testable import Network

/// A request that is signed in its head, by who has another key than it says, or does something else wrong.
struct HostileHead: Sendable, CustomTestStringConvertible {
    let name: String
    let code: String
    var key = "AKIAIOSFODNN7EXAMPLE"
    var secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    var target = "/test.txt"
    var signedPath: String?
    var query = ""
    var signedQuery: String?
    var authorization: String?
    /// Fields that are not signed though they could be, and some that are and do not come.
    var unsigned: [String] = []
    var signedToo: [String] = []
    var changeSignature: @Sendable (String) -> String = { $0 }
    private var scope = (day: "20130524", region: "us-east-1", service: "s3")
    private var signed: [(name: String, value: String)] = [
        ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", HostileHead.nothing),
        ("x-amz-date", "20130524T000000Z"),
    ]
    private var added: [String] = []

    private static let nothing = Hexadecimal.text(of: Digest.sha256.of([]))

    var testDescription: String { name }

    init(_ name: String, _ code: String, _ change: (inout HostileHead) -> Void) {
        self.name = name
        self.code = code
        change(&self)
    }

    mutating func scope(day: String = "20130524", region: String = "us-east-1", service: String = "s3") {
        scope = (day, region, service)
    }

    /// A field that is signed.
    mutating func set(_ name: String, _ value: String) {
        remove(name)
        signed.append((name, value))
    }

    mutating func remove(_ name: String) { signed.removeAll { $0.name == name } }

    /// A line of the head that comes behind the others.
    mutating func add(_ line: String) { added.append(line) }

    private var lines: [(name: String, value: String)] {
        signed
            + added.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return (parts[0], String(parts[1].drop { $0 == " " }))
            }
    }

    private func head() throws -> HTTPRequestHead {
        let names = Set(signed.map(\.name).filter { !unsigned.contains($0) } + signedToo).sorted()
        let path = signedPath ?? "/" + (target.split(separator: "/").last ?? "")
        let parameters = query.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }
        var canonical = ["GET", path, signedQuery ?? parameters.sorted().joined(separator: "&")]
        for name in names {
            let values = lines.filter { $0.name == name }.map { $0.value.split(separator: " ").joined(separator: " ") }
            canonical.append("\(name):\(values.joined(separator: ","))")
        }
        let digest = lines.first { $0.name == "x-amz-content-sha256" }?.value ?? ""
        canonical += ["", names.joined(separator: ";"), digest]
        let date = lines.first { $0.name == "x-amz-date" }?.value ?? ""
        let text = "\(scope.day)/\(scope.region)/\(scope.service)/aws4_request"
        let toSign = [
            "AWS4-HMAC-SHA256", date, text,
            Hexadecimal.text(of: Digest.sha256.of(Array(canonical.joined(separator: "\n").utf8))),
        ].joined(separator: "\n")
        let signing = SigningKey.bytes(secret: secret, day: scope.day, region: scope.region, service: scope.service)
        let signature = changeSignature(
            Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: signing)))
        let field =
            authorization
            ?? "AWS4-HMAC-SHA256 Credential=\(key)/\(text), SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
        return try SignedRequest.head(
            "GET \(target)\(query.isEmpty ? "" : "?\(query)")",
            signed.map { "\($0.name): \($0.value)" } + ["Authorization: \(field)"] + added)
    }

    /// The code of the refusal; nil where the signature is taken.
    func outcome(
        _ configured: PrincipalCredential, _ temporary: (any TemporaryCredentials)? = nil, now: Int64,
        from source: RequestSource = .elsewhere
    ) throws -> String? {
        let head = try head()
        return FileSignaturesTests.code {
            try FileSignatures([configured], temporary, region: "us-east-1").proof(
                of: head, from: source, now: now)
        }
    }
}
