import Foundation
import JSON
import Store
import TestSupport
import Testing

@testable import Server

@Suite("homeport move-in")
struct MoveInTests {
    static let first =
        #"{"Item":{"id":{"S":"t1"},"__typename":{"S":"Todo"},"name":{"S":"Milk, 2 l"},"done":{"BOOL":false},"rank":{"N":"600"},"#
        + #""share":{"N":"0.1"},"tags":{"L":[{"S":"a"},{"NULL":true}]},"meta":{"M":{"x":{"N":"1.5"}}},"#
        + #""place":{"M":{"city":{"S":"Köln"}}},"note":{"NULL":true},"owner":{"S":"11111111-2222-4333-8444-555555555555::ann"},"#
        + #""createdAt":{"S":"2026-01-02T03:04:05.678Z"},"updatedAt":{"S":"2026-01-02T03:04:05.678Z"}}}"#

    static func item(_ id: String, _ more: String = "") -> String {
        #"{"Item":{"id":{"S":"\#(id)"},"__typename":{"S":"Todo"}\#(more)}}"#
    }

    @Test("brings the items of an export as records of their models, each value as it was")
    func brings() throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[], [Self.first, Self.item("t2", #","tags":{"SS":["b","a"]},"rank":{"N":"-7"}"#)]])
            .write(to: world.folder)
        try ExportedTable(
            "Stock",
            [
                [
                    #"{"Item":{"shop":{"S":"s"},"shelf":{"S":"a"},"number":{"N":"2"},"shelf#number":{"S":"a#2"},"count":{"N":"1"}}}"#
                ]
            ]
        ).write(to: world.folder)
        try ExportedTable("PostTags", [[#"{"Item":{"id":{"S":"1"},"postId":{"S":"p"},"tagId":{"S":"t"}}}"#]])
            .write(to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .success, "\(said.all)")
        let records = try world.records()
        #expect(
            records.contains(
                #"{"type":"Todo","record":{"id":"t1","name":"Milk, 2 l","done":false,"rank":600,"share":0.1,"tags":["a",null],"#
                    + #""meta":{"x":1.5},"place":{"city":"Köln"},"note":null,"#
                    + #""owner":"11111111-2222-4333-8444-555555555555::ann","createdAt":"2026-01-02T03:04:05.678Z","#
                    + #""updatedAt":"2026-01-02T03:04:05.678Z"}}"#), "\(records)")
        #expect(records.contains(#"{"type":"Todo","record":{"id":"t2","rank":-7,"tags":["a","b"]}}"#), "\(records)")
        #expect(records.contains { $0.contains(#""shop":"s","shelf":"a","number":2,"count":1"#) }, "\(records)")
        #expect(records.contains { $0.hasPrefix(#"{"type":"PostTags""#) }, "\(records)")
        #expect(said.output.contains("Todo      2 of 2 came"), "\(said.output)")
        // Again: everything is there, and nothing is read twice.
        let again = try world.moveIn()
        #expect(again.code == .success, "\(again.all)")
        #expect(try world.records() == records)
    }

    @Test("keeps versions and deleted records, and clients of yesterday go on with a delta")
    func versions() throws {
        let world = try MoveWorld(isSynced: true)
        let now = Timestamp.now.millisecondsSince1970
        let old = Self.item("old", #","_version":{"N":"2"},"_lastChangedAt":{"N":"1767398400000"}"#)
        let late = Self.item("late", #","_version":{"N":"7"},"_lastChangedAt":{"N":"\#(now - 60_000)"}"#)
        let dead = Self.item(
            "dead",
            #","_version":{"N":"3"},"_lastChangedAt":{"N":"\#(now - 120_000)"},"_deleted":{"BOOL":true},"_ttl":{"N":"1769990400"}"#
        )
        var table = ExportedTable("Todo", [[late, old, dead]])
        table.time = Timestamp.now.text
        try table.write(to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .success, "\(said.all)")
        let records = try world.records()
        #expect(records.count == 3)
        #expect(
            records.contains(
                #"{"type":"Todo","record":{"id":"dead","_version":3,"_deleted":true,"_lastChangedAt":\#(now - 120_000)}}"#
            ),
            "\(records)")
        // The log has the changes of the last half hour, in their order.
        let reader = try Reader.beside(world.folder.file("data/data.sqlite"))
        var logged: [String] = []
        try reader.rows(
            RoomStatement(#"SELECT id, "changed at" FROM "_homeport_changes_Todo" ORDER BY _homeport_row"#), []
        ) {
            row throws(StoreError) in
            logged.append("\(row.text(0)) \(row.integer(1) - now)")
            return true
        }
        #expect(logged == ["dead -120000", "late -60000"])
        var since: Int64 = 0
        try reader.rows(
            RoomStatement("SELECT since FROM _homeport_changes WHERE name = '_homeport_changes_Todo'"), []
        ) { row throws(StoreError) in
            since = row.integer(0)
            return true
        }
        #expect(since > now - 31 * 60_000 && since < now)
    }

    static let misfits: [(line: String, reason: String)] = [
        (item("x", #","rank":{"S":"much"}"#), "The field rank of the model Todo does not hold values of the type S"),
        (item("x", #","place":{"B":"AAEC"}"#), "The field place of the model Todo does not hold values of the type B"),
        (#"{"Item":{"__typename":{"S":"Todo"}}}"#, "it has no id, which is a part of the key of Todo"),
        (
            #"{"Item":{"id":{"S":"x"},"__typename":{"S":"Post"}}}"#,
            #"its __typename is {"S":"Post"}, and the model is Todo"#
        ),
        (#"{"Item":{"id":{"S":"x"}"#, "expected a comma or }, found the end of the text"),
        (#"{"id":"x"}"#, #"expected {"Item": {…}}, or Keys and images, found id"#),
        (#"{"Item":{"id":{"Q":"x"}}}"#, "Item: Supplied AttributeValue is empty"),
        (
            item("x", #","name":{"S":"\#(String(repeating: "a", count: 410_000))"}"#),
            "bytes, and an item at most 409600"
        ),
        (
            item("x", #","_deleted":{"BOOL":true},"_version":{"N":"2"}"#),
            "DataStore has deleted it, and Todo keeps no versions"
        ),
        (
            #"{"Item":{"ds_pk":{"S":"TodoTable:2026-01-14"},"ds_sk":{"S":"10:18:50.622:t1:3"},"id":{"S":"t1"}}}"#,
            "it is a change in DataStore's log, and no record"
        ),
    ]

    @Test("lists what does not fit with its place and the reason, and brings the others", arguments: misfits)
    func lists(line: String, reason: String) throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[Self.item("a"), line, Self.item("b")]]).write(to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .failure)
        #expect(said.diagnostics.contains(".json.gz:2: "), "\(said.all)")
        #expect(said.diagnostics.contains(reason), "\(said.all)")
        #expect(said.output.contains("2 of 3 came, 1 did not come"), "\(said.all)")
        #expect(try world.records().count == 2)
    }

    @Test("names the first entries that do not fit on the terminal, and all of them in a file")
    func longList() throws {
        let world = try MoveWorld()
        let count = FaultList.shownMax + 10
        let wrong = (0..<count).map { Self.item("x\($0)", #","rank":{"S":"much"}"#) }
        try ExportedTable("Todo", [wrong]).write(to: world.folder)
        let said = try world.moveIn()
        let path = world.folder.file("data/\(FaultList.fileName)")
        #expect(said.diagnostics.contains("… and 10 more, all of which are in \(path)"), "\(said.all)")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == count && lines.allSatisfy { $0.contains("The field rank of the model Todo") })
        let dry = try world.moveIn(data: "other") { $0.isDry = true }
        #expect(dry.diagnostics.split(separator: "\n").count { $0.contains("The field rank") } == count)
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("other")))
    }

    @Test("counts attributes that the schema has no field for")
    func unknownAttributes() throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[Self.item("a", #","old":{"S":"x"}"#), Self.item("b", #","old":{"S":"y"}"#)]])
            .write(to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .success)
        #expect(said.diagnostics.contains("Todo.old: the schema has no such field; 2 values left out"), "\(said.all)")
    }

    @Test("counts records that a newer schema wants more of, and brings them")
    func newerSchema() throws {
        let world = try MoveWorld(
            schema: "type Todo @model { id: ID! name: String! added: Int! place: Place } type Place { city: String! }")
        try ExportedTable(
            "Todo", [[Self.item("a", #","name":{"S":"x"}"#), Self.item("b", #","place":{"M":{}}"#), Self.item("c")]]
        ).write(to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .success, "\(said.all)")
        #expect(
            said.diagnostics.contains("Todo.added: the schema requires it, and 3 records came without"), "\(said.all)")
        #expect(
            said.diagnostics.contains("Todo.name: the schema requires it, and 2 records came without"), "\(said.all)")
        #expect(try world.records().count == 3)
    }

    static let missing: [(change: @Sendable (inout MoveInCommand.Wish) -> Void, path: String)] = [
        ({ $0.tables = ["/nowhere/t"] }, "/nowhere/t"), ({ $0.since = ["/nowhere/s"] }, "/nowhere/s"),
        ({ $0.users = ["/nowhere/u"] }, "/nowhere/u"), ({ $0.pool = ["/nowhere/p"] }, "/nowhere/p"),
        ({ $0.identities = ["/nowhere/i"] }, "/nowhere/i"), ({ $0.files = ["/nowhere/f"] }, "/nowhere/f"),
    ]

    @Test("names what cannot be read, before anything is written", arguments: missing)
    func unreadable(change: @Sendable (inout MoveInCommand.Wish) -> Void, path: String) throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[Self.first]]).write(to: world.folder)
        let said = try world.moveIn(change)
        #expect(said.code == .unreadableInput, "\(said.all)")
        #expect(said.diagnostics.contains("homeport: \(path): it "), "\(said.all)")
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("data")))
    }

    @Test("reads pages of a scan, by the name of the table in the path, the type or the keys")
    func scans() throws {
        let world = try MoveWorld()
        let page =
            #"{"Items": [ {"id": {"S": "t1"}, "name": {"S": "a"}} ], "Count": 1, "ScannedCount": 1, "LastEvaluatedKey": {"id": {"S": "t1"}}}"#
        try world.folder.write(page, to: "exports/\(ExportedTable("Todo", []).name).json")
        try world.folder.write(
            #"{"Items":[{"id":{"S":"t2"},"__typename":{"S":"Todo"}},{"shop":{"S":"s"},"shelf":{"S":"a"},"number":{"N":"1"}}]}"#,
            to: "exports/scan.json")
        let said = try world.moveIn()
        #expect(said.code == .success, "\(said.all)")
        #expect(try world.records().count == 3)
        #expect(said.diagnostics.contains("the last page says that more follow"), "\(said.all)")
    }

    @Test("writes nothing in a dry run, and says the same")
    func dryRun() throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[Self.first, Self.item("x", #","rank":{"S":"much"}"#)]]).write(to: world.folder)
        let dry = try world.moveIn { $0.isDry = true }
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("data")))
        #expect(dry.code == .failure)
        let wet = try world.moveIn()
        #expect(dry.output == wet.output)
        #expect(
            dry.diagnostics.replacingOccurrences(of: "Nothing was written: this was a dry run.\n", with: "")
                == wet.diagnostics)
    }

    @Test("goes on where it was stopped, and nothing is lost or comes twice", arguments: [1, 2, 3, 4, 5])
    func resumes(batches: Int) throws {
        let world = try MoveWorld()
        let lines = (0..<5_000).map {
            Self.item("t\($0)", $0 == 2_500 ? #","rank":{"S":"much"}"# : #","old":{"N":"1"}"#)
        }
        try ExportedTable("Todo", [Array(lines[..<4_500]), Array(lines[4_500...])]).write(to: world.folder)
        let stopped = try world.moveIn(stoppingAfter: batches)
        #expect(stopped.code == .failure)
        let said = try world.moveIn()
        #expect(said.output.contains("Todo  4,999 of 5,000 came, 1 did not come"), "\(said.all)")
        #expect(said.diagnostics.contains("4,999 values left out"), "\(said.all)")
        #expect(try world.records().count == 4_999)
    }

    // MARK: Bad folders

    @Test("refuses an export that is not as its manifest says, before anything is written")
    func damaged() throws {
        let manifests: [(file: String, bytes: (([UInt8]) -> [UInt8])?, message: String)] = [
            ("manifest-summary.json", { $0 + [0x20] }, "its checksum is not the one in"),
            ("manifest-files.json", { _ in [] }, "its checksum is not the one in"),
            ("data/*", { Array($0.dropLast(9)) }, "its MD5 is "),
            ("data/*", nil, "is not there: sync all of the export's folder"),
        ]
        for (file, change, message) in manifests {
            let world = try MoveWorld()
            let path = try ExportedTable("Todo", [[Self.first]]).write(to: world.folder)
            var target = "\(path)/\(file)"
            if file.hasSuffix("*") {
                target = "\(path)/data/\(try FileManager.default.contentsOfDirectory(atPath: "\(path)/data")[0])"
            }
            if let change {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
                try ExportedTable.put(change(bytes), to: target)
            } else {
                try FileManager.default.removeItem(atPath: target)
            }
            let said = try world.moveIn()
            #expect(said.code == .unreadableInput, "\(said.all)")
            #expect(said.diagnostics.contains(message), "\(said.all)")
            #expect(!FileManager.default.fileExists(atPath: world.folder.file("data")))
        }
    }

    @Test("keeps what came before a gzip is cut off, says so, and goes on with the other files")
    func truncated() throws {
        let world = try MoveWorld()
        let lines = (0..<20_000).map { Self.item("t\($0 &* 7_919 % 20_000)") + "\n" }.joined()
        try ExportedTable.put(
            Array(try ExportedTable.gzip(lines).dropLast(100)),
            to: world.folder.file("exports/\(ExportedTable("Todo", []).name).jsonl.gz"))
        try ExportedTable("Stock", [[#"{"Item":{"shop":{"S":"s"},"shelf":{"S":"a"},"number":{"N":"2"}}}"#]]).write(
            to: world.folder)
        let said = try world.moveIn()
        #expect(said.code == .failure, "\(said.all)")
        #expect(said.diagnostics.contains("the gzip is cut off after"), "\(said.all)")
        #expect(said.output.contains("Stock  1 of 1 came"), "\(said.all)")
        #expect(try world.records().count > 10_000)
    }

    @Test("refuses two tables of one model, and names a table without a model")
    func tables() throws {
        let world = try MoveWorld()
        try ExportedTable("Todo", [[Self.first]]).write(to: world.folder)
        var other = ExportedTable("Todo", [[Self.first], []])
        other.name = "Todo-\(ExportedTable.apiID)-prod"
        try other.write(to: world.folder, below: "exports/two")
        let twice = try world.moveIn()
        #expect(twice.code == .failure)
        #expect(twice.diagnostics.contains("two tables are of the model Todo"), "\(twice.all)")
        let unknown = try MoveWorld()
        try ExportedTable("Gone", [[Self.first]]).write(to: unknown.folder)
        try ExportedTable("AmplifyDataStore", [[Self.first]]).write(to: unknown.folder)
        let said = try unknown.moveIn()
        #expect(said.code == .failure)
        #expect(
            said.diagnostics.contains("Gone-\(ExportedTable.apiID)-dev: the schema has no model of this table"),
            "\(said.all)")
        #expect(said.diagnostics.contains("DataStore's log of changes"), "\(said.all)")
    }

    @Test("refuses a folder without exports, one that cannot be read, and records that no move has brought")
    func refusals() throws {
        let world = try MoveWorld()
        try world.folder.write("x", to: "exports/readme.txt")
        #expect(try world.moveIn().diagnostics.contains("there is no export and no page of a scan in it"))
        #expect(try world.moveIn { $0.tables = ["/nowhere"] }.diagnostics.contains("/nowhere: it cannot be read"))
        #expect(try world.moveIn { $0.tables = [] }.code == .usage)
        try ExportedTable("Todo", [[Self.first]]).write(to: world.folder)
        try world.folder.write(#"{"type":"Todo","record":{"id":"own"}}"# + "\n", to: "own.jsonl")
        let resolution = try world.resolution()
        #expect(
            world.said { ImportCommand.run(resolution, from: world.folder.file("own.jsonl"), .init(), $0) }.code
                == .success)
        let said = try world.moveIn()
        #expect(said.diagnostics.contains("there are records of Todo already"), "\(said.all)")
    }
}
