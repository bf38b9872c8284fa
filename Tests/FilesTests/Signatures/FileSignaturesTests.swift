import Access
import Crypto
import JSON
import TestSupport
import Testing

@testable import Files
@testable import Network

@Suite("Signatures of requests for files")
struct FileSignaturesTests {
    // MARK: What clients were seen to send

    @Test(
        "of real clients are taken, or refused where the client signs wrongly", arguments: SignatureVectors.all.requests
    )
    func ofClients(vector: SignatureVector) throws {
        let outcome = try vector.outcome(of: vector.head())
        #expect(outcome == (vector.isRefused ? "SignatureDoesNotMatch" : nil), "\(vector.name)")
    }

    @Test(
        "of real clients are refused after any change",
        arguments: SignatureVectors.all.requests.filter { !$0.isRefused })
    func changesAreRefused(vector: SignatureVector) throws {
        for changed in vector.changed() {
            #expect(vector.outcome(of: changed.head) != nil, "\(vector.name) with another \(changed.part)")
        }
    }

    @Test("count for a quarter of an hour in the head, and in a link from then until it ends")
    func areForATime() throws {
        for vector in SignatureVectors.all.requests.filter({ !$0.isRefused }) {
            let head = try vector.head()
            for (seconds, headCode, linkCode) in [
                (-901, "RequestTimeTooSkewed" as String?, "AccessDenied" as String?), (-900, nil, nil), (900, nil, nil),
                (901, "RequestTimeTooSkewed", nil), (7 * 86_400, "RequestTimeTooSkewed", "AccessDenied"),
            ] as [(Int64, String?, String?)] {
                guard !vector.isLink || seconds < 0 || seconds > 901 else { continue }
                #expect(
                    vector.outcome(of: head, after: seconds) == (vector.isLink ? linkCode : headCode),
                    "\(vector.name) after \(seconds) s")
            }
        }
    }

    // MARK: The published examples

    private static let example = PrincipalCredential(
        secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        principal: IAMPrincipal(role: .administrator, accessKeyID: "AKIAIOSFODNN7EXAMPLE"))
    private static let exampleTime = SignatureTime.seconds(of: "20130524T000000Z") ?? 0
    private static let scope = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
    private static let nothing = Hexadecimal.text(of: Digest.sha256.of([]))

    private static func authorization(_ fields: String, _ signature: String) -> String {
        "authorization: AWS4-HMAC-SHA256 Credential=\(scope),SignedHeaders=\(fields),Signature=\(signature)"
    }

    private static func proof(
        _ line: String, _ fields: [String], after seconds: Int64 = 0, _ configured: [PrincipalCredential] = [example],
        ports: [Int] = [], from source: RequestSource = .elsewhere
    ) throws -> FileProof {
        try FileSignatures(configured, nil, region: "us-east-1", ports: ports).proof(
            of: SignedRequest.head(line, fields), from: source, now: exampleTime + seconds)
    }

    private static let get = (
        "GET /test.txt",
        [
            "Host: examplebucket.s3.amazonaws.com",
            authorization(
                "host;range;x-amz-content-sha256;x-amz-date",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            "Range: bytes=0-9", "x-amz-content-sha256: \(nothing)", "x-amz-date: 20130524T000000Z",
        ]
    )

    private static let link = (
        "GET /test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
        ["Host: examplebucket.s3.amazonaws.com"]
    )

    @Test("are the published ones: a read, a link, a body in chunks")
    func arePublished() throws {
        let get = try Self.proof(Self.get.0, Self.get.1)
        #expect(get.principal == Self.example.principal)
        #expect(!get.isLink)
        guard case .digest(let digest) = get.payload else {
            Issue.record("a digest was claimed")
            return
        }
        #expect(digest == Digest.sha256.of([]))

        let link = try Self.proof(Self.link.0, Self.link.1, after: 86_399)
        #expect(link.isLink)
        #expect(link.principal == Self.example.principal)
        guard case .unsigned = link.payload else {
            Issue.record("nothing was claimed")
            return
        }

        let put = try Self.proof(
            "PUT /examplebucket/chunkObject.txt",
            [
                "Host: s3.amazonaws.com", "Content-Encoding: aws-chunked", "Content-Length: 66824",
                "x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "x-amz-date: 20130524T000000Z",
                "x-amz-decoded-content-length: 66560", "x-amz-storage-class: REDUCED_REDUNDANCY",
                Self.authorization(
                    "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
                        + "x-amz-decoded-content-length;x-amz-storage-class",
                    "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"),
            ])
        guard case .chunks(let chunks) = put.payload, let signing = chunks.signing else {
            Issue.record("signed chunks were claimed")
            return
        }
        #expect(!chunks.hasTrailer)
        #expect(
            signing.signature(
                ofChunk: Digest.sha256.of([UInt8](repeating: UInt8(ascii: "a"), count: 65_536)), after: signing.seed)
                == "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
    }

    @Test("the time of a request may stand in Date, as it does where an SDK was given one", arguments: [0, 901])
    func dateField(late: Int64) throws {
        let date = "Fri, 24 May 2013 00:00:00 GMT"
        let canonical = [
            "GET", "/a", "", "date:\(date)", "host:b.s3.amazonaws.com", "x-amz-content-sha256:\(Self.nothing)", "",
            "date;host;x-amz-content-sha256", Self.nothing,
        ].joined(separator: "\n")
        let toSign = [
            "AWS4-HMAC-SHA256", "20130524T000000Z", "20130524/us-east-1/s3/aws4_request",
            Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8))),
        ].joined(separator: "\n")
        let key = SigningKey.bytes(secret: Self.example.secret, day: "20130524", region: "us-east-1", service: "s3")
        let fields = [
            "Host: b.s3.amazonaws.com", "Date: \(date)", "x-amz-content-sha256: \(Self.nothing)",
            Self.authorization(
                "date;host;x-amz-content-sha256",
                Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))),
        ]
        let proof = Result { try Self.proof("GET /a", fields, after: late) }
        #expect((try? proof.get())?.principal == (late == 0 ? Self.example.principal : nil))
        // Another one is another signature.
        let other = fields.map { $0.replacing("00:00:00", with: "00:00:01") }
        #expect(throws: FileError.self) { try Self.proof("GET /a", other) }
    }

    /// The host of a request, the region that it was signed for, and whether that leads amplify-js to this host.
    static let namedRegions: [(host: String, region: String, isTaken: Bool)] = [
        ("media.s3.localhost:20002", "localhost:20002#", true), ("s3.localhost:20002", "localhost:20002#", true),
        ("media.s3.localhost", "localhost#", true), ("a.b.s3.dev.example.com:8443", "dev.example.com:8443#", true),
        ("media.s3.localhost:20002", "localhost:20002", false), ("media.s3.localhost:20002", "#", false),
        ("media.s3.localhost:20003", "localhost:20002#", false), ("medias3.localhost:20002", "localhost:20002#", false),
        ("media.localhost:20002", "localhost:20002#", false), ("media.s3.localhost:20002", "localhost:20002##", false),
        ("media.s3.evil-localhost:20002", "localhost:20002#", false), ("media.s3.localhost:20002", "eu-west-1", false),
    ]

    @Test("a region that names the host of the request is taken, and no other", arguments: namedRegions)
    func regionOfHost(host: String, region: String, isTaken: Bool) throws {
        let links = LinkMaker(Self.example, "20130524T000000Z")
        let proof = Result {
            try links.proof("GET", "/photo.jpg", "", host: host, region: region, now: Self.exampleTime)
        }
        #expect((try? proof.get())?.principal == (isTaken ? Self.example.principal : nil), "\(proof)")
    }

    // MARK: What is refused

    /// What is changed in the head of the published read, and the code of the refusal.
    static let headCases: [HostileHead] = [
        .init("another region", "InvalidRegion") { $0.scope(region: "eu-west-1") },
        .init("another service", "AuthorizationHeaderMalformed") { $0.scope(service: "appsync") },
        .init("another day", "AuthorizationHeaderMalformed") { $0.scope(day: "20130523") },
        .init("a shorter day", "AuthorizationHeaderMalformed") { $0.scope(day: "2013052") },
        .init("an access key that nobody has", "InvalidAccessKeyId") { $0.key = "AKIAIOSFODNN7EXAMPLF" },
        .init("an access key for a time, where none is given out", "InvalidAccessKeyId") {
            $0.key = "ASIAIOSFODNN7EXAMPLE"
        },
        .init("a token where the key has none", "InvalidToken") { $0.set("x-amz-security-token", "abc") },
        .init("a wrong secret", "SignatureDoesNotMatch") { $0.secret = "wrong" },
        .init("a field that is not signed", "AccessDenied") { $0.add("x-amz-acl: public-read") },
        .init("metadata that is not signed", "AccessDenied") { $0.add("x-amz-meta-a: b") },
        .init("a host that is not signed", "AccessDenied") { $0.unsigned = ["host"] },
        .init("a date that is not signed", "AccessDenied") { $0.unsigned = ["x-amz-date"] },
        .init("no date", "AccessDenied") { $0.remove("x-amz-date") },
        .init("a date of another form", "AccessDenied") { $0.set("x-amz-date", "2013-05-24T00:00:00Z") },
        .init("no digest", "InvalidRequest") { $0.remove("x-amz-content-sha256") },
        .init("a digest in capitals", "InvalidArgument") {
            $0.set("x-amz-content-sha256", String(repeating: "A", count: 64))
        },
        .init("a short digest", "InvalidArgument") { $0.set("x-amz-content-sha256", "abc") },
        .init("a name of no form", "InvalidArgument") { $0.set("x-amz-content-sha256", "UNSIGNED") },
        .init("a form in lower case", "InvalidArgument") { $0.set("x-amz-content-sha256", "unsigned-payload") },
        .init("a form of another algorithm", "InvalidArgument") {
            $0.set("x-amz-content-sha256", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD")
        },
        .init("two digests", "InvalidRequest") { $0.add("x-amz-content-sha256: UNSIGNED-PAYLOAD") },
        .init("two dates", "InvalidRequest") { $0.add("x-amz-date: 20130524T000000Z") },
        .init("two authorizations", "InvalidRequest") { $0.add("authorization: AWS a:b") },
        .init("two copies' sources", "InvalidRequest") {
            $0.set("x-amz-copy-source", "a/b")
            $0.add("x-amz-copy-source: c/d")
        },
        .init("a link beside it", "InvalidArgument") { $0.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256" },
        .init("a link's signature beside it", "InvalidArgument") { $0.query = "x-amz-signature=abc" },
        .init("an old link beside it", "InvalidArgument") { $0.query = "AWSAccessKeyId=a&Signature=b&Expires=1" },
        .init("a parameter twice", "InvalidArgument") { $0.query = "prefix=a&prefix=b" },
        .init("a query that is no UTF-8", "InvalidArgument") { $0.query = "prefix=%FF" },
        .init("too many parameters", "InvalidArgument") {
            $0.query = (0...FileLimits.parametersMax).map { "a\($0 + 1_000)=1" }.joined(separator: "&")
        },
        .init("a signed field that did not come", "SignatureDoesNotMatch") { $0.signedToo = ["x-amz-acl"] },
        .init("no commas", "AuthorizationHeaderMalformed") { $0.authorization = "AWS4-HMAC-SHA256" },
        .init("no signature", "AuthorizationHeaderMalformed") {
            $0.authorization = "AWS4-HMAC-SHA256 Credential=\(Self.scope), SignedHeaders=host"
        },
        .init("a signature in capitals", "SignatureDoesNotMatch") { $0.changeSignature = { $0.uppercased() } },
        .init("a signature that is short", "SignatureDoesNotMatch") { $0.changeSignature = { String($0.dropLast()) } },
        .init("an empty signature", "SignatureDoesNotMatch") { $0.changeSignature = { _ in "" } },
        .init("the way of signing before this one", "InvalidRequest") {
            $0.authorization = "AWS AKIAIOSFODNN7EXAMPLE:abc="
        },
        .init("another way of signing", "InvalidRequest") { $0.authorization = "AWS4-ECDSA-P256-SHA256 Credential=a" },
        .init("a token of a user", "InvalidArgument") { $0.authorization = "Bearer abc" },
        .init("an empty authorization", "InvalidArgument") { $0.authorization = "" },
        .init("another authority in the target", "SignatureDoesNotMatch") {
            $0.target = "http://other.s3.amazonaws.com/test.txt"
        },
    ]

    @Test("in the head are refused where something is wrong", arguments: headCases)
    func hostileHeads(hostile: HostileHead) throws {
        let code = hostile.code == "InvalidRegion" ? "AuthorizationHeaderMalformed" : hostile.code
        #expect(try hostile.outcome(Self.example, now: Self.exampleTime) == code, "\(hostile.name)")
    }

    @Test("in the head are taken with everything that clients do")
    func ordinaryHeads() throws {
        let ordinary: [HostileHead] = [
            .init("nothing", "") { _ in },
            .init("blanks in a value", "") { $0.set("x-amz-meta-a", "a   b") },
            .init("an empty value", "") { $0.set("x-amz-meta-a", "") },
            .init("metadata in two fields", "") {
                $0.set("x-amz-meta-a", "a")
                $0.add("x-amz-meta-a: b")
            },
            .init("nothing claimed", "") { $0.set("x-amz-content-sha256", "UNSIGNED-PAYLOAD") },
            .init("chunks", "") { $0.set("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER") },
            .init("a query", "") {
                $0.query = "list-type=2&prefix=a%2Fb%20c&delimiter=/&x&y="
                $0.signedQuery = "delimiter=%2F&list-type=2&prefix=a%2Fb%20c&x=&y="
            },
            .init("a parameter without a value", "") { $0.query = "uploads" },
            .init("a path with escapes", "") {
                $0.target = "/a%20b%C3%BC+c%2fd/../e//f"
                $0.signedPath = "/a%20b%C3%BC%2Bc%2Fd/../e//f"
            },
            .init("a path whose escaped slash is signed as one", "") {
                $0.target = "/a%2fb"
                $0.signedPath = "/a/b"
            },
            .init("the same authority in the target", "") {
                $0.target = "http://examplebucket.s3.amazonaws.com/test.txt"
            },
            .init("fields that are not signed", "") { $0.add("content-type: text/plain") },
        ]
        for request in ordinary {
            #expect(try request.outcome(Self.example, now: Self.exampleTime) == nil, "\(request.name)")
        }
    }

    /// What is changed in the published link.
    @Test(
        "in links are refused where something is wrong",
        arguments: [
            (
                "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Algorithm=AWS4-HMAC-SHA512",
                "AuthorizationQueryParametersError"
            ),
            ("&X-Amz-Expires=86400", "", "AuthorizationQueryParametersError"),
            ("&X-Amz-SignedHeaders=host", "", "AuthorizationQueryParametersError"),
            ("&X-Amz-Date=20130524T000000Z", "", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=0", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=604801", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=-1", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=%2B86400", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86400.0", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=%D9%A1", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=99999999999999999999", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86401", "SignatureDoesNotMatch"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=086400", "SignatureDoesNotMatch"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86400&X-Amz-Expires=86400", "AuthorizationQueryParametersError"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86400&x-amz-expires=604800", "AuthorizationQueryParametersError"),
            ("20130524T000000Z", "20130524T001501Z", "AccessDenied"),
            ("20130524T000000Z", "20130524T001500Z", "SignatureDoesNotMatch"),
            ("20130524T000000Z", "20130523T235900Z", "AuthorizationQueryParametersError"),
            ("%2Fus-east-1%2F", "%2Feu-west-1%2F", "AuthorizationQueryParametersError"),
            ("%2Fs3%2F", "%2Fsts%2F", "AuthorizationQueryParametersError"),
            ("%2Faws4_request", "", "AuthorizationQueryParametersError"),
            ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLF", "InvalidAccessKeyId"),
            ("AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "InvalidAccessKeyId"),
            ("SignedHeaders=host", "SignedHeaders=range", "AccessDenied"),
            ("SignedHeaders=host", "SignedHeaders=host%3Brange", "SignatureDoesNotMatch"),
            ("SignedHeaders=host", "SignedHeaders=range%3Bhost", "AuthorizationQueryParametersError"),
            ("&X-Amz-Signature=", "&response-content-type=text%2Fhtml&X-Amz-Signature=", "SignatureDoesNotMatch"),
            ("&X-Amz-Signature=", "&x-amz-acl=public-read&X-Amz-Signature=", "SignatureDoesNotMatch"),
            ("&X-Amz-Signature=", "&X-Amz-Security-Token=abc&X-Amz-Signature=", "InvalidToken"),
            ("&X-Amz-Signature=", "&AWSAccessKeyId=a&X-Amz-Signature=", "InvalidArgument"),
            ("a&X-Amz-Signature=", "&x=", "AuthorizationQueryParametersError"),
            ("GET", "PUT", "SignatureDoesNotMatch"), ("GET", "HEAD", "SignatureDoesNotMatch"),
            ("/test.txt", "/test.tx", "SignatureDoesNotMatch"),
            ("/test.txt", "/a/../test.txt", "SignatureDoesNotMatch"),
            ("/test.txt", "//test.txt", "SignatureDoesNotMatch"),
        ])
    func hostileLinks(part: String, other: String, code: String) throws {
        var line = Self.link.0
        if part == "a&X-Amz-Signature=" {
            line = String(line[..<(line.firstRange(of: "&X-Amz-Signature=")?.lowerBound ?? line.endIndex)])
        } else {
            line = line.replacing(part, with: other)
        }
        #expect(line != Self.link.0)
        #expect(Self.code { try Self.proof(line, Self.link.1) } == code, "\(line)")
    }

    @Test(
        "in links cover every field that says what S3 is to do",
        arguments: [
            "x-amz-copy-source: examplebucket/secret", "x-amz-acl: public-read", "x-amz-tagging: a=b",
            "x-amz-meta-a: b",
            "X-Amz-Meta-A: b", "x-amz-security-token: abc", "x-amz-date: 20130524T000000Z",
            "x-amz-content-sha256: UNSIGNED-PAYLOAD", "x-amz-metadata-directive: REPLACE",
        ])
    func linksCoverFields(field: String) {
        #expect(Self.code { try Self.proof(Self.link.0, Self.link.1 + [field]) } == "AccessDenied")
    }

    @Test(
        "in links are written as S3 writes them",
        arguments: [
            "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders",
            "X-Amz-Signature",
        ])
    func linksAreSpelled(name: String) {
        for spelling in [name.lowercased(), name.uppercased()] {
            let line = Self.link.0.replacing(name + "=", with: spelling + "=")
            #expect(line != Self.link.0)
            #expect(Self.code { try Self.proof(line, Self.link.1) } == "AuthorizationQueryParametersError", "\(line)")
        }
    }

    @Test("in links say when they have ended")
    func linksEnd() {
        for (seconds, message) in [
            (86_400, "Request has expired"), (604_800, "Request has expired"), (-901, "Request is not valid yet"),
        ] as [(Int64, String)] {
            let error = #expect(throws: FileError.self) {
                try Self.proof(Self.link.0, Self.link.1, after: seconds)
            }
            #expect(error?.code == "AccessDenied")
            #expect(error?.message == message)
        }
    }

    @Test("in links may carry what would stand in the head")
    func linksCarryFields() throws {
        let query =
            "x-amz-meta-Title=A+song%2B&x-amz-tagging=a%3Db&x-amz-checksum-crc32=AAAAAA%3D%3D"
            + "&x-amz-sdk-checksum-algorithm=CRC32&content-type=text%2Fplain&x-id=PutObject"
        let proof = try LinkMaker(Self.example, "20130524T000000Z").proof(
            "PUT", "/test.txt", query, now: Self.exampleTime)
        #expect(proof.linkFields.map(\.name) == ["x-amz-meta-title", "x-amz-tagging"])
        #expect(proof.linkFields.map(\.value) == ["A song+", "a=b"])
        #expect(proof.query["content-type"] == "text/plain")
        #expect(proof.query["x-id"] == "PutObject")
    }

    @Test("tell how a plus in the query was meant")
    func plusIsMeant() throws {
        let maker = LinkMaker(Self.example, "20130524T000000Z")
        let space = try maker.proof("GET", "/", "prefix=a+b", signedAs: "prefix=a%20b", now: Self.exampleTime)
        #expect(space.query["prefix"] == "a b")
        let plus = try maker.proof("GET", "/", "prefix=a+b", signedAs: "prefix=a%2Bb", now: Self.exampleTime)
        #expect(plus.query["prefix"] == "a+b")
    }

    @Test("count for the host with and without the server's own port, and for no other")
    func hostsAreSpelled() throws {
        let maker = LinkMaker(Self.example, "20130524T000000Z", ports: [20_005])
        for (sent, signed, isTaken) in [
            ("a.localhost", "a.localhost", true), ("a.localhost:20005", "a.localhost:20005", true),
            ("a.localhost:20005", "a.localhost", true), ("a.localhost", "a.localhost:20005", true),
            ("a.localhost:81", "a.localhost", true), ("a.localhost", "a.localhost:81", false),
            ("a.localhost:81", "a.localhost:82", false), ("b.localhost", "a.localhost", false),
        ] {
            let code = Self.code {
                try maker.proof("GET", "/x", "", host: sent, signedHost: signed, now: Self.exampleTime)
            }
            #expect(code == (isTaken ? nil : "SignatureDoesNotMatch"), "\(sent) signed as \(signed)")
        }
    }

    @Test("are not asked of who signs nothing")
    func unsigned() throws {
        let proof = try Self.proof("GET /a?prefix=x+y", ["host: a"])
        #expect(proof.principal == nil)
        #expect(!proof.isLink)
        #expect(proof.query["prefix"] == "x y")
        guard case .unsigned = proof.payload else {
            Issue.record("nothing was claimed")
            return
        }
        let chunks = try Self.proof("PUT /a", ["host: a", "content-encoding: aws-chunked", "content-length: 0"])
        guard case .chunks(let form) = chunks.payload else {
            Issue.record("chunks were claimed")
            return
        }
        #expect(form.signing == nil)
        for (fields, code) in [
            (["x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD"], "InvalidArgument"),
            (["x-amz-content-sha256: x"], "InvalidArgument"),
            (["x-amz-acl: a", "x-amz-acl: b"], "InvalidRequest"),
        ] {
            #expect(Self.code { try Self.proof("PUT /a", ["host: a"] + fields) } == code)
        }
        // A link of the way before this one is signed too.
        for (end, code) in [("1", "AccessDenied"), ("1400000000", "InvalidAccessKeyId")] {
            let line = "GET /a?AWSAccessKeyId=a&Signature=b&Expires=\(end)"
            #expect(Self.code { try Self.proof(line, ["host: a"]) } == code)
        }
    }

    @Test("by keys that are no secret count on this machine only, with any session")
    func keysOfThisMachine() throws {
        let local = PrincipalCredential(
            secret: "fake", principal: IAMPrincipal(role: .authenticated, accessKeyID: "ASIALOCAL"),
            reach: .thisMachine)
        for (source, code) in [
            (RequestSource.thisMachine, String?.none), (.foreignPage, nil), (.elsewhere, "InvalidAccessKeyId"),
        ] {
            var request = HostileHead("here", "") { _ in }
            request.key = "ASIALOCAL"
            request.secret = "fake"
            request.set("x-amz-security-token", "anything")
            #expect(try request.outcome(local, now: Self.exampleTime, from: source) == code)
        }
    }

    @Test("by keys that were given out for a time need their own token, in time")
    func keysForATime() throws {
        let given = GivenKeys(key: "ASIAGIVEN", token: "token", secret: "secret", expires: Self.exampleTime + 60)
        for (key, token, seconds, code) in [
            ("ASIAGIVEN", "token", 0, nil), ("ASIAGIVEN", "token", 60, "ExpiredToken"),
            ("ASIAGIVEN", "other", 0, "InvalidToken"),
            ("ASIAGIVEN", nil, 0, "InvalidToken"), ("ASIAOTHER", "token", 0, "InvalidToken"),
            ("ASIAGIVEN", String(repeating: "a", count: 20_000), 0, "InvalidToken"),
            ("AKIAOTHER", "token", 0, "InvalidAccessKeyId"),
        ] as [(String, String?, Int64, String?)] {
            var request = HostileHead("given", "") { _ in }
            request.key = key
            request.secret = "secret"
            if let token { request.set("x-amz-security-token", token) }
            let outcome = try request.outcome(Self.example, given, now: Self.exampleTime + seconds)
            #expect(outcome == code, "\(key) \(token ?? "")")
        }
    }

    @Test("keep no more keys than their limit, and none of another secret")
    func keysAreBounded() {
        let keys = SigningKeys(service: "s3", countMax: 10)
        func key(_ name: String, _ secret: String, _ day: String, _ region: String = "us-east-1") -> HMACKey {
            keys.key(of: name, secret: secret, day: day, region: region)
        }
        let first = key("a", "one", "20130524")
        #expect(key("a", "one", "20130524") === first)
        #expect(key("a", "two", "20130524") !== first)
        #expect(key("a", "one", "20130525") !== first)
        #expect(key("a", "one", "20130524", "eu-west-1") !== first)
        for number in 0..<100 { _ = key("\(number)", "x", "20130524") }
        #expect(keys.count <= 10)
    }

    static func code(_ body: () throws -> FileProof) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? FileError)?.code ?? "\(error)"
        }
    }
}
