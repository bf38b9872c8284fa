import Crypto
import Foundation
import TestSupport
import Testing

/// A page posts a form whose maker has signed what may be in it.
@Suite("Files that pages post")
struct FormUploadTests {
    /// What a form has, and what comes of it: its status, and a part of the answer.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var conditions: [String] = [#"["starts-with", "$key", "page/"]"#]
        var fields: [(String, String)] = [("key", "page/${filename}")]
        var file: [UInt8] = Array("hello".utf8)
        var isSigned = true
        let status: Int
        var answer = ""

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "as it was meant", status: 204, answer: "etag: \"5d41402abc4b2a76b9719d911017c592\""),
        Case(name: "an empty file", file: [], status: 204),
        Case(
            name: "a large file with every byte", file: (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) },
            status: 204),
        Case(
            name: "with an answer in XML",
            conditions: [#"{"key": "page/a b.txt"}"#, #"{"success_action_status": "201"}"#],
            fields: [("key", "page/a b.txt"), ("success_action_status", "201")], status: 201,
            answer: "/homeport-files/page/a%20b.txt</Location>"),
        Case(
            name: "with a page to go to",
            conditions: [#"["starts-with", "$key", ""]"#, #"{"success_action_redirect": "https://a.test/done?x=1"}"#],
            fields: [("key", "page/a"), ("success_action_redirect", "https://a.test/done?x=1")], status: 303,
            answer: "location: https://a.test/done?x=1&bucket=homeport-files&key=page%2Fa&etag=%22"),
        Case(
            name: "with a page that the policy does not name",
            fields: [("key", "page/a"), ("success_action_redirect", "https://evil.test/")], status: 403,
            answer: "Extra input fields: success_action_redirect"),
        Case(
            name: "with a page that is no address",
            conditions: [#"["starts-with", "$key", ""]"#, #"["starts-with", "$redirect", ""]"#],
            fields: [("key", "page/a"), ("redirect", "javascript:alert(1)")], status: 204),
        Case(name: "another key", fields: [("key", "other/a")], status: 403, answer: "Policy Condition failed"),
        Case(name: "no key", fields: [], status: 400, answer: "field named 'key'"),
        Case(name: "a field that was not meant", fields: [("key", "page/a"), ("x-amz-meta-a", "b")], status: 403),
        Case(
            name: "metadata with a line's end",
            conditions: [#"["starts-with", "$key", ""]"#, #"["starts-with", "$x-amz-meta-a", ""]"#],
            fields: [("key", "page/a"), ("x-amz-meta-a", "b\r\nx-evil: c")], status: 400, answer: "InvalidArgument"),
        Case(
            name: "a list of access that lets everybody in",
            conditions: [#"["starts-with", "$key", ""]"#, #"["starts-with", "$acl", ""]"#],
            fields: [("key", "page/a"), ("acl", "public-read")], status: 400, answer: "AccessControlListNotSupported"),
        Case(
            name: "a small file", conditions: [#"["starts-with", "$key", ""]"#, #"["content-length-range", 6, 10]"#],
            status: 400, answer: "EntityTooSmall"),
        Case(
            name: "a large file", conditions: [#"["starts-with", "$key", ""]"#, #"["content-length-range", 0, 4]"#],
            status: 400, answer: "EntityTooLarge"),
        Case(
            name: "a wrong checksum",
            conditions: [#"["starts-with", "$key", ""]"#, #"["starts-with", "$content-md5", ""]"#],
            fields: [("key", "page/a"), ("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==")], status: 400, answer: "BadDigest"),
        Case(name: "signed by nobody", isSigned: false, status: 403, answer: "AccessDenied"),
    ]

    @Test("are kept, or refused and not kept, as who made the form has said")
    func posted() throws {
        let server = try HomeportProcess(["--database", "memory"])
        try SignedFileCall(server).call("PUT", "/homeport-files")
        for posted in Self.cases {
            let client = try RawClient(port: server.port)
            let key = posted.fields.first { $0.0 == "key" }?.1.replacing("${filename}", with: "a.txt")
            try client.send(
                FormRequest(posted.fields, posted.conditions, posted.file, isSigned: posted.isSigned).bytes)
            let (head, body) = try client.readAnswer()
            #expect(head.hasPrefix("HTTP/1.1 \(posted.status) "), "\(posted.name): \(head)\(body)")
            #expect(
                posted.answer.isEmpty || (head + body).contains(posted.answer), "\(posted.name): \(head)\(body)")
            guard posted.status < 400, let key else { continue }
            try client.send(SignedLink("GET", "/homeport-files/\(key.replacing(" ", with: "%20"))").bytes)
            let (found, content) = try client.readAnswerBytes()
            #expect(found.hasPrefix("HTTP/1.1 200 "), "\(posted.name): \(found)")
            #expect(content == posted.file, "\(posted.name)")
        }
    }
}

/// A form as a browser posts it, signed by the administrator of this machine.
struct FormRequest {
    let bytes: [UInt8]

    /// - Parameter lines: further lines of the head, each with its end.
    init(
        _ fields: [(String, String)], _ conditions: [String], _ file: [UInt8], isSigned: Bool,
        host: String = "localhost", _ lines: String = ""
    ) {
        let time = SignedLink.now
        let signed = [
            ("x-amz-algorithm", "AWS4-HMAC-SHA256"),
            ("x-amz-credential", "local/\(time.prefix(8))/\(SignedLink.scope)"),
            ("x-amz-date", time),
        ]
        let all = conditions + [#"{"bucket": "homeport-files"}"#] + signed.map { "{\"\($0)\": \"\($1)\"}" }
        let policy = Base64.text(
            of: Array(
                "{\"expiration\": \"2100-01-01T00:00:00Z\", \"conditions\": [\(all.joined(separator: ","))]}".utf8),
            .standard)
        let proof =
            signed + [("policy", policy), ("x-amz-signature", SignedLink.signature(of: policy, day: time.prefix(8)))]
        var body: [UInt8] = []
        for (name, value) in fields + (isSigned ? proof : []) {
            body += Array("--Bound\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body +=
            Array("--Bound\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n".utf8) + file
        body += Array("\r\n--Bound--\r\n".utf8)
        let head =
            "POST /homeport-files HTTP/1.1\r\nhost: \(host)\r\n\(lines)content-type: multipart/form-data; boundary=Bound\r\n"
            + "content-length: \(body.count)\r\n\r\n"
        bytes = Array(head.utf8) + body
    }
}
