import Foundation
import TestSupport
import Testing

/// Whoever shows nothing that could let them in is refused before the server collects what they send.
@Suite("Requests that are refused by their heads")
struct RefusedHeadTests {
    private static func head(_ length: String, _ fields: [String]) -> String {
        let lines = ["Host: localhost", "Content-Type: application/json", length] + fields
        return "POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    @Test("a long body is not waited for where nothing good is shown, and the refusal is AppSync's")
    func refuses() throws {
        let server = try HomeportProcess()
        let rows: [(fields: [String], message: String)] = [
            ([], "Valid authorization header not provided."),
            (["Authorization:"], "Valid authorization header not provided."),
            (["x-api-key: da2-unknown"], "You are not authorized to make this call."),
            (["x-api-key:"], "You are not authorized to make this call."),
            (["x-api-key: da2-unknown", "Accept: text/event-stream"], "You are not authorized to make this call."),
            (
                ["x-api-key: da2-fakeApiId123456", "X-Api-Key: da2-other"],
                "You are not authorized to make this call."
            ),
            (["x-api-key: da2-unknown", "Expect: 100-continue"], "You are not authorized to make this call."),
        ]
        for length in ["Content-Length: 1000000", "Content-Length: 99999999", "Transfer-Encoding: chunked"] {
            for row in rows {
                let client = try RawClient(port: server.port)
                // Nothing of the body is sent: the answer comes even so.
                try client.send(Self.head(length, row.fields))
                let answer = try client.readAnswer()
                #expect(answer.head.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"), "\(length) \(row)")
                #expect(answer.head.contains("\r\nx-amzn-errortype: UnauthorizedException\r\n"))
                #expect(answer.head.contains("\r\naccess-control-allow-origin: *\r\n"))
                #expect(answer.body.contains(row.message), "\(length) \(row)")
            }
        }
    }

    @Test("a client that sends its long body all the same reads the refusal")
    func isReadable() throws {
        let server = try HomeportProcess()
        let client = try RawClient(port: server.port)
        try client.send(Self.head("Content-Length: 20000000", ["x-api-key: da2-unknown"]))
        try client.send([UInt8](repeating: 0x20, count: 20_000_000))
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 401 "))
    }

    @Test("where the body may matter it is waited for")
    func waits() throws {
        let server = try HomeportProcess()
        let query = #"{"query":"{ __typename }"}"#
        let long = query + String(repeating: " ", count: 100_000)
        let other = try RawClient(port: server.port)
        for (fields, status) in [
            (["x-api-key: da2-fakeApiId123456"], "200 OK"),
            (["x-api-key: da2-fakeApiId123456", "X-API-KEY: da2-fakeApiId123456"], "200 OK"),
            (["Authorization: a.b.c"], "401 Unauthorized"),
            (["x-api-key: da2-unknown", "Authorization: a.b.c"], "401 Unauthorized"),
        ] {
            let client = try RawClient(port: server.port)
            try client.send(Self.head("Content-Length: \(long.utf8.count)", fields))
            // The server has had time to answer another, and has not answered this one.
            try other.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try other.readAnswer().body == "healthy")
            #expect(try client.bytes(until: .now) == nil)
            try client.send(long)
            #expect(try client.readAnswer().head.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(fields)")
        }
        // A short body is read, and the connection goes on.
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.send(Self.head("Content-Length: \(query.utf8.count)", ["x-api-key: da2-unknown"]) + query)
            let answer = try client.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 401 ") && !answer.head.contains("connection: close"))
        }
    }
}
