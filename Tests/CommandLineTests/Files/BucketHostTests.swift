import TestSupport
import Testing

@Suite("A host that names a bucket")
struct BucketHostTests {
    /// Paths of the server's own, and what only the host can tell apart from them.
    static let keys = [
        "graphql", "graphql/realtime", "graphql/", "health", "ping", "metrics", "login", "signup", "logout",
        "oauth2/token", "oauth2/authorize", ".well-known/jwks.json", "us-east-1_x/.well-known/jwks.json", "other/key",
    ]

    @Test("has every path for a key, also those that are the server's on its other names")
    func keysLikePaths() throws {
        let server = try HomeportProcess(["--database", "memory"])
        let byPath = try SignedFileCall(server)
        #expect(try byPath.call("PUT", "/songs").status == 200)
        let byHost = try SignedFileCall(server, host: "Songs.S3.localhost")
        for key in Self.keys {
            let text = Array("what is called \(key)".utf8)
            #expect(try byHost.call("PUT", "/\(key)", body: text).status == 200, "\(key)")
            #expect(try byHost.call("GET", "/\(key)").bytes == text, "\(key)")
            #expect(try byPath.call("GET", "/songs/\(key)").bytes == text, "\(key)")
            // No service of the pool is behind it either.
            let refused = try byHost.call("POST", "/\(key)", ["x-amz-target": "AWSCognitoIdentityService.GetId"])
            #expect(refused.bytes.starts(with: "<?xml".utf8), "\(key)")
        }
        #expect(try byHost.call("DELETE", "/health").status == 204)
        #expect(try byHost.call("GET", "/health").status == 404)
    }

    @Test("is asked by pages for leave to every key")
    func pages() throws {
        let server = try HomeportProcess(["--database", "memory"])
        for key in Self.keys {
            let client = try RawClient(port: server.port)
            try client.send(
                "OPTIONS /\(key) HTTP/1.1\r\nhost: songs.s3.localhost\r\norigin: https://a.test\r\n"
                    + "access-control-request-method: PUT\r\n\r\n")
            let head = try client.readAnswer().head
            #expect(head.contains("access-control-allow-methods: GET, HEAD, PUT, POST, DELETE"), "\(key)")
        }
    }

    @Test("is one below a base alone: on any other the server's own paths stay its own")
    func otherHosts() throws {
        let server = try HomeportProcess(["--database", "memory", "--console=false"])
        #expect(try SignedFileCall(server).call("PUT", "/auth").status == 200)
        #expect(try SignedFileCall(server).call("PUT", "/127.0").status == 200)
        for host in ["s3.localhost", "localhost", "auth.localhost", "127.0.0.1"] {
            let client = try RawClient(port: server.port)
            try client.send("GET /health HTTP/1.1\r\nhost: \(host):\(server.port)\r\n\r\n")
            #expect(try client.readAnswer().body.contains("healthy"), "\(host)")
            // No first part of an address is a bucket.
            try client.send("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 404 "), "\(host)")
        }
        // A name with an empty part is none, so it finds no bucket either, by whatever path.
        #expect(try SignedFileCall(server).call("PUT", "/auth/public/open").status == 200)
        for host in [".s3.localhost", "a..localhost"] {
            for path in ["/health", "/auth/public/open", "/public/open"] {
                let client = try RawClient(port: server.port)
                try client.send("GET \(path) HTTP/1.1\r\nhost: \(host):\(server.port)\r\n\r\n")
                let answer = try client.readAnswer()
                #expect(answer.head.hasPrefix("HTTP/1.1 403 "), "\(host) \(path): \(answer)")
            }
        }
    }
}
