import Foundation
import TestSupport
import Testing

/// A server with files whose disk is full, and has room again while it runs.
@Suite("A full disk", .enabled(if: HomeportProcess.canHaveDisk))
struct FullDiskTests {
    private static let bucket = "/full"
    private static let objectBytes = 300_000

    private static func content(_ number: Int) -> [UInt8] {
        let round = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        // Whole rounds at a time: byte by byte, a build with checks takes longer for these contents than the server for all of its calls.
        var content: [UInt8] = []
        content.reserveCapacity(objectBytes + round.count)
        while content.count < objectBytes { content += round }
        content.removeLast(content.count - objectBytes)
        return content
    }

    @Test(
        "refuses what does not fit, keeps all that it has acknowledged, and takes more when there is room, without a restart",
        arguments: [0, 1_000_000])
    func heals(freeBytes: Int) async throws {
        try await BlockingThread.run {
            let server = try HomeportProcess(
                environment: ["HOMEPORT_FILES_FREE_BYTES": "\(freeBytes)"], diskBytes: 8 << 20)
            let call = try SignedFileCall(server)
            #expect(try call.call("PUT", Self.bucket).status == 200)
            var known: [String: Int] = [:]
            func put(_ key: String, _ number: Int) throws -> Int {
                let answer = try call.call("PUT", "\(Self.bucket)/\(key)", body: Self.content(number))
                if answer.status == 200 { known[key] = number } else { #expect(answer.code == "InsufficientStorage") }
                return answer.status
            }
            func expectAll(_ place: Comment) throws {
                for (key, number) in known {
                    #expect(try call.call("GET", "\(Self.bucket)/\(key)").bytes == Self.content(number), place)
                }
            }
            for number in 0..<4 { #expect(try put("k\(number)", number) == 200) }
            let id = try #require(try call.call("POST", "\(Self.bucket)/joined?uploads=").element("UploadId"))
            let part = "\(Self.bucket)/joined?partNumber=1&uploadId=\(id)"
            let tag = try #require(try call.call("PUT", part, body: Self.content(9)).tag)
            let list =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
            func complete() throws -> SignedFileCall.Answer {
                try call.call("POST", "\(Self.bucket)/joined?uploadId=\(id)", body: Array(list.utf8))
            }
            try Self.fill(server)
            #expect(try put("new", 10) == 507)
            #expect(try put("k0", 11) == 507)
            #expect(try call.call("PUT", part, body: Self.content(12)).status == 507)
            #expect(try complete().status == 507)
            let copy = ["x-amz-copy-source": "\(Self.bucket)/k1"]
            #expect(try call.call("PUT", "\(Self.bucket)/copy", copy).status == 507)
            if try call.call("DELETE", "\(Self.bucket)/k3").status == 204 { known["k3"] = nil }
            try expectAll("while it is full")
            #expect(try call.call("GET", "\(Self.bucket)/new").code == "NoSuchKey")
            try FileManager.default.removeItem(atPath: server.data + "/filler")
            #expect(try put("new", 13) == 200)
            #expect(try put("k0", 14) == 200)
            #expect(try complete().status == 200)
            known["joined"] = 9
            #expect(try call.call("PUT", "\(Self.bucket)/copy", copy).status == 200)
            known["copy"] = 1
            #expect(try call.call("DELETE", "\(Self.bucket)/k2").status == 204)
            known["k2"] = nil
            try expectAll("when there was room again")
            let listed = try call.call("GET", "\(Self.bucket)?list-type=2")
            #expect(listed.elements("Key") == known.keys.sorted())
            try Self.expectFiles(known.count, of: server, by: call)
        }
    }

    /// Takes all that is left of the disk.
    private static func fill(_ server: HomeportProcess) throws {
        let descriptor = open(server.data + "/filler", O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for size in [65_536, 4_096, 1] {
            let piece = [UInt8](repeating: 0, count: size)
            while write(descriptor, piece, size) == size {}
        }
    }

    /// Waits until there are just the files of objects: the last ones go beside the requests.
    private static func expectFiles(_ count: Int, of server: HomeportProcess, by call: SignedFileCall) throws {
        var names: [String] = []
        for _ in 0..<5_000 {
            names = (FileManager.default.enumerator(atPath: server.data + "/files")?.allObjects as? [String] ?? [])
                .filter { name in
                    var isFolder: ObjCBool = false
                    let path = "\(server.data)/files/\(name)"
                    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                }
            if names.count == count { return }
            try call.call("HEAD", bucket)
        }
        Issue.record("there are \(names.count) files of \(count) objects")
    }
}
