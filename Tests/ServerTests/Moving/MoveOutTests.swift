import Foundation
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("homeport move-out")
struct MoveOutTests {
    private func out(
        _ world: MoveWorld, to name: String = "out", format: String = "dynamodb-json", stoppingAfter steps: Int = .max
    ) throws -> MoveWorld.Said {
        var wish = MoveOutCommand.Wish(world.folder.file(name))
        wish.setFormat(format)
        let resolution = try world.resolution()
        let left = Counter(steps)
        return world.said { MoveOutCommand.run(resolution, wish, $0) { left.step() } }
    }

    private func filled(isSynced: Bool) throws -> MoveWorld {
        let world = try MoveWorld(isSynced: isSynced)
        let version = isSynced ? #","_version":{"N":"3"},"_lastChangedAt":{"N":"1767398400000"}"# : ""
        let dead = isSynced ? version + #","_deleted":{"BOOL":true},"_ttl":{"N":"1769990400"}"# : ""
        let first = MoveInTests.first.dropLast(2) + version + "}}"
        try ExportedTable(
            "Todo",
            [
                [
                    String(first), MoveInTests.item("t2", #","old":{"SS":["a","b"]},"tags":{"L":[]}"# + version),
                    MoveInTests.item("t3", #","name":{"S":"\"\\\n'é\u0001"}"# + dead),
                ]
            ]
        ).write(to: world.folder)
        try ExportedTable(
            "Stock",
            [
                [
                    #"{"Item":{"shop":{"S":"s"},"shelf":{"S":"a"},"number":{"N":"2"},"shelf#number":{"S":"a#2"}\#(version)}}"#
                ]
            ]
        ).write(to: world.folder)
        try world.folder.write(
            #"{"Users":[{"Username":"ann","Attributes":[{"Name":"email","Value":"ann@example.com"},{"Name":"email_verified","Value":"true"},{"Name":"address","Value":"12 Any Street, Köln"},{"Name":"sub","Value":"11111111-2222-4333-8444-555555555555"}],"UserCreateDate":1700000000.123,"UserStatus":"CONFIRMED","Groups":["admins"]},{"Username":"Google_1","Attributes":[{"Name":"identities","Value":"[{\"userId\":\"1\",\"providerName\":\"Google\"}]"}],"UserStatus":"EXTERNAL_PROVIDER"}]}"#,
            to: "people/users.json")
        let said = try world.moveIn {
            $0.users = [world.folder.file("people")]
            $0.keepsUnknown = true
        }
        try #require(said.code == .success, "\(said.all)")
        return world
    }

    @Test(
        "writes what move-in reads: out and in again everything is as it was", arguments: [false, true],
        ["dynamodb-json", "ion"])
    func roundTrip(isSynced: Bool, format: String) throws {
        let world = try filled(isSynced: isSynced)
        let said = try out(world, format: format)
        #expect(said.code == .success, "\(said.all)")
        let back = try world.moveIn(data: "second") {
            $0.tables = [world.folder.file("out/tables")]
            $0.users = [world.folder.file("out/users/users.json"), world.folder.file("out/users/groups.json")]
            $0.keepsUnknown = true
        }
        #expect(back.code == .success, "\(back.all)")
        let (first, second) = (try world.records(), try world.records(data: "second"))
        #expect(Set(first) == Set(second))
        let (users, same) = (try world.users(), try world.users(data: "second"))
        #expect(users == same)
        // Attributes without a field came along.
        #expect(back.diagnostics.contains("Todo.old: the schema has no such field; 1 value kept"), "\(back.all)")
    }

    @Test("describes tables as an import wants them, and users as Cognito's jobs do")
    func forms() throws {
        let world = try filled(isSynced: true)
        #expect(try out(world).code == .success)
        let table = try JSONReader.value(
            of: String(contentsOfFile: world.folder.file("out/tables/Stock/table.json"), encoding: .utf8))
        #expect(
            table["KeySchema"]
                == .array([
                    ["AttributeName": "shop", "KeyType": "HASH"],
                    ["AttributeName": "shelf#number", "KeyType": "RANGE"],
                ]))
        let join = try JSONReader.value(
            of: String(contentsOfFile: world.folder.file("out/tables/PostTags/table.json"), encoding: .utf8))
        #expect(join["GlobalSecondaryIndexes"]?.array?.count == 2)
        let csv = try String(contentsOfFile: world.folder.file("out/users/users.csv"), encoding: .utf8)
        #expect(csv.contains("\nann,,,,,,,,,,ann@example.com,TRUE,,,,,,FALSE,12 Any Street\\, Köln,,FALSE\n"), "\(csv)")
        #expect(!csv.contains("Google_1"))
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("out/.move-out")))
    }

    @Test("goes on with the same moment where it was stopped", arguments: [1, 2, 3, 4, 5, 6])
    func resumes(steps: Int) throws {
        let world = try filled(isSynced: false)
        let stopped = try out(world, stoppingAfter: steps)
        #expect(stopped.code == .failure, "\(stopped.all)")
        try world.folder.write(#"{"type":"Post","record":{"id":"later"}}"# + "\n", to: "later.jsonl")
        let resolution = try world.resolution()
        #expect(
            world.said { ImportCommand.run(resolution, from: world.folder.file("later.jsonl"), .init(), $0) }.code
                == .success)
        let said = try out(world)
        #expect(said.code == .success, "\(said.all)")
        #expect(said.output.contains("4 records and 2 users of "), "\(said.all)")
        #expect(try out(world).diagnostics.contains("is not empty: name a new folder"))
    }
}

/// Lets so many steps pass.
private final class Counter: @unchecked Sendable {
    // Safe to share: one command calls it, from its own thread.
    private var left: Int

    init(_ count: Int) { left = count }

    func step() -> Bool {
        left -= 1
        return left > 0
    }
}
