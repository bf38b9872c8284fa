import Foundation
import TestSupport
import Testing

@Suite("The checksum of an object from parts")
struct UploadChecksumTests {
    @Test("is compared with the one that the last request names, which is none of that request's own body")
    func wholeChecksum() throws {
        let server = try HomeportProcess(["--database", "memory"])
        try SignedFileCall(server).call("PUT", "/homeport-files")
        for (checksum, status, found) in [("NhCmhg==", 200, "ChecksumCRC32"), ("AAAAAA==", 400, "BadDigest")] {
            let client = try RawClient(port: server.port)
            let path = "/homeport-files/whole"
            try client.send(
                SignedLink(
                    "POST", path, ["uploads="],
                    fields: [("x-amz-checksum-algorithm", "CRC32"), ("x-amz-checksum-type", "FULL_OBJECT")]
                ).bytes)
            let begun = try client.readAnswer().body
            let id = try #require(begun.firstMatch(of: /<UploadId>(.*?)<\/UploadId>/)?.1)
            try client.send(
                SignedLink("PUT", path, ["partNumber=1", "uploadId=\(id)"], Array("hello".utf8)).bytes)
            let part = try client.readAnswer().head
            let tag = try #require(part.firstMatch(of: /etag: "(.*?)"/)?.1)
            let list =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
                + "</CompleteMultipartUpload>"
            try client.send(
                SignedLink(
                    "POST", path, ["uploadId=\(id)"], fields: [("x-amz-checksum-crc32", checksum)], Array(list.utf8)
                ).bytes)
            let (head, body) = try client.readAnswer()
            #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)\(body)")
            #expect(body.contains(found), "\(body)")
        }
    }
}
