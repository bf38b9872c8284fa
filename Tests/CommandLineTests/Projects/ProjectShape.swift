import Foundation
import TestSupport
import Testing

/// A small project with one shape of a real app, and what proves that it is whole.
struct ProjectShape: Sendable, CustomTestStringConvertible {
    /// Where apps of that shape once failed: a letter, or the number of something minor.
    let finding: String
    let name: String
    let files: [String: String]
    /// A query, and its answer.
    var query = "{ __typename }"
    var answer = #"{"data":{"__typename":"Query"}}"#
    /// A part of each warning, which the start and `check` both have: there are no others.
    var warnings: [String] = []
    var needsNode = false
    var environment: [String: String] = [:]
    /// What an app does besides, and what comes of it.
    var works: @Sendable (HomeportProcess) throws -> Void = { _ in }
    var testDescription: String { "\(finding): \(name)" }

    static let all = version1 + version2

    /// A request without a body, with the status and the body of its answer.
    static func get(
        _ path: String, _ fields: [String] = [], from server: HomeportProcess
    ) throws -> (status: Int, body: String) {
        let client = try RawClient(port: server.port)
        let lines = ["Host: 127.0.0.1:\(server.port)"] + fields
        try client.send("GET \(path) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n")
        let answer = try client.readAnswer()
        return (try AnswerHead(answer.head).status, answer.body)
    }
}
