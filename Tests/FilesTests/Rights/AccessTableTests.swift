import JSON
import TestSupport
import Testing

@testable import Files

/// Who may do what at the levels of `amplify add storage`, row by row, each cell asked by signed requests over a socket: the owner of the folder,
/// another user, a guest where guests may do everything too, and a guest where files are for signed-in users only.
@Suite("Access levels under real signatures")
struct AccessTableTests {
    /// P to put, G to get, D to delete, L to list under that prefix.
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let cells: [String]
        var testDescription: String { key.isEmpty ? "the bucket" : key }

        init(_ key: String, _ cells: String...) { (self.key, self.cells) = (key, cells) }
    }

    static let rows = [
        Row("public/x", "PGDL", "PGDL", "PGDL", ""), Row("protected/us-east-1:ann/x", "PGDL", "GL", "GL", ""),
        Row("private/us-east-1:ann/x", "PGDL", "", "", ""), Row("uploads/x", "P", "P", "P", ""),
        Row("other/x", "", "", "", ""), Row("privatex/x", "", "", "", ""), Row("x", "", "", "", ""),
    ]

    /// Prefixes of lists that no rule begins with.
    static let closed = [
        "", "public", "protected", "private", "private/", "private/us-east-1:ann", "uploads/", "private/us-east-1:an",
    ]

    private static func stores() async throws -> [(files: TestFiles, callers: [TestFiles.Key])] {
        let open = try await TestFiles(clock: { TestFiles.now * 1_000 }) {
            $0.buckets = [.init(TestFiles.bucket): Version1Rights(users: .all, guests: .all)]
        }
        let ofUsers = try await TestFiles(clock: { TestFiles.now * 1_000 }) {
            $0.buckets = [.init(TestFiles.bucket): Version1Rights(users: .all)]
        }
        return [(open, [.ann, .bob, .guest]), (ofUsers, [.guest])]
    }

    @Test("let each caller do just that", arguments: rows)
    func cells(row: Row) async throws {
        var cells = row.cells[...]
        for (files, callers) in try await Self.stores() {
            let administrator = try FileClient(files)
            try administrator.call("PUT", "/public/source", body: [7])
            for caller in callers {
                let cell = cells.removeFirst()
                let table = Cell(
                    files: files, caller: caller, administrator: administrator, key: row.key,
                    path: "/" + row.key.replacing(":", with: "%3A"))
                try table.puts(cell.contains("P"), mayGetSource: caller != .guest || callers.count > 1)
                try table.gets(cell.contains("G"), lists: cell.contains("L"))
                try table.deletes(cell.contains("D"))
                try table.lists(cell.contains("L"))
            }
            try await files.stop()
        }
        #expect(cells.isEmpty)
    }

    @Test("list nothing by a prefix that no rule begins with", arguments: closed)
    func lists(prefix: String) async throws {
        for (files, callers) in try await Self.stores() {
            for caller in callers {
                let client = try FileClient(files, as: caller)
                let escaped = prefix.replacing(":", with: "%3A").replacing("/", with: "%2F")
                for version in ["list-type=2&", ""] {
                    let answer = try client.call("GET", "?\(version)prefix=\(escaped)")
                    #expect(answer.code == "AccessDenied", "\(caller)")
                }
            }
            try await files.stop()
        }
    }

    /// What one caller may do with one key.
    private struct Cell {
        let files: TestFiles
        let caller: TestFiles.Key
        let administrator: FileClient
        let key: String
        let path: String

        /// A refusal may end its connection.
        private func call(
            _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = []
        ) throws -> FileClient.Answer {
            try FileClient(files, as: caller).call(method, target, fields, body: body)
        }

        private func expect(
            _ answer: FileClient.Answer, _ may: Bool, _ status: Int, _ what: String,
            at place: SourceLocation = #_sourceLocation
        ) {
            #expect(answer.status == (may ? status : 403), "\(caller) \(what) \(key)", sourceLocation: place)
        }

        func puts(_ may: Bool, mayGetSource: Bool) throws {
            expect(try call("PUT", path, body: [1]), may, 200, "puts")
            let copy = [("x-amz-copy-source", "/\(TestFiles.bucket)/public/source")]
            expect(try call("PUT", path, copy), may && mayGetSource, 200, "copies to")
            let begun = try call("POST", "\(path)?uploads")
            expect(begun, may, 200, "begins an upload to")
            let id = begun.element("UploadId") ?? "none"
            let part = try call("PUT", "\(path)?partNumber=1&uploadId=\(id)", body: [2])
            expect(part, may, 200, "puts a part of")
            expect(try call("GET", "\(path)?uploadId=\(id)"), may, 200, "lists the parts of")
            let list =
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(part.fields["etag"] ?? "x")</ETag></Part></CompleteMultipartUpload>"
            expect(try call("POST", "\(path)?uploadId=\(id)", body: Array(list.utf8)), may, 200, "completes")
            let other = try call("POST", "\(path)?uploads").element("UploadId") ?? "none"
            expect(try call("DELETE", "\(path)?uploadId=\(other)"), may, 204, "ends an upload to")
        }

        func gets(_ may: Bool, lists: Bool) throws {
            try administrator.call("PUT", path, body: [3])
            for method in ["GET", "HEAD"] { expect(try call(method, path), may, 200, "\(method)s") }
            expect(try call("GET", "\(path)?tagging"), may, 200, "reads the tags of")
            let copy = [("x-amz-copy-source", "/\(TestFiles.bucket)\(path)")]
            let target = "/uploads/\(caller.rawValue)"
            let mayPut = try call("PUT", target, body: [4]).status == 200
            expect(try call("PUT", target, copy), may && mayPut, 200, "copies")
            try administrator.call("DELETE", path)
            // What is not there is told to who may see what is.
            expect(try call("GET", path), may && lists, 404, "misses")
        }

        func deletes(_ may: Bool) throws {
            try administrator.call("PUT", path, body: [5])
            expect(try call("DELETE", path), may, 204, "deletes")
            #expect(try administrator.call("GET", path).status == (may ? 404 : 200))
            try administrator.call("PUT", path, body: [6])
            let list = Array("<Delete><Object><Key>\(key)</Key></Object></Delete>".utf8)
            let many = try call("POST", "?delete", [TestFiles.digest(of: list)], body: list)
            #expect(many.elements("Code") == (may ? [] : ["AccessDenied"]), "\(caller) deletes \(key) among many")
            #expect(try administrator.call("GET", path).status == (may ? 404 : 200))
        }

        func lists(_ may: Bool) throws {
            let folder = key.utf8.contains(UInt8(ascii: "/")) ? key.dropLast() : key[...]
            let prefix = folder.replacing(":", with: "%3A").replacing("/", with: "%2F")
            for version in ["list-type=2&", ""] {
                expect(try call("GET", "?\(version)prefix=\(prefix)"), may, 200, "lists below")
            }
        }
    }
}
