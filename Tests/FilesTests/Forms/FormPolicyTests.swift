import Access
import Crypto
import Testing

@testable import Files

@Suite("Policies of forms")
struct FormPolicyTests {
    private static let now: Int64 = 1_451_347_200
    private static let expiration = #""expiration": "2015-12-30T12:00:00.000Z""#
    private static let usual = #"{"bucket": "app"}, ["starts-with", "$key", "user/"]"#

    private static func text(_ policy: String) -> String { Base64.text(of: Array(policy.utf8), .standard) }

    private static func policy(_ conditions: String) throws(FileError) -> FormPolicy {
        try FormPolicy(text("{\(expiration), \"conditions\": [\(conditions)]}"))
    }

    private static func fields(_ fields: [(String, String)], fileName: String = "a.txt") -> FormFields {
        FormFields(fields.map { .init(name: $0.0, value: $0.1) }, fileName: fileName, fileType: nil)
    }

    private static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? FileError)?.code ?? "\(error)"
        }
    }

    /// Conditions, fields, and the code of the refusal; nil where the form is as its maker meant it.
    @Test(
        "hold for what their conditions say, and for nothing else",
        arguments: [
            (usual, [("key", "user/a")], nil),
            (usual, [("key", "user/${filename}")], nil),
            (usual, [("key", "${filename}")], "AccessDenied"),
            (usual, [("key", "other/a")], "AccessDenied"),
            (usual, [("key", "User/a")], "AccessDenied"),
            (usual, [], "AccessDenied"),
            (usual, [("key", "user/a"), ("acl", "public-read")], "AccessDenied"),
            (usual, [("key", "user/a"), ("x-amz-meta-a", "b")], "AccessDenied"),
            (usual, [("key", "user/a"), ("success_action_redirect", "http://evil")], "AccessDenied"),
            (usual, [("key", "user/a"), ("content-type", "text/html")], "AccessDenied"),
            (usual, [("key", "user/a"), ("bucket", "app")], nil),
            (usual, [("key", "user/a"), ("bucket", "other")], "AccessDenied"),
            (usual, [("key", "user/a"), ("x-ignore-me", "b"), ("policy", "p"), ("x-amz-signature", "s")], nil),
            (usual, [("key", "user/a"), ("awsaccesskeyid", "k"), ("policy", "p"), ("signature", "s")], nil),
            (usual, [("key", "user/a"), ("x-amz-date", "d")], "AccessDenied"),
            (usual + #", {"x-amz-date": "d"}"#, [("key", "user/a"), ("x-amz-date", "d")], nil),
            (usual + #", {"acl": "private"}"#, [("key", "user/a"), ("acl", "private")], nil),
            (usual + #", {"acl": "private"}"#, [("key", "user/a"), ("acl", "public-read")], "AccessDenied"),
            (usual + #", {"acl": "private"}"#, [("key", "user/a")], "AccessDenied"),
            (usual + #", ["eq", "$ACL", "private"]"#, [("key", "user/a"), ("acl", "private")], nil),
            (usual + #", ["eq", "$acl", "private"]"#, [("key", "user/a"), ("acl", "PRIVATE")], "AccessDenied"),
            (usual + #", ["starts-with", "$Content-Type", ""]"#, [("key", "user/a"), ("content-type", "x/y")], nil),
            (usual + #", ["starts-with", "$Content-Type", ""]"#, [("key", "user/a")], nil),
            (
                usual + #", ["starts-with", "$Content-Type", "image/"]"#,
                [("key", "user/a"), ("content-type", "text/html")],
                "AccessDenied"
            ),
            (usual + #", ["starts-with", "$key", "user/b"]"#, [("key", "user/a")], "AccessDenied"),
            (usual + #", {"key": "user/a"}"#, [("key", "user/a")], nil),
            (#"{"bucket": "other"}, ["starts-with", "$key", ""]"#, [("key", "a")], "AccessDenied"),
            (#"["starts-with", "$key", ""]"#, [("key", "a")], "AccessDenied"),
            (#"{"bucket": "app"}"#, [("key", "a")], "AccessDenied"),
            (#"{"bucket": "app"}, {"key": "a"}"#, [("key", "a")], nil),
            (#"["starts-with", "$bucket", ""], ["starts-with", "$key", ""]"#, [("key", "a")], nil),
            ("", [("key", "a")], "AccessDenied"),
        ] as [(String, [(String, String)], String?)])
    func holdForTheirConditions(conditions: String, fields: [(String, String)], code: String?) throws {
        let policy = try Self.policy(conditions)
        #expect(Self.code { try policy.check(Self.fields(fields), bucket: "app", now: Self.now) } == code)
    }

    @Test(
        "are refused where they are none",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"conditions": []}"#, "{\(expiration)}",
            "{\(expiration), \"conditions\": {}}", "{\(expiration), \"conditions\": [{}]}",
            #"{"expiration": "tomorrow", "conditions": []}"#, #"{"expiration": 1, "conditions": []}"#,
            #"{"expiration": "2015-12-30", "conditions": []}"#,
            "{\"EXPIRATION\": \"2015-12-30T12:00:00Z\", \"conditions\": []}",
            "{\(expiration), \"CONDITIONS\": []}",
        ])
    func malformed(policy: String) {
        #expect(Self.code { _ = try FormPolicy(Self.text(policy)) } == "InvalidPolicyDocument")
    }

    @Test(
        "are refused with a condition that is none",
        arguments: [
            "1", "null", "[]", #"["eq"]"#, #"["eq", "$key"]"#, #"["eq", "$", "a"]"#,
            #"["eq", "$key", 1]"#,
            #"["eq", "$key", "a", "b"]"#, #"["ends-with", "$key", "a"]"#, #"{"key": 1}"#, #"{"key": ["a"]}"#,
            #"{"": "a"}"#,
            #"["content-length-range", 1]"#, #"["content-length-range", -1, 5]"#, #"["content-length-range", 5, 1]"#,
            #"["content-length-range", 1.5, 5]"#, #"{"key": "a", "acl": "private"}"#,
            #"["content-length-range", 1, 5, 6]"#,
            #"["content-length-range", 1, 5], ["content-length-range", 1, 6]"#,
            #"["content-length-range", 0, 99999999999999999999]"#,
        ])
    func malformedConditions(conditions: String) {
        #expect(Self.code { _ = try Self.policy(conditions) } == "InvalidPolicyDocument")
    }

    @Test(
        "are refused when a form comes, with a condition that never holds",
        arguments: [#"["eq", "key", "a"]"#, #"["content-length-range", "a", 5]"#])
    func conditionsOfNothing(condition: String) throws {
        let policy = try Self.policy(#"{"key": "a"}, {"bucket": "b"}, \#(condition)"#)
        let fields = FormFields([.init(name: "key", value: "a")], fileName: nil, fileType: nil)
        do throws(FileError) {
            try policy.check(fields, bucket: "b", now: 0)
            Issue.record("the form is let through")
        } catch {
            #expect(error.code == "AccessDenied" && error.message.contains(bytesOf: "Policy Condition failed: ["))
        }
    }

    @Test("are refused beyond their limits")
    func haveLimits() throws {
        let one = #"["eq", "$key", "a"]"#
        func many(_ count: Int) -> String { Array(repeating: one, count: count).joined(separator: ",") }
        _ = try Self.policy(many(FileLimits.formConditionsMax))
        #expect(Self.code { _ = try Self.policy(many(FileLimits.formConditionsMax + 1)) } == "InvalidPolicyDocument")
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(Self.code { _ = try Self.policy(deep) } == "InvalidPolicyDocument")
        #expect(Self.code { _ = try FormPolicy("not base64!") } == "InvalidPolicyDocument")
    }

    @Test("end, and bound the file's size")
    func endAndBound() throws {
        let policy = try Self.policy(Self.usual + #", ["content-length-range", 2, "4"]"#)
        let fields = Self.fields([("key", "user/a")])
        let end: Int64 = 1_451_476_800
        #expect(Self.code { try policy.check(fields, bucket: "app", now: end - 1) } == nil)
        #expect(Self.code { try policy.check(fields, bucket: "app", now: end) } == "AccessDenied")
        for (size, code) in [(1, "EntityTooSmall"), (2, nil), (4, nil), (5, "EntityTooLarge")] as [(Int, String?)] {
            #expect(Self.code { try policy.check(size: size) } == code)
        }
        #expect(policy.lengths == 2...4)
        #expect(Self.code { try Self.policy(Self.usual).check(size: .max) } == nil)
    }

    // MARK: Signatures

    private static let signatures = FileSignatures(
        [
            PrincipalCredential(
                secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                principal: IAMPrincipal(role: .administrator, accessKeyID: "AKIAIOSFODNN7EXAMPLE"))
        ], nil, region: "us-east-1")

    /// The example of S3's documentation.
    private static let published: [(String, String)] = [
        ("key", "user/user1/${filename}"), ("acl", "public-read"),
        ("success_action_redirect", "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"),
        ("content-type", "image/jpeg"), ("x-amz-meta-uuid", "14365123651274"),
        ("x-amz-server-side-encryption", "AES256"),
        ("x-amz-credential", "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"),
        ("x-amz-algorithm", "AWS4-HMAC-SHA256"), ("x-amz-date", "20151229T000000Z"), ("x-amz-meta-tag", ""),
        (
            "policy",
            text(
                """
                { "expiration": "2015-12-30T12:00:00.000Z",
                  "conditions": [
                    {"bucket": "sigv4examplebucket"},
                    ["starts-with", "$key", "user/user1/"],
                    {"acl": "public-read"},
                    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},
                    ["starts-with", "$Content-Type", "image/"],
                    {"x-amz-meta-uuid": "14365123651274"},
                    {"x-amz-server-side-encryption": "AES256"},
                    ["starts-with", "$x-amz-meta-tag", ""],

                    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},
                    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
                    {"x-amz-date": "20151229T000000Z" }
                  ]
                }
                """.replacing("\n", with: "\r\n"))
        ), ("x-amz-signature", "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"),
    ]

    @Test("of the documentation's example are signed and hold")
    func publishedForm() throws {
        let form = Self.fields(Self.published)
        let principal = try Self.signatures.principal(of: form, from: .elsewhere, now: Self.now)
        #expect(principal?.accessKeyID == "AKIAIOSFODNN7EXAMPLE")
        try FormPolicy(form["policy"] ?? "").check(form, bucket: "sigv4examplebucket", now: Self.now)
        #expect(form["key"] == "user/user1/a.txt")
    }

    @Test(
        "are refused where their signature is wrong",
        arguments: [
            ("policy", "e30=", "SignatureDoesNotMatch"), ("policy", nil, "InvalidArgument"),
            ("x-amz-signature", String(repeating: "a", count: 64), "SignatureDoesNotMatch"),
            ("x-amz-signature", "", "SignatureDoesNotMatch"), ("x-amz-signature", nil, "InvalidArgument"),
            ("x-amz-credential", nil, "InvalidArgument"), ("x-amz-credential", "AKIA", "AuthorizationHeaderMalformed"),
            (
                "x-amz-credential", "AKIAIOSFODNN7EXAMPLE/20151228/us-east-1/s3/aws4_request",
                "AuthorizationHeaderMalformed"
            ),
            (
                "x-amz-credential", "AKIAIOSFODNN7EXAMPLE/20151229/eu-west-1/s3/aws4_request",
                "AuthorizationHeaderMalformed"
            ),
            (
                "x-amz-credential", "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/ses/aws4_request",
                "AuthorizationHeaderMalformed"
            ),
            ("x-amz-credential", "AKIAIOSFODNN7EXAMPLF/20151229/us-east-1/s3/aws4_request", "InvalidAccessKeyId"),
            ("x-amz-algorithm", nil, "InvalidArgument"), ("x-amz-algorithm", "AWS4-HMAC-SHA1", "InvalidRequest"),
            ("x-amz-date", nil, "InvalidArgument"), ("x-amz-date", "2015-12-29", "AccessDenied"),
            ("x-amz-date", "20151230T000000Z", "AuthorizationHeaderMalformed"),
            ("x-amz-date", "20151229T003001Z", "AccessDenied"), ("x-amz-security-token", "abc", "InvalidToken"),
            ("awsaccesskeyid", "AKIAIOSFODNN7EXAMPLE", "InvalidArgument"),
        ] as [(String, String?, String)])
    func hostileForms(name: String, value: String?, code: String) {
        var fields = Self.published.filter { $0.0 != name }
        if let value { fields.append((name, value)) }
        #expect(
            Self.code {
                _ = try Self.signatures.principal(of: Self.fields(fields), from: .elsewhere, now: Self.now)
            } == code)
    }

    @Test("need not be there where nobody signs")
    func unsignedForms() throws {
        let form = Self.fields([("key", "a")])
        #expect(try Self.signatures.principal(of: form, from: .elsewhere, now: Self.now) == nil)
    }
}
