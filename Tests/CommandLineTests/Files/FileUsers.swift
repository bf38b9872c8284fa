import Crypto
import Foundation
import JSON
import TestSupport
import Testing

@testable import Files

/// An app with files "for signed-in users only", two users of it and a guest, all of whom have come to their keys as clients do.
final class FileUsers {
    static let bucket = "app-files"
    static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<2_000).map { UInt8($0 & 0xFF) }

    /// Somebody with keys of the identity pool.
    struct Person: Sendable {
        let idToken: String
        let keys: IdentityClient.Keys
        let calls: SignedFileCall

        func key(_ name: String, level: String = "private") -> String { "\(level)/\(keys.identity)/\(name)" }

        func path(_ name: String, level: String = "private") -> String { FileUsers.path(key(name, level: level)) }
    }

    let server: HomeportProcess
    let ann: Person
    let bob: Person
    let guest: Person
    private let client: IdentityClient

    init() throws {
        let bucket =
            #"[{"name":"files","bucketName":"\#(Self.bucket)","default":true,"authenticated":["create","read","delete"]}]"#
        let server = try HomeportProcess(
            environment: IdentityClient.environment.merging([
                "HOMEPORT_AUTH_DEFAULT": "AMAZON_COGNITO_USER_POOLS", "HOMEPORT_AUTH_ADDITIONAL": #"["API_KEY"]"#,
                "HOMEPORT_FILES_BUCKETS": bucket,
            ]) { $1 },
            schema: """
                type Song @model @auth(rules: [{ allow: owner }]) { id: ID! name: String! coverArtKey: String }
                type PhotoAlbum @model @auth(rules: [{ allow: owner }]) { id: ID! name: String! imageKeys: [String] }
                """)
        let client = IdentityClient(server: server)
        func person(_ name: String?) throws -> Person {
            let token = try name.map { try client.idToken(of: $0) }
            let keys = try client.keys(idToken: token)
            return Person(idToken: token ?? "", keys: keys, calls: try SignedFileCall(server, as: keys))
        }
        (self.server, self.client) = (server, client)
        (ann, bob, guest) = (try person("ann"), try person("bob"), try person(nil))
    }

    static func path(_ key: String) -> String { "/\(bucket)/\(SignedFileCall.escaped(key))" }

    static func list(_ prefix: String, _ more: [String] = []) -> String {
        let parameters = more + ["list-type=2", "prefix=\(SignedFileCall.escaped(prefix, keepingSlash: false))"]
        return "/\(bucket)?\(parameters.sorted().joined(separator: "&"))"
    }

    static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: ChecksumStream.sum(.md5, of: bytes)) }

    /// What a request says of its body, as all clients do that delete many at once.
    static func sum(of body: [UInt8]) -> [String: String] {
        ["content-md5": Checksum.text(of: ChecksumStream.sum(.md5, of: body))]
    }

    /// What a query or a mutation comes to, under its one name.
    func record(_ query: String, _ variables: JSONValue = [:], as person: Person? = nil) throws -> JSONValue? {
        let answer = try client.send(
            "POST /graphql",
            ["Content-Type: application/json", "Authorization: \((person ?? ann).idToken)"],
            String(decoding: JSONWriter.bytes(of: ["query": .string(query), "variables": variables]), as: UTF8.self))
        let members = try JSONReader.value(of: answer.body)
        return members["data"]?.object?.members.first?.value
    }

    /// The keys that begin with a prefix, as a caller sees them.
    func keys(_ prefix: String, as person: Person? = nil) throws -> [String] {
        let answer = try (person ?? ann).calls.call("GET", Self.list(prefix))
        #expect(answer.status == 200, "\(String(decoding: answer.bytes, as: UTF8.self))")
        return answer.elements("Key")
    }

    /// Waits until the disk has so many files: the last ones go beside the requests.
    func expectFiles(_ count: Int) throws {
        let path = server.folder.path + "/.homeport/files"
        var found = -1
        for _ in 0..<5_000 {
            found = (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).count { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
            if found == count { return }
            // Each of these is a turn that they may take.
            _ = try keys("private/\(ann.keys.identity)/")
        }
        Issue.record("there are \(found) files, not \(count)")
    }
}
