import TestSupport
import Testing

@testable import Files

/// Requests for files on a loop: see docs/architecture.md, "What may hold a loop or the writer". Bodies of objects are hashed and written
/// beside the loops; these rows are the requests that are read, or answered, as XML and as forms.
@Suite("No request for files holds a loop")
struct FileDoors {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let target: String
        var fields: [(String, String)] = []
        var body: [UInt8] = []
        /// True if the body's digest is demanded.
        var hasDigest = false
        let status: Int
        var testDescription: String { name }
    }

    /// A build that checks everything takes so much longer for Swift's code that shorter rows show the same there.
    private static let isQuick = HeldTime.factor > 1
    private static let room = isQuick ? 150_000 : FileLimits.markupBytesMax - 1_000
    private static let keysOfLists = isQuick ? 150 : FileLimits.keysMax
    /// A key of as many bytes as a key may have, each of which is an entity in XML.
    private static func key(_ number: Int) -> String {
        String(repeating: "&", count: FileLimits.keyBytesMax - 8) + String(number + 10_000_000).dropFirst()
    }

    private static func filled(
        _ start: String, _ piece: String, _ end: String, max: Int = .max
    ) -> [UInt8] {
        let count = min(max, (room - start.utf8.count - end.utf8.count) / piece.utf8.count)
        return Array((start + String(repeating: piece, count: count) + end).utf8)
    }

    private static let part =
        "<Part><ETag>0123456789abcdef0123456789abcdef</ETag><PartNumber>1</PartNumber><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>"

    /// Bodies that are XML, in the forms that take its reader longest.
    private static func bodies(of root: String) -> [(name: String, body: [UInt8])] {
        let elements = FileLimits.markupElementsMax - 1
        return [
            ("elements", filled("<\(root)>", "<a b='c'/>", "</\(root)>", max: elements)),
            ("a comment", filled("<\(root)><!--", "a ", "--><a/></\(root)>")),
            ("references", filled("<\(root)><a>", "&#x42;", "</a></\(root)>")),
            ("text", filled("<\(root)><a>", "\r", "</a></\(root)>")),
        ]
    }

    static let rows: [Row] = {
        let keys = (0..<FileLimits.keysMax).map {
            "<Object><Key>\(String(repeating: "k", count: isQuick ? 120 : 1_000))\($0)</Key></Object>"
        }
        var rows = [
            Row(
                name: "DeleteObjects", method: "POST", target: "?delete",
                body: Array("<Delete>\(keys.joined())</Delete>".utf8), hasDigest: true, status: 200),
            Row(
                name: "CompleteMultipartUpload", method: "POST", target: "/a?uploadId=none",
                body: filled(
                    "<CompleteMultipartUpload>", part, "</CompleteMultipartUpload>", max: FileLimits.partsMax),
                status: 404),
            Row(name: "ListObjects", method: "GET", target: "", status: 200),
            Row(name: "ListObjectsV2", method: "GET", target: "?list-type=2&fetch-owner=true", status: 200),
            Row(name: "ListObjectVersions", method: "GET", target: "?versions", status: 200),
            Row(name: "ListMultipartUploads", method: "GET", target: "?uploads", status: 200),
            Row(name: "ListParts", method: "GET", target: "/a?uploadId=none", status: 404),
            Row(name: "GetObject", method: "GET", target: "/none", status: 404),
            Row(name: "HeadBucket", method: "HEAD", target: "", status: 200),
            Row(
                name: "GetObject with many parameters", method: "GET",
                target: "/none?" + (0..<FileLimits.parametersMax - 1).map { "p\($0 + 100)=a" }.joined(separator: "&"),
                status: 404),
        ]
        for (name, root, method, target) in [
            ("DeleteObjects", "Delete", "POST", "?delete"), ("PutObjectTagging", "Tagging", "PUT", "/a?tagging"),
            ("PutBucketTagging", "Tagging", "PUT", "?tagging"),
        ] {
            rows += bodies(of: root).map { form in
                Row(
                    name: "\(name) of \(form.name)", method: method, target: target, body: form.body,
                    hasDigest: name == "DeleteObjects", status: 400)
            }
        }
        return rows
    }()

    /// Where a build checks everything, Swift's code alone takes longer than the mixture that times are divided by.
    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("whatever it says")
    func doors() async throws {
        let files = try await TestFiles()
        try await files.service.makeReady(on: files.loop)
        try await files.service.write { writing throws(FileError) in
            for number in 0..<Self.keysOfLists {
                let object = StoredObject(
                    file: FileNumber(Int64(number) + 1), size: 1, tag: "0123456789abcdef0123456789abcdef", modified: 0,
                    content: ObjectContent(), checksum: nil, sum: 0)
                _ = try writing.put(object, TestFiles.bucket, Self.key(number), if: { _ in })
            }
            return ((), [])
        }
        let client = try FileClient(files)
        for row in Self.rows {
            let fields = row.fields + (row.hasDigest ? [TestFiles.digest(of: row.body)] : [])
            var least = Double.infinity
            // The least of some tries, since others disturb.
            for _ in 0..<10 where least >= Self.heldMilliseconds {
                let before = await files.loopMilliseconds()
                let answer = try client.call(row.method, row.target, fields, body: row.body)
                least = min(least, await files.loopMilliseconds() - before)
                #expect(answer.status == row.status, "\(row.name) \(answer.text.prefix(300))")
            }
            #expect(least < Self.heldMilliseconds, "\(row.name) holds a loop for \(least) ms")
        }
    }
}
