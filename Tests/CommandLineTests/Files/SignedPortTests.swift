import Foundation
import TestSupport
import Testing

@Suite("Links whose port the client leaves out")
struct SignedPortTests {
    @Test("count when they were signed with the server's own, and with no other")
    func ownPort() throws {
        // A port that was free a moment ago; another program may have taken it, so another one is tried then.
        var server: HomeportProcess?
        for _ in 0..<5 where server == nil {
            let port = UInt16.random(in: 20_000..<30_000)
            server = try? HomeportProcess(["--database", "memory", "--port", "\(port)"])
        }
        let found = try #require(server)
        for (port, status) in [(found.port, 404), (found.port ^ 1, 403)] {
            let client = try RawClient(port: found.port)
            try client.send(SignedLink("GET", "/homeport-files/none", host: "localhost:\(port)").bytes)
            let head = try client.readAnswer().head
            #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
        }
    }
}
