import Foundation
import TestSupport
import Testing

@Suite("Addresses at which older clients look for files")
struct FileAddressTests {
    /// Two ports that were free a moment ago; another program may have taken one, so others are tried then.
    private func start() throws -> (server: HomeportProcess, other: UInt16) {
        for _ in 0..<5 {
            let ports = (0..<2).map { _ in UInt16.random(in: 20_100..<30_000) }
            let environment = [
                "HOMEPORT_LISTEN": ports.map { "127.0.0.1:\($0)" }.joined(separator: ","),
                "HOMEPORT_FILES_BUCKETS": #"[{"name":"files","bucketName":"app-files"}]"#,
            ]
            if let server = try? HomeportProcess(environment: environment, hasPort: true) {
                return (server, ports[0] == server.port ? ports[1] : ports[0])
            }
        }
        throw IdentityClient.Failure(description: "no two ports are free")
    }

    @Test("a second port serves the same files, as the mock of Amplify's own tool does on 20005")
    func secondPort() throws {
        let (server, other) = try start()
        let (here, there) = (try SignedFileCall(server), try SignedFileCall(server, port: other))
        #expect(try there.call("PUT", "/app-files/public/a", body: [1]).status == 200)
        #expect(try here.call("GET", "/app-files/public/a").bytes == [1])
        #expect(try there.call("GET", "/app-files?list-type=2&prefix=public%2F").elements("Key") == ["public/a"])
        // Links of libraries that leave the port out reach it behind another one's.
        let link = try SignedFileCall(server, host: "localhost", port: other).link("GET", "/app-files/public/a")
        #expect(try there.send("GET", link, ["host": "localhost:\(other)"]).bytes == [1])
    }

    @Test("a path that begins with a level is a key of the usual bucket, as older mobile libraries call it")
    func withoutBucket() throws {
        let server = try HomeportProcess(
            environment: ["HOMEPORT_FILES_BUCKETS": #"[{"name":"files","bucketName":"app-files"}]"#])
        let call = try SignedFileCall(server)
        let keys = ["private/us-east-1:1/a b.txt", "protected/us-east-1:1/a", "public/a/b", "uploads/a"]
        for key in keys {
            let path = SignedFileCall.escaped(key)
            #expect(try call.call("PUT", "/\(path)", body: Array(key.utf8)).status == 200, "\(key)")
            #expect(try call.call("GET", "/app-files/\(path)").bytes == Array(key.utf8), "\(key)")
            #expect(try call.send("GET", call.link("GET", "/\(path)")).bytes == Array(key.utf8), "\(key)")
            // Nobody's is refused in the form in which S3 does.
            #expect(try call.send("GET", "/\(path)").status == 404, "\(key)")
        }
        #expect(try call.call("GET", "/?prefix=public%2F").elements("Key") == ["public/a/b"])
        let whole = try call.call("GET", "/?delimiter=%2F&list-type=2&prefix=private%2F")
        #expect(whole.elements("Prefix") == ["private/", "private/us-east-1:1/"])
        let id = try #require(try call.call("POST", "/public/big?uploads=").element("UploadId"))
        #expect(try call.call("PUT", "/public/big?partNumber=1&uploadId=\(id)", body: [1]).status == 200)
        #expect(try call.call("DELETE", "/app-files/public/big?uploadId=\(id)").status == 204)
        #expect(try call.call("DELETE", "/public/a/b").status == 204)
        #expect(try call.call("GET", "/app-files/public/a/b").code == "NoSuchKey")
        // Any other beginning is a bucket, and so is such a one where it was made.
        #expect(try call.call("PUT", "/other/a", body: [1]).code == "NoSuchBucket")
        #expect(try call.call("GET", "/?prefix=app").elements("Name") == ["app-files"])
        #expect(try call.call("PUT", "/public").status == 200)
        #expect(try call.call("PUT", "/public/mine", body: [2]).status == 200)
        #expect(try call.call("GET", "/app-files/public/mine").code == "NoSuchKey")
        let long = String(repeating: "k", count: 1_020)
        #expect(try call.call("PUT", "/private/\(long)", body: [1]).code == "KeyTooLongError")
    }
}
