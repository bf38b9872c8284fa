import Access
import JSON
import Testing

@testable import Files
@testable import Network

/// Links and forms as boto3 1.44.8 makes them where nobody tells it how to sign.
@Suite("Links and forms with Signature Version 2")
struct Version2LinkTests {
    private static let now: Int64 = 1_790_000_000
    private static let credential = PrincipalCredential(
        secret: "secret/EXAMPLE+key", principal: IAMPrincipal(role: .administrator, accessKeyID: "AKIDEXAMPLE"))
    private static let temporary = PrincipalCredential(
        secret: "secret/EXAMPLE+key", sessionToken: "tok/en+=",
        principal: IAMPrincipal(role: .administrator, accessKeyID: "AKIDEXAMPLE"))

    private static func proof(
        _ line: String, _ fields: [String] = [], bucket: String? = nil, after seconds: Int64 = 0,
        _ credential: PrincipalCredential = credential
    ) throws -> FileProof {
        try FileSignatures([credential], nil, region: "eu-west-1").proof(
            of: SignedRequest.head(line, ["host: localhost:20002"] + fields), bucket: bucket, from: .elsewhere,
            now: now + seconds)
    }

    private static func code(
        _ line: String, _ fields: [String] = [], bucket: String? = nil, after seconds: Int64 = 0,
        _ credential: PrincipalCredential = credential
    ) -> String? {
        do {
            _ = try proof(line, fields, bucket: bucket, after: seconds, credential)
            return nil
        } catch { return (error as? FileError)?.code ?? "\(error)" }
    }

    private static func signed(_ signature: String) -> String {
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=\(signature)&Expires=1790003600"
    }

    private static let download =
        "response-content-disposition=attachment%3B%20filename%3D%22a%20b%2Bc.txt%22&response-content-type=text%2Fplain%3B%20charset%3Dutf-8&versionId=null"

    /// A method, a key as the path has it, and the query.
    static let links: [(method: String, key: String, query: String)] = [
        ("GET", "/a%20b/%C3%A9%2B%281%29.txt", signed("rOGLvy1dmpZo9ujmrxJtMlczokM%3D")),
        ("GET", "/x", download + "&" + signed("VgTtjWrBLZvaD6IGZ%2FZesOxEwoo%3D")),
        (
            "PUT", "/x",
            "AWSAccessKeyId=AKIDEXAMPLE&Signature=fSCBcE4JJ4NyD7CDsRd%2FUBvxJDw%3D&content-type=text%2Fplain&x-amz-meta-one=a%20b&Expires=1790003600"
        ),
        ("PUT", "/x", "uploadId=u%2B%2F%3D&partNumber=3&" + signed("r5MfzVoENiLuWFHnDdsJYajlClY%3D")),
        ("GET", "", "list-type=2&prefix=a%2F&encoding-type=url&" + signed("o96RLUYCMhRL4oDpB2DeV7S13oM%3D")),
        ("DELETE", "/x", signed("dqLrodwaz3Yj194OO%2FsyE5HDhyI%3D")),
        ("HEAD", "/x", signed("5xWJVAFOQ3IXnuZOYXhiGEJpLyM%3D")),
    ]

    @Test("are good for what they were made for, by the path and by the host", arguments: links)
    func good(_ method: String, _ key: String, _ query: String) throws {
        for (path, bucket) in [("/app\(key)", nil), (key.isEmpty ? "/" : key, "app")] {
            let proof = try Self.proof("\(method) \(path)?\(query)", bucket: bucket)
            #expect(proof.isLink)
            #expect(proof.principal?.accessKeyID == "AKIDEXAMPLE")
            #expect(proof.query["AWSAccessKeyId"] == nil)
        }
    }

    @Test("are good until they end, and for nothing else", arguments: links)
    func changed(_ method: String, _ key: String, _ query: String) throws {
        let path = "/app\(key)"
        #expect(Self.code("\(method) \(path)?\(query)", after: 3_599) == nil)
        #expect(Self.code("\(method) \(path)?\(query)", after: 3_600) == "AccessDenied")
        let mismatch = "SignatureDoesNotMatch"
        #expect(Self.code("POST \(path)?\(query)") == mismatch)
        #expect(Self.code("\(method) \(path)y?\(query)") == mismatch)
        #expect(Self.code("\(method) \(path)?\(query)", bucket: "other") == mismatch)
        for (from, to) in [
            ("Expires=1790003600", "Expires=1790003601"), ("%3D&Expires", "&Expires"), ("Signature=", "Signature=A"),
        ] {
            let other = query.parts(separatedBy: from).joined(separator: to)
            if other != query { #expect(Self.code("\(method) \(path)?\(other)") == mismatch) }
        }
        for more in ["acl", "tagging", "uploads", "uploadId=1", "response-content-type=text/html", "x-amz-meta-two=1"] {
            #expect(Self.code("\(method) \(path)?\(more)&\(query)") != nil, "\(more)")
        }
        for field in ["x-amz-meta-two: 1", "x-amz-copy-source: /app/y", "content-md5: aaaa", "content-type: text/html"]
        {
            #expect(Self.code("\(method) \(path)?\(query)", [field]) == mismatch, "\(field)")
        }
        #expect(Self.code("\(method) \(path)?\(query)", [], Self.temporary) == "InvalidToken")
        let unknown = query.parts(separatedBy: "AKIDEXAMPLE").joined(separator: "AKIDOTHER")
        #expect(Self.code("\(method) \(path)?\(unknown)") == "InvalidAccessKeyId")
    }

    @Test("keep what their maker said of the file, in the query or in the head")
    func fields() throws {
        let line = "PUT /app/x?\(Self.links[2].query)"
        let fields = try Self.proof(line).linkFields
        #expect(fields.map(\.name) == ["content-type", "x-amz-meta-one"])
        #expect(fields.map(\.value) == ["text/plain", "a b"])
        let sent = try Self.proof(line, ["content-type: text/plain", "x-amz-meta-one: a b"])
        #expect(sent.linkFields.isEmpty)
        #expect(Self.code(line, ["x-amz-meta-one: other"]) == "SignatureDoesNotMatch")
        // What nobody has signed is in the query beside what came in the head: it is not read.
        let other = Self.links[2].query.parts(separatedBy: "one=a%20b").joined(separator: "one=other")
        #expect(
            try Self.proof("PUT /app/x?\(other)", ["x-amz-meta-one: a b"]).linkFields.map(\.name) == ["content-type"])
    }

    @Test("read of other parameters those that choose a part of a list, and refuse those that are not served")
    func others() throws {
        let query = Self.links[0].query
        let proof = try Self.proof("GET /app\(Self.links[0].key)?\(query)&attributes&t=1&prefix=a&encryption")
        #expect(proof.query["attributes"] == nil)
        #expect(proof.query["t"] == nil)
        #expect(proof.query["prefix"] == "a")
        #expect(proof.query["encryption"] != nil)
    }

    @Test("are refused where they are not whole, or come with another signature")
    func broken() {
        let rows: [(query: String, fields: [String], code: String)] = [
            ("AWSAccessKeyId=AKIDEXAMPLE", [], "AccessDenied"),
            ("AWSAccessKeyId=AKIDEXAMPLE&Signature=a", [], "AccessDenied"),
            ("AWSAccessKeyId=AKIDEXAMPLE&Signature=a&Expires=soon", [], "AccessDenied"),
            ("AWSAccessKeyId=AKIDEXAMPLE&Signature=a&Expires=", [], "AccessDenied"),
            ("AWSAccessKeyId=AKIDEXAMPLE&Signature=a&Expires=9999999999999", [], "AccessDenied"),
            ("AWSAccessKeyId=AKIDEXAMPLE&Signature=a&Expires=-1", [], "AccessDenied"),
            ("\(Self.signed("a"))&X-Amz-Algorithm=AWS4-HMAC-SHA256", [], "InvalidArgument"),
            (Self.signed("a"), ["authorization: AWS AKIDEXAMPLE:a"], "InvalidArgument"),
            ("\(Self.signed("a"))&x-amz-meta-a=1&X-Amz-Meta-A=2", [], "AuthorizationQueryParametersError"),
            ("\(Self.signed("dqLrodwaz3Yj194OO%2FsyE5HDhyI%3D"))&Expires=1", [], "SignatureDoesNotMatch"),
        ]
        for row in rows { #expect(Self.code("GET /app/x?\(row.query)", row.fields) == row.code, "\(row.query)") }
        #expect(
            Self.code("DELETE /app/x?\(Self.links[5].query)&Expires=9990003600") == "InvalidArgument",
            "a parameter that is there twice")
        #expect(Self.code("GET /app/x", ["authorization: AWS AKIDEXAMPLE:a"]) == "InvalidRequest")
    }

    @Test("have the session token of keys that are given out for a time")
    func tokens() throws {
        let query =
            "AWSAccessKeyId=AKIDEXAMPLE&Signature=tMs3leiHrXWykoWOe%2F7jEgjhb%2Fc%3D&x-amz-security-token=tok%2Fen%2B%3D&Expires=1790003600"
        #expect(try Self.proof("GET /app/x?\(query)", [], Self.temporary).principal?.accessKeyID == "AKIDEXAMPLE")
        let other = query.parts(separatedBy: "tok%2Fen").joined(separator: "tok")
        #expect(Self.code("GET /app/x?\(other)", [], Self.temporary) == "InvalidToken")
    }

    @Test("of forms are those of their policy")
    func forms() throws {
        let policy =
            "eyJleHBpcmF0aW9uIjogIjIwMjYtMDktMjFUMTU6MTM6MjBaIiwgImNvbmRpdGlvbnMiOiBbWyJzdGFydHMtd2l0aCIsICIkQ29udGVudC1UeXBlIiwgIiJdLCB7ImJ1Y2tldCI6ICJhcHAifSwgWyJzdGFydHMtd2l0aCIsICIka2V5IiwgInVzZXIvIl1dfQ=="
        let signature = "f35npS8yV4YVsDch7NkWAKIsFE4="
        func code(_ changes: [(String, String?)], after seconds: Int64 = 0) -> String? {
            var fields: [(name: String, value: String)] = [
                ("content-type", "text/plain"), ("key", "user/a"), ("awsaccesskeyid", "AKIDEXAMPLE"),
                ("policy", policy),
                ("signature", signature),
            ]
            for (name, value) in changes {
                fields.removeAll { $0.name == name }
                if let value { fields.append((name, value)) }
            }
            let form = FormFields(fields.map { .init(name: $0.name, value: $0.value) }, fileName: "a", fileType: nil)
            do {
                let principal = try FileSignatures([Self.credential], nil, region: "us-east-1").principal(
                    of: form, from: .elsewhere, now: Self.now + seconds)
                try FormPolicy(form["policy"] ?? "").check(form, bucket: "app", now: Self.now + seconds)
                return principal == nil ? "nobody" : nil
            } catch { return error.code }
        }
        #expect(code([]) == nil)
        #expect(code([], after: 3_600) == "AccessDenied")
        #expect(code([("key", "other/a")]) == "AccessDenied")
        #expect(code([("signature", "f35npS8yV4YVsDch7NkWAKIsFE5=")]) == "SignatureDoesNotMatch")
        #expect(code([("signature", nil)]) == "InvalidArgument")
        #expect(code([("policy", nil)]) == "InvalidArgument")
        #expect(code([("policy", "e30=")]) == "SignatureDoesNotMatch")
        #expect(code([("awsaccesskeyid", "AKIDOTHER")]) == "InvalidAccessKeyId")
        #expect(code([("x-amz-algorithm", "AWS4-HMAC-SHA256")]) == "InvalidArgument")
    }
}
