import Blueprint
import Crypto
import Testing

@testable import Access

/// The requests of AWS's published test suite for Signature Version 4, with the signatures that it gives for them.
@Suite("AWS's test suite for signatures")
struct SignatureVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var path = "/"
        var query = ""
        var fields: [(name: String, value: String)] = []
        var body = ""
        let signed: String
        let signature: String
        var testDescription: String { name }
    }

    private static let plain = "host;x-amz-date"
    private static let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"

    static let vectors = [
        Vector(name: "get-vanilla", signed: plain, signature: vanilla),
        Vector(
            name: "get-vanilla-query-order-key-case", query: "Param2=value2&Param1=value1", signed: plain,
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Vector(
            name: "get-vanilla-empty-query-key", query: "Param1=value1", signed: plain,
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Vector(
            name: "get-vanilla-query-unreserved",
            query: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz="
                + "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", signed: plain,
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Vector(
            name: "get-vanilla-utf8-query", query: "\u{1234}=bar", signed: plain,
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Vector(
            name: "get-unreserved", path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signed: plain, signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Vector(
            name: "get-utf8", path: "/\u{1234}", signed: plain,
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Vector(
            name: "get-space", path: "/example space/", signed: plain,
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Vector(name: "get-relative", path: "/example/..", signed: plain, signature: vanilla),
        Vector(name: "get-relative-relative", path: "/example1/example2/../..", signed: plain, signature: vanilla),
        Vector(name: "get-slash", path: "//", signed: plain, signature: vanilla),
        Vector(name: "get-slash-dot-slash", path: "/./", signed: plain, signature: vanilla),
        Vector(
            name: "get-slash-pointless-dot", path: "/./example", signed: plain,
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        Vector(
            name: "get-slashes", path: "//example//", signed: plain,
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Vector(
            name: "get-header-key-duplicate",
            fields: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            signed: "host;my-header1;x-amz-date",
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Vector(
            name: "get-header-value-order",
            fields: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2"),
            ],
            signed: "host;my-header1;x-amz-date",
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Vector(
            name: "get-header-value-trim", fields: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signed: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Vector(
            name: "post-vanilla", method: "POST", signed: plain,
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Vector(
            name: "post-vanilla-query", method: "POST", query: "Param1=value1", signed: plain,
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Vector(
            name: "post-header-key-sort", method: "POST", fields: [("My-Header1", "value1")],
            signed: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Vector(
            name: "post-header-value-case", method: "POST", fields: [("My-Header1", "VALUE1")],
            signed: "host;my-header1;x-amz-date",
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Vector(
            name: "post-x-www-form-urlencoded", method: "POST",
            fields: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
            signed: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    private func verify(_ vector: Vector, signature: String) throws(Refusal) {
        let verifier = SignatureVerifier(
            [
                PrincipalCredential(
                    secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                    principal: IAMPrincipal(role: .authenticated, accessKeyID: "AKIDEXAMPLE"))
            ], SignatureDemands(service: "service"))
        let fields = [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")] + vector.fields
        let request = CredentialRequest(
            method: vector.method, path: vector.path, query: vector.query, fields: ListedFields(fields),
            body: Array(vector.body.utf8))
        let header =
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            + "SignedHeaders=\(vector.signed), Signature=\(signature)"
        _ = try verifier.identity(of: request, signedBy: header, now: 1_440_938_160)
    }

    @Test("verifies", arguments: vectors)
    func verifies(vector: Vector) throws {
        let wrong = String(vector.signature.reversed())
        #expect(throws: Refusal.self) { try verify(vector, signature: wrong) }
        try verify(vector, signature: vector.signature)
    }
}

@Suite("Signed requests")
struct SignedRequestTests {
    private static let secret = "secret/key"
    private static let now: Int64 = 1_767_268_800
    private static let date = "20260101T120000Z"

    /// A request with everything that a signature depends on, as it is signed and as it is sent.
    struct Signed {
        var method = "POST"
        var path = "/graphql"
        var query = ""
        var fields = ListedFields([
            ("Host", "127.0.0.1:20002"), ("X-Amz-Date", SignedRequestTests.date), ("Content-Type", "application/json"),
        ])
        var body = #"{"query":"{ listPosts { items { id } } }"}"#
        var day = "20260101"
        var region = "us-east-1"
        var service = "appsync"
        var accessKeyID = "AKIDLOCAL"
        var secret = SignedRequestTests.secret
        var names = ["content-type", "host", "x-amz-date"]
        var authority: String? = "127.0.0.1:20002"

        mutating func set(_ name: String, _ value: String?) {
            let others = fields.all.filter { $0.name.lowercased() != name.lowercased() }
            fields = ListedFields(others + (value.map { [(name, $0)] } ?? []))
        }

        var scope: String { "\(day)/\(region)/\(service)/aws4_request" }

        var header: String {
            let canonical = CanonicalRequest(
                method: method, path: CanonicalRequest.path(path), query: CanonicalRequest.query(query),
                fields: names.map { CanonicalRequest.Field(name: $0, values: fields.values(of: $0)) },
                host: fields.values(of: "host").joined(separator: ","),
                bodyDigest: Hexadecimal.text(of: Digest.sha256.of(Array(body.utf8))))
            let digest = Hexadecimal.text(of: Digest.sha256.of(canonical.bytes))
            let toSign = ["AWS4-HMAC-SHA256", fields.only("x-amz-date") ?? "", scope, digest].joined(separator: "\n")
            let key = [day, region, service, "aws4_request"].reduce(Array("AWS4\(secret)".utf8)) {
                HMACSHA256.code(of: Array($1.utf8), key: $0)
            }
            let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
            return "AWS4-HMAC-SHA256 Credential=\(accessKeyID)/\(scope), "
                + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
        }

        func request(_ header: String) -> CredentialRequest {
            CredentialRequest(
                method: method, path: path, query: query,
                fields: ListedFields(fields.all + [("Authorization", header)]), body: Array(body.utf8),
                authority: authority)
        }
    }

    private func refusal(_ signed: Signed, sent: Signed? = nil, now: Int64 = now, token: String? = nil) throws
        -> Refusal?
    {
        var settings = CredentialSettings(modes: [.iam])
        settings.principals = [
            PrincipalCredential(
                secret: Self.secret, sessionToken: token,
                principal: IAMPrincipal(role: .authenticated, accessKeyID: "AKIDLOCAL", identityID: "us-east-1:1"))
        ]
        let authenticator = try Authenticator(settings, now: { now })
        switch authenticator.identify((sent ?? signed).request(signed.header)) {
        case .identity(let identity):
            #expect(identity.principal?.identityID == "us-east-1:1")
            return nil
        case .refused(let refusal): return refusal
        case .pending: return .noCredential
        }
    }

    private static let mismatch = "InvalidSignatureException"

    @Test("a request that is not the signed one is refused with 403, and the signed one is not")
    func changed() throws {
        let changes: [(name: String, change: (inout Signed) -> Void)] = [
            ("body", { $0.body += " " }), ("method", { $0.method = "PUT" }), ("path", { $0.path = "/graphql/connect" }),
            ("query", { $0.query = "a=b" }), ("a signed field", { $0.set("Content-Type", "text/plain") }),
            ("the date", { $0.set("X-Amz-Date", "20260101T120001Z") }),
            ("the host", { $0.set("Host", "elsewhere.test") }),
            ("a signed field twice", { $0.fields = ListedFields($0.fields.all + [("content-type", "x")]) }),
            ("another digest of the body", { $0.set("X-Amz-Content-SHA256", "UNSIGNED-PAYLOAD") }),
        ]
        for (name, change) in changes {
            var sent = Signed()
            sent.authority = nil
            change(&sent)
            let refusal = try refusal(Signed(), sent: sent)
            #expect(refusal?.status == 403, "\(name)")
            #expect(refusal?.errorType == Self.mismatch, "\(name)")
        }
        #expect(try refusal(Signed()) == nil)
    }

    @Test("a signature of another scope, or by another secret, is refused")
    func scope() throws {
        let changes: [(name: String, errorType: String, change: (inout Signed) -> Void)] = [
            ("another service", Self.mismatch, { $0.service = "s3" }),
            ("another day", Self.mismatch, { $0.day = "20251231" }),
            ("another secret", Self.mismatch, { $0.secret = "other" }),
            ("an unknown key", "UnrecognizedClientException", { $0.accessKeyID = "AKIDOTHER" }),
            (
                "a session token that nobody gave", "UnrecognizedClientException",
                { $0.set("X-Amz-Security-Token", "t") }
            ),
            ("no host", "IncompleteSignatureException", { $0.names = ["x-amz-date"] }),
            ("unsorted names", "IncompleteSignatureException", { $0.names = ["x-amz-date", "host"] }),
            ("a name twice", "IncompleteSignatureException", { $0.names = ["host", "host"] }),
            ("a field that is not there", "IncompleteSignatureException", { $0.names = ["host", "x-other"] }),
            (
                "no date", "IncompleteSignatureException",
                {
                    $0.set("X-Amz-Date", nil); $0.names = ["host"]
                }
            ),
            ("no such date", "IncompleteSignatureException", { $0.set("X-Amz-Date", "20260101T126000Z") }),
            (
                "two dates", "IncompleteSignatureException",
                { $0.fields = ListedFields($0.fields.all + [("x-amz-date", "20260101T120100Z")]) }
            ),
            (
                "too many fields", "IncompleteSignatureException",
                { signed in signed.names = (100...200).map { "x-\($0)" } }
            ),
        ]
        for (name, errorType, change) in changes {
            var signed = Signed()
            change(&signed)
            let refusal = try refusal(signed)
            #expect(refusal?.status == 403, "\(name)")
            #expect(refusal?.errorType == errorType, "\(name)")
        }
        // A region in the scope that was not signed changes the key.
        var sent = Signed()
        sent.region = "eu-west-1"
        let header = Signed().header.replacing("us-east-1", with: "eu-west-1")
        let authenticator = try Authenticator(CredentialSettings(modes: [.iam]), now: { Self.now })
        guard case .refused = authenticator.identify(sent.request(header)) else {
            Issue.record("a changed region was accepted")
            return
        }
    }

    @Test("a signature is good for five minutes")
    func window() throws {
        for seconds: Int64 in [-301, 301, -86_400, 86_400, 1 << 40] {
            #expect(try refusal(Signed(), now: Self.now + seconds)?.errorType == Self.mismatch)
        }
        for seconds: Int64 in [-300, 0, 300] { #expect(try refusal(Signed(), now: Self.now + seconds) == nil) }
    }

    @Test("temporary credentials need their session token")
    func sessionToken() throws {
        var signed = Signed()
        #expect(try refusal(signed, token: "session")?.errorType == "UnrecognizedClientException")
        signed.set("X-Amz-Security-Token", "other")
        #expect(try refusal(signed, token: "session")?.errorType == "UnrecognizedClientException")
        signed.set("X-Amz-Security-Token", "session")
        #expect(try refusal(signed, token: "session") == nil)
    }

    /// Gives out one key with one token, as an identity pool does.
    private struct Given: TemporaryCredentials {
        let expires: Int64

        func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
            guard accessKeyID == "ASIAGIVEN", sessionToken == "given" else { return nil }
            return TemporaryCredential(
                secret: SignedRequestTests.secret,
                principal: IAMPrincipal(role: .authenticated, accessKeyID: accessKeyID, identityID: "us-east-1:2"),
                expires: expires)
        }
    }

    @Test("keys that were given out for a time are good with their token, until the time is over")
    func givenKeys() throws {
        let end = Self.now + 10
        let rows: [(key: String, token: String?, secret: String, now: Int64, errorType: String?)] = [
            ("ASIAGIVEN", "given", Self.secret, end - 1, nil),
            ("ASIAGIVEN", "given", Self.secret, end, "ExpiredTokenException"),
            ("ASIAGIVEN", "given", "other", end - 1, Self.mismatch),
            ("ASIAGIVEN", nil, Self.secret, end - 1, "UnrecognizedClientException"),
            ("ASIAGIVEN", "other", Self.secret, end - 1, "UnrecognizedClientException"),
            ("ASIAOTHER", "given", Self.secret, end - 1, "UnrecognizedClientException"),
            (
                "ASIAGIVEN", String(repeating: "t", count: AccessLimits.tokenBytesMax + 1), Self.secret, end - 1,
                "UnrecognizedClientException"
            ),
        ]
        for row in rows {
            var signed = Signed()
            (signed.accessKeyID, signed.secret) = (row.key, row.secret)
            signed.set("X-Amz-Security-Token", row.token)
            let authenticator = try Authenticator(CredentialSettings(modes: [.iam]), now: { row.now })
            // Nobody gives any out: no key is known.
            guard case .refused(let unknown) = authenticator.identify(signed.request(signed.header)) else {
                Issue.record("\(row)")
                continue
            }
            #expect(unknown.errorType == "UnrecognizedClientException")
            authenticator.accept(Given(expires: end))
            switch authenticator.identify(signed.request(signed.header)) {
            case .identity(let identity):
                #expect(row.errorType == nil)
                #expect(identity.principal?.identityID == "us-east-1:2")
                #expect(identity.expires == end)
            case .refused(let refusal):
                #expect(refusal.errorType == row.errorType, "\(row)")
                #expect(refusal.status == 403)
            case .pending: Issue.record("\(row)")
            }
        }
    }

    @Test("fields that come twice with one value count once, whether they were signed once or twice")
    func repeatedFields() throws {
        let header = Signed().header
        for names in [
            ["host"], ["x-amz-date"], ["content-type"], ["authorization"], ["HOST", "X-AMZ-DATE", "CONTENT-TYPE"],
            ["x-amz-date", "X-Amz-Date", "Authorization"],
        ] {
            var sent = Signed()
            let all = sent.fields.all + [("Authorization", header)]
            let again = names.compactMap { name in
                all.first { $0.name.lowercased() == name.lowercased() }.map { (name: name, value: $0.value) }
            }
            try #require(again.count == names.count)
            sent.fields = ListedFields(sent.fields.all + again)
            #expect(try refusal(Signed(), sent: sent) == nil, "\(names)")
        }
        var signed = Signed()
        signed.set("X-Amz-Security-Token", "session")
        signed.names.append("x-amz-security-token")
        signed.names.sort()
        var sent = signed
        sent.fields = ListedFields(signed.fields.all + [("x-amz-security-token", "session")])
        #expect(try refusal(signed, sent: sent, token: "session") == nil)
        // Both signed: the values stand in the signature as often as they came.
        #expect(try refusal(sent, token: "session") == nil)
    }

    @Test("fields that come twice with different values are refused")
    func contradictoryFields() throws {
        let others = [
            ("host", "elsewhere.test"), ("x-amz-date", "20260101T120100Z"), ("content-type", "text/plain"),
            ("authorization", "AWS4-HMAC-SHA256 Credential=x"), ("x-amz-security-token", "other"),
        ]
        for other in others {
            var signed = Signed()
            signed.set("X-Amz-Security-Token", "session")
            var sent = signed
            sent.fields = ListedFields(signed.fields.all + [other])
            let refusal = try refusal(signed, sent: sent, token: "session")
            #expect(refusal != nil, "\(other.0)")
        }
    }

    @Test("the host may be signed with its port or without")
    func hosts() throws {
        var signed = Signed()
        signed.set("Host", "127.0.0.1")
        #expect(try refusal(signed, sent: Signed()) == nil)
        var sent = Signed()
        sent.set("Host", "127.0.0.1")
        #expect(try refusal(Signed(), sent: sent) == nil)
    }

    @Test("the host may be signed under its name of HTTP/2, with what a request has as Host")
    func authorityOfHTTP2() throws {
        var signed = Signed()
        signed.names = [":authority", "content-type", "x-amz-date"]
        #expect(try refusal(signed) == nil)
        var elsewhere = signed
        elsewhere.set("Host", "elsewhere.test")
        elsewhere.authority = nil
        #expect(try refusal(signed, sent: elsewhere)?.errorType == Self.mismatch)
        var nowhere = signed
        nowhere.set("Host", nil)
        #expect(try refusal(signed, sent: nowhere)?.errorType == "IncompleteSignatureException")
        signed.names = [":authority", "content-type", "host", "x-amz-date"]
        #expect(try refusal(signed) == nil)
        // No other name of that kind is a header of a request.
        signed.names = [":authority", ":path", "content-type", "x-amz-date"]
        #expect(try refusal(signed)?.errorType == "IncompleteSignatureException")
    }

    @Test("the signature of a compressed request is over the bytes that were sent")
    func compressed() throws {
        let content = Array(#"{"query":"{ listPosts { items { id } } }"}"#.utf8)
        var signed = Signed()
        signed.body = "the compressed bytes"
        let digest = Digest.sha256.of(Array(signed.body.utf8))
        var settings = CredentialSettings(modes: [.iam])
        settings.principals = [
            PrincipalCredential(
                secret: Self.secret, principal: IAMPrincipal(role: .authenticated, accessKeyID: "AKIDLOCAL"))
        ]
        let authenticator = try Authenticator(settings, now: { Self.now })
        func isTaken(_ signed: Signed, sentDigest: [UInt8]?) -> Bool {
            let sent = signed.request(signed.header)
            var request = CredentialRequest(
                path: sent.line.path, fields: sent.fields, body: content, authority: sent.line.authority)
            request.sentDigest = sentDigest
            guard case .identity = authenticator.identify(request) else { return false }
            return true
        }
        #expect(isTaken(signed, sentDigest: digest))
        #expect(!isTaken(signed, sentDigest: nil))
        #expect(!isTaken(signed, sentDigest: Digest.sha256.of(content)))
        // The digest that the request names is that of the same bytes.
        for (named, isRight) in [(digest, true), (Digest.sha256.of(content), false)] {
            var naming = signed
            naming.names.append("x-amz-content-sha256")
            naming.names.sort()
            naming.set("x-amz-content-sha256", Hexadecimal.text(of: named))
            #expect(isTaken(naming, sentDigest: digest) == isRight)
        }
        var plain = signed
        plain.body = String(decoding: content, as: UTF8.self)
        #expect(isTaken(plain, sentDigest: nil) && !isTaken(plain, sentDigest: digest))
    }

    @Test("the handshake of a WebSocket is signed like a request")
    func handshake() throws {
        var signed = Signed()
        signed.path = "/graphql/connect"
        signed.body = "{}"
        signed.names = ["accept", "content-encoding", "content-type", "host", "x-amz-date"]
        signed.fields = ListedFields([
            ("accept", "application/json, text/javascript"), ("content-encoding", "amz-1.0"),
            ("content-type", "application/json; charset=UTF-8"), ("host", "127.0.0.1:20002"), ("x-amz-date", Self.date),
        ])
        #expect(try refusal(signed) == nil)
        var elsewhere = signed
        elsewhere.path = "/graphql"
        #expect(try refusal(signed, sent: elsewhere)?.errorType == Self.mismatch)
    }

    static let garbage = [
        "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential", "AWS4-HMAC-SHA256-PAYLOAD a=b",
        "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=host,Signature=x",
        "AWS4-HMAC-SHA256 Credential=a/b/c/d/e,SignedHeaders=host,Signature=x",
        "AWS4-HMAC-SHA256 Credential=////aws4_request,SignedHeaders=host,Signature=x",
        "AWS4-HMAC-SHA256 Credential=a/20260101/r/appsync/aws4_request,SignedHeaders=,Signature=x",
        "AWS4-HMAC-SHA256 Credential=a/20260101/r/appsync/aws4_request,SignedHeaders=HOST,Signature=x",
        "AWS4-HMAC-SHA256 Signature=x,Signature=y",
        "AWS4-HMAC-SHA256 " + String(repeating: ",", count: 100_000),
    ]

    @Test("a malformed signature is refused", arguments: garbage.indices)
    func malformed(row: Int) throws {
        let authenticator = try Authenticator(CredentialSettings(modes: [.iam]), now: { Self.now })
        guard case .refused(let refusal) = authenticator.identify(Signed().request(Self.garbage[row])) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.status == 403)
        let without = try Authenticator(CredentialSettings(modes: [.apiKey]), now: { Self.now })
        guard case .refused(.notAuthorized) = without.identify(Signed().request(Self.garbage[row])) else {
            Issue.record("a mode that the API does not have was not refused with 401")
            return
        }
    }

    @Test("each part of a signature stands there once, in whatever order")
    func onceEach() throws {
        let parts = [
            "Credential=a/20260101/r/appsync/aws4_request", "SignedHeaders=host;x-amz-date", "Signature=abc",
        ]
        for place in parts.indices {
            let turned = parts[place...] + parts[..<place]
            let header = try SignatureHeader("AWS4-HMAC-SHA256 " + turned.joined(separator: ", "))
            #expect(header.signature == "abc" && header.accessKeyID == "a")
            let name = parts[place].prefix { $0 != "=" }
            for again in [parts[place], "\(name)=", "\(name)=b/20260102/s/appsync/aws4_request"] {
                for doubled in [parts + [again], [again] + parts] {
                    #expect(throws: Refusal.self) {
                        _ = try SignatureHeader("AWS4-HMAC-SHA256 " + doubled.joined(separator: ","))
                    }
                }
            }
            var rest = parts
            rest.remove(at: place)
            #expect(throws: Refusal.self) {
                _ = try SignatureHeader("AWS4-HMAC-SHA256 " + rest.joined(separator: ","))
            }
        }
    }
}
