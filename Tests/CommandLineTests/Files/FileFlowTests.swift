import Crypto
import Foundation
import TestSupport
import Testing

@testable import Files

/// What two users and a guest can do with files that are for signed-in users only, and what nobody can: each step with keys of
/// the identity pool, over a socket of a real server.
@Suite("Files of two users of an app")
struct FileFlowTests {
    @Test(
        "are kept, listed, shared by their levels, linked to, put together and streamed, under their owner's rights alone"
    )
    func flow() async throws {
        try await BlockingThread.run {
            let flow = FileFlow(try FileUsers())
            try flow.keepsPrivateFile()
            try flow.refusesOthers()
            try flow.refusesOtherSignatures()
            try flow.sharesByLevel()
            try flow.lists()
            try flow.links()
            try flow.putsPartsTogether()
            try flow.endsUploads()
            try flow.streams()
            try flow.removes()
        }
    }
}

private struct FileFlow {
    private let users: FileUsers
    private var ann: FileUsers.Person { users.ann }
    private var bob: FileUsers.Person { users.bob }
    private var guest: FileUsers.Person { users.guest }
    private var path: String { ann.path("cover") }
    private let picture = FileUsers.picture

    private static let bucket = "/\(FileUsers.bucket)"

    init(_ users: FileUsers) { self.users = users }

    private func refuse(
        _ answer: SignedFileCall.Answer, _ status: Int, _ codes: String..., what: Comment = "",
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, what, sourceLocation: place)
        #expect(codes.contains(answer.code ?? ""), what, sourceLocation: place)
    }

    // MARK: A file

    func keepsPrivateFile() throws {
        let tag = "\"\(FileUsers.digest(picture))\""
        let put = try ann.calls.call(
            "PUT", path, ["content-type": "image/png", "x-amz-meta-kind": "cover"], body: picture)
        #expect(put.status == 200 && put.tag == tag)
        try expectUntouched()
        let head = try ann.calls.call("HEAD", path)
        #expect(head.tag == tag && head.fields["content-length"] == "\(picture.count)")
        #expect(head.fields["last-modified"] != nil)
        let part = try ann.calls.call("GET", path, ["range": "bytes=1-3"])
        #expect(part.status == 206 && part.bytes == Array("PNG".utf8))
        #expect(part.fields["content-range"] == "bytes 1-3/\(picture.count)")
        refuse(try ann.calls.call("GET", path, ["range": "bytes=999999-"]), 416, "InvalidRange")
        refuse(try ann.calls.call("GET", ann.path("nothing-here")), 404, "NoSuchKey")
        let odd = "a b+c&d=é'(1)!*~.txt"
        #expect(try ann.calls.call("PUT", ann.path(odd), body: Array("odd".utf8)).status == 200)
        #expect(try ann.calls.call("GET", ann.path(odd)).bytes == Array("odd".utf8))
        let listed = try ann.calls.call("GET", FileUsers.list(ann.key("a b"), ["encoding-type=url"]))
        #expect(listed.element("Key") == SignedFileCall.escaped(ann.key(odd)))
        #expect(try ann.calls.call("DELETE", ann.path(odd)).status == 204)
    }

    private func expectUntouched() throws {
        let got = try ann.calls.call("GET", path)
        #expect(got.bytes == picture && got.fields["content-type"] == "image/png")
        #expect(got.fields["x-amz-meta-kind"] == "cover")
    }

    func refusesOthers() throws {
        for person in [bob, guest] {
            for method in ["GET", "PUT", "DELETE"] {
                refuse(try person.calls.call(method, path), 403, "AccessDenied", what: "\(method)")
            }
            #expect(try person.calls.call("HEAD", path).status == 403)
            refuse(try person.calls.call("GET", FileUsers.list(ann.key(""))), 403, "AccessDenied")
            let source = ["x-amz-copy-source": path]
            refuse(try person.calls.call("PUT", "\(Self.bucket)/public/stolen", source), 403, "AccessDenied")
        }
        refuse(try ann.calls.call("GET", "\(Self.bucket)?list-type=2"), 403, "AccessDenied")
        refuse(try ann.calls.call("PUT", "\(Self.bucket)/elsewhere/x", body: [1]), 403, "AccessDenied")
        // Dots are letters of a key.
        let climbing = "\(bob.path(""))../\(SignedFileCall.escaped(ann.keys.identity))/cover"
        refuse(try ann.calls.call("GET", climbing), 403, "AccessDenied")
        refuse(try ann.calls.send("GET", path), 403, "AccessDenied")
        try expectUntouched()
    }

    func refusesOtherSignatures() throws {
        let keys = ann.keys
        let others: [(keys: IdentityClient.Keys, codes: [String])] = [
            (changed(keys) { $0.secret = "wrong" + $0.secret }, ["SignatureDoesNotMatch"]),
            (changed(keys) { $0.sessionToken = bob.keys.sessionToken }, ["InvalidToken"]),
            (changed(keys) { $0.sessionToken = nil }, ["InvalidToken", "InvalidAccessKeyId"]),
            (
                IdentityClient.Keys(
                    identity: "", accessKeyID: "ASIAUNKNOWNUNKNOWN00", secret: keys.secret,
                    sessionToken: keys.sessionToken), ["InvalidAccessKeyId", "InvalidToken"]
            ),
        ]
        for (keys, codes) in others {
            let answer = try SignedFileCall(users.server, as: keys).call("GET", path)
            #expect([400, 403].contains(answer.status) && codes.contains(answer.code ?? ""), "\(codes)")
        }
        let target = ann.path("t")
        let field = SignedFileCall.Change(fields: ["x-amz-meta-a": "2"])
        refuse(
            try ann.calls.call("PUT", target, ["x-amz-meta-a": "1"], body: [0x78], change: field), 403,
            "SignatureDoesNotMatch")
        let body = SignedFileCall.Change(body: [0x79])
        refuse(
            try ann.calls.call("PUT", target, body: [0x78], change: body), 400, "XAmzContentSHA256Mismatch", "BadDigest"
        )
        let sum = ["x-amz-checksum-crc32": Self.checksum([0x79])]
        refuse(try ann.calls.call("PUT", target, sum, body: [0x78]), 400, "BadDigest")
        refuse(try ann.calls.call("GET", target), 404, "NoSuchKey")
        try expectUntouched()
    }

    private func changed(
        _ keys: IdentityClient.Keys, _ change: (inout IdentityClient.Keys) -> Void
    ) -> IdentityClient.Keys {
        var keys = keys
        change(&keys)
        return keys
    }

    private static func checksum(_ bytes: [UInt8]) -> String {
        Checksum.text(of: ChecksumStream.sum(.crc32, of: bytes))
    }

    // MARK: Levels and lists

    func sharesByLevel() throws {
        let shared = ann.path("shared", level: "protected")
        #expect(try ann.calls.call("PUT", shared, body: Array("shared".utf8)).status == 200)
        #expect(try bob.calls.call("GET", shared).bytes == Array("shared".utf8))
        let key = ann.key("shared", level: "protected")
        #expect(try users.keys(ann.key("", level: "protected"), as: bob) == [key])
        for method in ["PUT", "DELETE"] { refuse(try bob.calls.call(method, shared), 403, "AccessDenied") }
        let open = "\(Self.bucket)/public/one"
        #expect(try ann.calls.call("PUT", open, body: Array("one".utf8)).status == 200)
        #expect(try bob.calls.call("PUT", open, body: Array("two".utf8)).status == 200)
        #expect(try ann.calls.call("GET", open).bytes == Array("two".utf8))
        for place in [shared, open] { refuse(try guest.calls.call("GET", place), 403, "AccessDenied") }
        let copy = ann.path("copy")
        #expect(try ann.calls.call("PUT", copy, ["x-amz-copy-source": path]).status == 200)
        let copied = try ann.calls.call("GET", copy)
        #expect(copied.bytes == picture && copied.fields["content-type"] == "image/png")
        #expect(copied.fields["x-amz-meta-kind"] == "cover")
        for place in [shared, open, copy] { #expect(try ann.calls.call("DELETE", place).status == 204) }
    }

    func lists() throws {
        let root = ann.key("list/")
        let keys = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt", "z.txt"].map { root + $0 }
        for key in keys { #expect(try ann.calls.call("PUT", FileUsers.path(key), body: Array(key.utf8)).status == 200) }
        let whole = try ann.calls.call("GET", FileUsers.list(root))
        #expect(whole.elements("Key") == keys)
        #expect(whole.element("KeyCount") == "5" && whole.element("IsTruncated") == "false")
        #expect(whole.element("MaxKeys") == "1000" && whole.element("Name") == FileUsers.bucket)
        #expect(whole.element("NextContinuationToken") == nil)
        #expect(whole.element("Size") == "\(keys[0].utf8.count)")
        #expect(whole.element("ETag")?.contains(FileUsers.digest(Array(keys[0].utf8))) == true)
        let folded = try ann.calls.call("GET", FileUsers.list(root, ["delimiter=%2F"]))
        #expect(folded.elements("Key") == [keys[0], keys[1], keys[4]])
        #expect(folded.elements("Prefix") == [root, root + "sub/"] && folded.element("KeyCount") == "4")
        try listsInPages(root, keys)
        let start = SignedFileCall.escaped(keys[2], keepingSlash: false)
        let behind = try ann.calls.call("GET", FileUsers.list(root, ["start-after=\(start)"]))
        #expect(behind.elements("Key") == Array(keys[3...]))
        #expect(try ann.calls.call("GET", FileUsers.list(ann.key("none/"))).element("KeyCount") == "0")
        // Many at once, decided one by one.
        #expect(try bob.calls.call("PUT", bob.path("keep"), body: [1]).status == 200)
        let list = (keys + [bob.key("keep")]).map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let body = Array("<Delete>\(list)</Delete>".utf8)
        let removed = try ann.calls.call("POST", "\(Self.bucket)?delete=", FileUsers.sum(of: body), body: body)
        #expect(removed.elements("Deleted").count == keys.count)
        #expect(removed.elements("Code") == ["AccessDenied"])
        #expect(try users.keys(root).isEmpty)
        #expect(try bob.calls.call("GET", bob.path("keep")).bytes == [1])
    }

    private func listsInPages(_ root: String, _ keys: [String]) throws {
        var seen: [[String]] = []
        var token: String?
        repeat {
            let more = token.map { ["continuation-token=\(SignedFileCall.escaped($0, keepingSlash: false))"] } ?? []
            let page = try ann.calls.call("GET", FileUsers.list(root, more + ["max-keys=2"]))
            // Some clients compare what is told with what they have asked for.
            #expect(page.element("ContinuationToken") == token && page.element("MaxKeys") == "2")
            #expect(page.element("KeyCount") == "\(page.elements("Key").count)")
            seen.append(page.elements("Key"))
            token = page.element("NextContinuationToken")
            #expect((token != nil) == (page.element("IsTruncated") == "true"))
        } while token != nil && seen.count < 10
        #expect(seen == [Array(keys[..<2]), Array(keys[2..<4]), Array(keys[4...])])
    }

    // MARK: Links

    func links() throws {
        let link = ann.calls.link("GET", path)
        let got = try ann.calls.send("GET", link, ["origin": "http://localhost:5173"])
        #expect(got.bytes == picture && got.fields["content-type"] == "image/png")
        #expect(got.fields["access-control-expose-headers"]?.contains("ETag") == true)
        let target = ann.path("by-link")
        let put = try ann.calls.send(
            "PUT", ann.calls.link("PUT", target), ["content-type": "text/plain"], Array("by link".utf8))
        #expect(put.tag == "\"\(FileUsers.digest(Array("by link".utf8)))\"")
        #expect(try ann.calls.call("GET", target).fields["content-type"] == "text/plain")
        #expect(try ann.calls.call("DELETE", target).status == 204)
        let disposition = "attachment; filename=\"a b.png\""
        let named = SignedFileCall.escaped(disposition, keepingSlash: false)
        let other = try ann.calls.send(
            "GET",
            ann.calls.link(
                "GET", path, ["response-content-disposition=\(named)", "response-content-type=application%2Fx-test"]))
        #expect(other.fields["content-disposition"] == disposition)
        #expect(other.fields["content-type"] == "application/x-test")
        for (method, changed) in [
            ("GET", link.replacing("/cover?", with: "/xover?")), ("DELETE", link),
            ("GET", link.replacing("X-Amz-Expires=300", with: "X-Amz-Expires=30000")),
            ("GET", String(link.dropLast()) + (link.hasSuffix("0") ? "1" : "0")),
        ] {
            refuse(try ann.calls.send(method, changed), 403, "SignatureDoesNotMatch", what: "\(method) \(changed)")
        }
        let old = ann.calls.link("GET", path, seconds: 60, at: Date(timeIntervalSinceNow: -120))
        refuse(try ann.calls.send("GET", old), 403, "AccessDenied")
        refuse(try bob.calls.send("GET", bob.calls.link("GET", path)), 403, "AccessDenied")
        let asked = try ann.calls.send(
            "OPTIONS", path,
            [
                "origin": "http://localhost:5173", "access-control-request-method": "PUT",
                "access-control-request-headers": "authorization,content-type,x-amz-date,x-amz-security-token",
            ])
        #expect(asked.status == 200 && asked.fields["access-control-allow-origin"] == "*")
    }

    // MARK: Uploads in parts

    func putsPartsTogether() throws {
        let place = ann.path("big")
        let size = FileLimits.partBytesMin
        let parts = [[UInt8](repeating: 0x41, count: size), [UInt8](repeating: 0x42, count: size), Array("tail".utf8)]
        let begun = try ann.calls.call(
            "POST", "\(place)?uploads=", ["content-type": "application/x-big", "x-amz-meta-m": "1"])
        #expect(begun.element("Bucket") == FileUsers.bucket && begun.element("Key") == ann.key("big"))
        let id = try #require(begun.element("UploadId"))
        var list = ""
        for (number, part) in zip(1..., parts) {
            let link = ann.calls.link("PUT", place, ["partNumber=\(number)", "uploadId=\(id)"])
            let put = try ann.calls.send("PUT", link, [:], part)
            #expect(put.tag == "\"\(FileUsers.digest(part))\"", "part \(number)")
            // Without its quotes, as some clients send it.
            list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(FileUsers.digest(part))</ETag></Part>"
        }
        let listed = try ann.calls.call("GET", "\(place)?uploadId=\(id)")
        #expect(listed.elements("PartNumber") == ["1", "2", "3"])
        #expect(listed.elements("Size") == parts.map { "\($0.count)" })
        refuse(try bob.calls.call("GET", "\(place)?uploadId=\(id)"), 403, "AccessDenied")
        let made = try ann.calls.call(
            "POST", "\(place)?uploadId=\(id)",
            body: Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
        let digest = FileUsers.digest(parts.flatMap { ChecksumStream.sum(.md5, of: $0) })
        #expect(made.element("ETag")?.contains("\(digest)-3") == true)
        let got = try ann.calls.call("GET", place)
        #expect(got.bytes == parts.flatMap { $0 } && got.fields["content-type"] == "application/x-big")
        #expect(got.fields["x-amz-meta-m"] == "1")
        let seam = try ann.calls.call("GET", place, ["range": "bytes=\(2 * size - 1)-"])
        #expect(seam.bytes == Array("Btail".utf8))
        #expect(try ann.calls.call("DELETE", place).status == 204)
    }

    func endsUploads() throws {
        let place = ann.path("big")
        func begin() throws -> String {
            try #require(try ann.calls.call("POST", "\(place)?uploads=").element("UploadId"))
        }
        func part(_ number: Int, of id: String, by person: FileUsers.Person) throws -> SignedFileCall.Answer {
            try person.calls.call("PUT", "\(place)?partNumber=\(number)&uploadId=\(id)", body: [0x78])
        }
        let id = try begin()
        #expect(try part(1, of: id, by: ann).status == 200)
        refuse(try part(1, of: id, by: bob), 403, "AccessDenied")
        let list =
            "<Part><PartNumber>1</PartNumber><ETag>0123456789abcdef0123456789abcdef</ETag></Part>"
        let wrong = Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8)
        refuse(try ann.calls.call("POST", "\(place)?uploadId=\(id)", body: wrong), 400, "InvalidPart")
        #expect(try ann.calls.call("DELETE", "\(place)?uploadId=\(id)").status == 204)
        refuse(try ann.calls.call("GET", "\(place)?uploadId=\(id)"), 404, "NoSuchUpload")
        refuse(try part(2, of: id, by: ann), 404, "NoSuchUpload")
        refuse(try ann.calls.call("GET", place), 404, "NoSuchKey")
    }

    // MARK: Bodies in chunks

    func streams() throws {
        let data = Array(String(repeating: "chunked ", count: 10_000).utf8)
        let chunks = [Array(data[..<65_536]), Array(data[65_536...])]
        let place = ann.path("stream")
        func fields(_ count: Int, _ more: [String: String] = [:]) -> [String: String] {
            ["content-encoding": "aws-chunked", "x-amz-decoded-content-length": "\(count)"].merging(more) { $1 }
        }
        func unsigned(_ chunks: [[UInt8]], sum: [UInt8]) -> [UInt8] {
            chunks.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
                + Array("0\r\nx-amz-checksum-crc32:\(Self.checksum(sum))\r\n\r\n".utf8)
        }
        let trailer = ["x-amz-trailer": "x-amz-checksum-crc32"]
        let plain = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        let put = try ann.calls.call("PUT", place, fields(data.count, trailer), digest: plain) { _, _ in
            unsigned(chunks, sum: data)
        }
        #expect(put.status == 200)
        try expectStream(data, at: place)
        refuse(
            try ann.calls.call("PUT", place, fields(1, trailer), digest: plain) { _, _ in
                unsigned([[0x78]], sum: [0x79])
            }, 400, "BadDigest")
        refuse(try ann.calls.call("GET", place), 404, "NoSuchKey")
        func signed(_ spoil: Bool) throws -> SignedFileCall.Answer {
            try ann.calls.call(
                "PUT", place, fields(data.count), digest: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
            ) { signature, date in
                var (body, previous): ([UInt8], String) = ([], signature)
                for chunk in chunks + [[]] {
                    let digests = [[], chunk].map { Hexadecimal.text(of: Digest.sha256.of($0)) }
                    let lines =
                        ["AWS4-HMAC-SHA256-PAYLOAD", date, SignedFileCall.scope(at: date), previous] + digests
                    previous = ann.calls.signature(of: lines.joined(separator: "\n"), at: date)
                    body += Array("\(String(chunk.count, radix: 16));chunk-signature=\(previous)\r\n".utf8) + chunk
                    body += Array("\r\n".utf8)
                }
                if spoil, let place = body.firstIndex(of: UInt8(ascii: "\n")) { body[place + 1] ^= 1 }
                return body
            }
        }
        refuse(try signed(true), 403, "SignatureDoesNotMatch")
        refuse(try ann.calls.call("GET", place), 404, "NoSuchKey")
        #expect(try signed(false).status == 200)
        try expectStream(data, at: place)
    }

    private func expectStream(_ data: [UInt8], at place: String) throws {
        let got = try ann.calls.call("GET", place)
        #expect(got.bytes == data && got.fields["content-encoding"] == nil)
        #expect(try ann.calls.call("DELETE", place).status == 204)
    }

    // MARK: The end

    func removes() throws {
        for _ in 0..<2 { #expect(try ann.calls.call("DELETE", path).status == 204) }
        refuse(try ann.calls.call("GET", path), 404, "NoSuchKey")
        #expect(try bob.calls.call("DELETE", bob.path("keep")).status == 204)
        try users.expectFiles(0)
    }
}
