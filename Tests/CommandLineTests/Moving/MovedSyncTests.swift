import Foundation
import JSON
import TestSupport
import Testing

@testable import homeport

/// A client of DataStore that has synced at AWS, and goes on with a database that was moved here.
@Suite("A client of DataStore after a move")
struct MovedSyncTests {
    private static let fields = "items { id content _version _deleted _lastChangedAt }"

    private static func item(_ id: String, _ version: Int, _ changed: Int64, _ more: String = "") -> String {
        #"{"Item":{"id":{"S":"\#(id)"},"__typename":{"S":"Note"},"content":{"S":"\#(id) at AWS"},"_version":{"N":"\#(version)"},"#
            + #""_lastChangedAt":{"N":"\#(changed)"}\#(more)}}"# + "\n"
    }

    private static func shown(_ id: String, _ version: Int, _ changed: Int64, _ isDeleted: Bool = false) -> String {
        #"{"id":"\#(id)","content":"\#(id) at AWS","_version":\#(version),"_deleted":\#(isDeleted ? "true" : "null"),"_lastChangedAt":\#(changed)}"#
    }

    private static func sync(_ server: HomeportProcess, _ arguments: String) throws -> String {
        try server.answer(to: "{ syncNotes\(arguments) { \(fields) } }")
    }

    @Test("gets all records with their versions, what changed since its last sync, and conflicts by version")
    func goesOn() throws {
        let folder = TemporaryFolder()
        let now = Timestamp.now.millisecondsSince1970
        let (long, late, dead) = (now - 7_200_000, now - 60_000, now - 90_000)
        let export = "exports/AWSDynamoDB/01768385930622-a1b2c3d4"
        let lines =
            Self.item("late", 5, late) + Self.item("long", 3, long)
            + Self.item("dead", 2, dead, #","_deleted":{"BOOL":true},"_ttl":{"N":"1769990400"}"#)
        try folder.write(lines, to: "\(export)/data/a.json.gz")
        try folder.write(
            #"{"itemCount":3,"dataFileS3Key":"x/data/a.json.gz"}"# + "\n", to: "\(export)/manifest-files.json")
        try folder.write(
            #"{"tableArn":"arn:aws:dynamodb:us-east-1:1:table/Note-\#(MovedState.apiID)-dev","exportTime":"\#(Timestamp.now.text)","itemCount":3,"outputFormat":"DYNAMODB_JSON"}"#,
            to: "\(export)/manifest-summary.json")
        let schema = "type Note @model @auth(rules: [{ allow: public }]) { id: ID! content: String }"
        try folder.write(schema, to: "schema.graphql")
        try folder.write(#"{"features": {"conflictDetection": "AUTOMERGE"}}"#, to: "config.json")
        let moved = try ProgramRun.outcome(
            ["move-in", "--tables", "exports", "--config", "config.json"], in: folder)
        try #require(moved.code == .success, "\(moved.diagnostics)")

        let server = try HomeportProcess(["--config", "config.json"], schema: schema, in: folder)
        let all = [Self.shown("dead", 2, dead, true), Self.shown("late", 5, late), Self.shown("long", 3, long)]
        for arguments in ["", "(lastSync: 0)", "(lastSync: \(now - 86_400_000))"] {
            let answer = try Self.sync(server, arguments)
            #expect(
                all.allSatisfy { answer.contains($0) } && answer.components(separatedBy: "_version").count == 4,
                "\(answer)")
        }
        // Ten minutes ago it synced at AWS: what changed since comes in the order of the changes.
        let delta = "(lastSync: \(now - 600_000))"
        #expect(try Self.sync(server, delta) == #"{"data":{"syncNotes":{"items":[\#(all[0]),\#(all[1])]}}}"#)

        func change(_ mutation: String) throws -> String {
            try server.answer(to: "mutation { \(mutation) { id content _version _deleted } }")
        }
        let stale = try change(#"deleteNote(input: { id: "late", _version: 4 })"#)
        #expect(stale.contains(#""errorType":"ConflictUnhandled""#) && stale.contains(#""_version":5"#), "\(stale)")
        #expect(
            try change(#"updateNote(input: { id: "late", content: "here", _version: 5 })"#)
                == #"{"data":{"updateNote":{"id":"late","content":"here","_version":6,"_deleted":null}}}"#)
        #expect(
            try change(#"deleteNote(input: { id: "long", _version: 3 })"#)
                == #"{"data":{"deleteNote":{"id":"long","content":"long at AWS","_version":4,"_deleted":true}}}"#)
        let after = try Self.sync(server, delta)
        #expect(
            after.contains(#""content":"here","_version":6"#) && after.contains(#""_version":4,"_deleted":true"#),
            "\(after)")
        // A sync that is younger than the move gets what was changed here alone.
        let young = try Self.sync(server, "(lastSync: \(now))")
        #expect(
            !young.contains("dead") && young.contains(#""_version":6"#) && young.contains("long at AWS"), "\(young)"
        )
    }
}
