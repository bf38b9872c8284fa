import Foundation
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("homeport move-in --since")
struct SinceTests {
    private static let old =
        #""createdAt":{"S":"2026-01-01T00:00:00.000Z"},"updatedAt":{"S":"2026-01-02T00:00:00.000Z"}"#
    private static let new =
        #""createdAt":{"S":"2026-01-01T00:00:00.000Z"},"updatedAt":{"S":"2026-01-14T11:00:00.000Z"}"#

    private static func image(_ id: String, _ name: String, _ times: String) -> String {
        #"{"id":{"S":"\#(id)"},"name":{"S":"\#(name)"},\#(times)}"#
    }

    private static func change(_ id: String, old: String? = nil, new: String? = nil) -> String {
        #"{"Metadata":{"WriteTimestampMicros":{"N":"1768386096366933"}},"Keys":{"id":{"S":"\#(id)"}}"#
            + (old.map { #","OldImage":\#($0)"# } ?? "") + (new.map { #","NewImage":\#($0)"# } ?? "") + "}"
    }

    private func filled() throws -> MoveWorld {
        let world = try MoveWorld()
        let items = ["a", "b", "c", "d", "e"].map { #"{"Item":\#(Self.image($0, "old", Self.old))}"# }
        try ExportedTable("Todo", [items]).write(to: world.folder)
        let said = try world.moveIn()
        try #require(said.code == .success, "\(said.all)")
        return world
    }

    private func window(
        _ world: MoveWorld, _ lines: [String], from: String = "2026-01-14T10:18:50.622Z",
        to: String = "2026-01-14T12:00:00.000Z",
        below place: String = "later", stoppingAfter parts: Int = .max
    ) throws -> MoveWorld.Said {
        var table = ExportedTable("Todo", [lines])
        table.from = from
        table.time = to
        try table.write(to: world.folder, below: place)
        return try world.moveIn(stoppingAfter: parts) {
            $0.tables = []
            $0.since = [world.folder.file(place)]
        }
    }

    @Test("puts and deletes what was not changed here, and lists what was")
    func applies() throws {
        let world = try filled()
        // Changed and deleted here after the move.
        try world.folder.write(
            #"{"type":"Todo","record":{"id":"c","name":"here","updatedAt":"2026-02-01T00:00:00.000Z"}}"# + "\n",
            to: "c.jsonl")
        let resolution = try world.resolution()
        #expect(
            world.said { ImportCommand.run(resolution, from: world.folder.file("c.jsonl"), .init(replaces: true), $0) }
                .code
                == .success)
        let lines = [
            Self.change("a", old: Self.image("a", "old", Self.old), new: Self.image("a", "new", Self.new)),
            Self.change("b", old: Self.image("b", "old", Self.old)),
            Self.change("c", old: Self.image("c", "old", Self.old), new: Self.image("c", "new", Self.new)),
            Self.change("d", new: Self.image("d", "new", Self.new)), Self.change("e"),
            Self.change(
                "n",
                new: Self.image("n", "new", Self.new.replacingOccurrences(of: "2026-01-01T00", with: "2026-01-14T11"))
            ),
            Self.change("g", old: Self.image("g", "old", Self.old), new: Self.image("g", "new", Self.new)),
        ]
        let said = try window(world, lines)
        #expect(said.code == .failure)
        #expect(said.diagnostics.contains(#"Todo id={"S":"c"}: it was changed here since"#), "\(said.all)")
        #expect(said.diagnostics.contains(#"Todo id={"S":"g"}: it was deleted here since"#), "\(said.all)")
        #expect(said.output.contains("3 records put and 2 deleted"), "\(said.all)")
        let names = try world.records().map { try JSONReader.value(of: $0) }.map {
            "\($0["record"]?["id"]?.string ?? "") \($0["record"]?["name"]?.string ?? "")"
        }
        #expect(Set(names) == ["a new", "c here", "d new", "n new"])
    }

    @Test("takes windows that follow each other, each once")
    func chain() throws {
        let world = try filled()
        let gap = try window(world, [], from: "2026-01-14T11:00:00.000Z")
        #expect(gap.code == .failure)
        #expect(gap.diagnostics.contains("an export between them is missing"), "\(gap.all)")
        let first = try window(world, [Self.change("a")], below: "first")
        #expect(first.output.contains("0 records put and 1 deleted"), "\(first.all)")
        let again = try window(world, [Self.change("a")], below: "first")
        #expect(again.diagnostics.contains("all of it has come already"), "\(again.all)")
        let empty = try MoveWorld()
        let none = try window(empty, [])
        #expect(none.diagnostics.contains("no full export of"), "\(none.all)")
    }

    @Test("goes on behind the changes that an interrupted run has made", arguments: [1, 2, 3])
    func resumes(parts: Int) throws {
        let world = try filled()
        let times = Self.new.replacingOccurrences(of: "2026-01-01T00", with: "2026-01-14T11")
        var lines = (0..<1_100).map { Self.change("n\($0)", new: Self.image("n\($0)", "new", times)) }
        lines.insert(#"{"Item":{"id":{"S":"x"}}}"#, at: 7)
        let stopped = try window(world, lines, stoppingAfter: parts)
        #expect(stopped.code == .failure)
        #expect(stopped.diagnostics.contains("Give the same command again: it continues"), "\(stopped.all)")
        let said = try window(world, lines)
        #expect(said.code == .failure)
        #expect(
            said.output.contains("1,100 records put and 0 deleted by incremental exports, 0 were so"), "\(said.all)")
        #expect(said.diagnostics.contains("the entries that earlier runs have listed are in"), "\(said.all)")
        #expect(try world.records().count == 1_105)
        let list = try String(contentsOfFile: world.folder.file("data/\(FaultList.fileName)"), encoding: .utf8)
        #expect(list.split(separator: "\n").count == 1)
    }
}
