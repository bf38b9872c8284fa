import Foundation
import TestSupport
import Testing

@testable import homeport

/// Deleted records of synced models, whose time is over.
@Suite("Tombstones")
struct TombstoneTests {
    private static let schema = "type Item @model @auth(rules: [{ allow: public }]) { id: ID! name: String }"
    private static let environment = [
        "HOMEPORT_FEATURES_CONFLICT_DETECTION": "AUTOMERGE", "HOMEPORT_SYNC_TOMBSTONE_MINUTES": "60",
    ]

    @Test("go by time, though nobody writes to their model, and after a restart")
    func goByTime() throws {
        let folder = TemporaryFolder()
        let first = try HomeportProcess(environment: Self.environment, schema: Self.schema, in: folder)
        _ = try first.answer(to: #"mutation { createItem(input: { id: "live" }) { id } }"#)
        _ = try first.answer(to: #"mutation { createItem(input: { id: "late" }) { id } }"#)
        _ = try first.answer(to: #"mutation { deleteItem(input: { id: "late", _version: 1 }) { id } }"#)
        first.signal(SIGTERM)
        _ = first.exitStatus()
        // As a server left it that ran long ago.
        let line = """
            {"type":"Item","record":{"id":"old","name":"n","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-01T00:00:00.000Z","_version":2,"_deleted":true,"_lastChangedAt":1577836800000}}
            """
        try folder.write(line + "\n", to: "old.jsonl")
        try folder.write(#"{"features": {"conflictDetection": "AUTOMERGE"}}"#, to: "config.json")
        let loaded = try ProgramRun.outcome(["import", "old.jsonl", "--config", "config.json"], in: folder)
        try #require(loaded.code == .success, "\(loaded.diagnostics)")

        let second = try HomeportProcess(environment: Self.environment, schema: Self.schema, in: folder)
        // Nothing tells of a sweep; the first one is at the start.
        try eventually("the old one is gone") {
            try second.answer(to: #"{ getItem(id: "old") { id } }"#) == #"{"data":{"getItem":null}}"#
        }
        let kept = #"{"items":[{"id":"live"},{"id":"late"}]}"#
        #expect(try second.answer(to: "{ listItems { items { id } } }") == #"{"data":{"listItems":\#(kept)}}"#)
        #expect(try second.answer(to: "{ syncItems { items { id } } }") == #"{"data":{"syncItems":\#(kept)}}"#)
        #expect(
            try second.answer(to: #"mutation { createItem(input: { id: "old" }) { id _version } }"#)
                == #"{"data":{"createItem":{"id":"old","_version":1}}}"#)
    }
}
