import Blueprint
import Foundation
import JSON
import TestSupport
import Testing

@testable import Store

/// Exports and imports, through files and back.
@Suite("A transfer")
struct TransferTests {
    static let schema = """
        enum Color { RED GREEN }
        type Part { n: Int! note: String }
        type Item @model { id: ID! s: String n: Int f: Float b: Boolean l: [String] color: Color meta: AWSJSON part: Part parts: [Part!] }
        type Stock @model @mapsTo(name: "Store") { shop: ID! @primaryKey(sortKeyFields: ["shelf", "number"]) shelf: String! number: Int! count: Int }
        """
    static let now = RecordImport.Moment(text: "2026-01-02T03:04:05.678Z", milliseconds: 1_767_323_045_678)

    private func export(_ store: Store, to path: String) throws -> String {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        _ = try RecordExport(path: store.path).run(to: file.fileDescriptor, name: path)
        try file.close()
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @discardableResult
    private func load(
        _ path: String, into store: Store, schema: String = schema, synced: Bool = false, isLenient: Bool = false,
        replaces: Bool = false
    ) throws -> RecordImport.Outcome {
        let options = RecordImport.Options(now: Self.now, isLenient: isLenient, replaces: replaces)
        return try RecordImport(into: store, of: blueprint(schema, synced: synced), options).run(file: path)
    }

    private func write(_ lines: [String], to path: String) throws {
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// A record whose fields are absent, null or random.
    private static func line(_ number: Int, isSynced: Bool, using random: inout SeededRandom) -> String {
        let texts = ["", "a", "é\u{0} \"q\"\n", "🌍", "1"]
        func text() -> JSONValue { .string(texts[Int.random(in: 0..<texts.count, using: &random)]) }
        var record = JSONObject([("id", .string("\(number)"))])
        for field in ["s", "n", "f", "b", "l", "color", "meta", "part", "parts"] {
            let kind = Int.random(in: 0..<4, using: &random)
            if kind == 0 { continue }
            let part: JSONValue = .object(JSONObject([("n", .integer(1)), ("note", text())]))
            let value: JSONValue =
                switch field {
                case "n": .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
                case "f": .double(Double.random(in: -1e9...1e9, using: &random))
                case "b": .bool(Bool.random(using: &random))
                case "l": .array([text(), .null, text()])
                case "color": .string("GREEN")
                case "meta":
                    [text(), .integer(7), .array([.null, part]), .largeInteger("123456789012345678901234567890")][
                        Int.random(in: 0..<4, using: &random)]
                case "part": part
                case "parts": .array([part, part])
                default: text()
                }
            record.set(field, to: kind == 1 ? .null : value)
        }
        if isSynced {
            record.set("_version", to: .integer(Int64(number)))
            if Bool.random(using: &random) { record.set("_deleted", to: .bool(true)) }
            record.set("_lastChangedAt", to: .integer(1_700_000_000_000 + Int64(number)))
        }
        record.set("createdAt", to: .string("2020-01-01T00:00:00.000Z"))
        record.set("updatedAt", to: .string("2020-01-01T00:00:00.000Z"))
        return JSONWriter.text(of: .object(JSONObject([("type", .string("Item")), ("record", .object(record))])))
    }

    @Test("brings every record back as it was: absent, null or any value", arguments: [false, true])
    func roundTrip(isSynced: Bool) async throws {
        var random = SeededRandom(test: "TransferTests")
        let folder = TestFolder()
        for round in 0..<Fuzz.rounds(ordinarily: 10) {
            let lines = (0..<Int.random(in: 0...60, using: &random)).map {
                Self.line($0, isSynced: isSynced, using: &random)
            }
            try write(lines, to: folder.path + "/in")
            let first = try Store.opened(Self.schema, synced: isSynced)
            let outcome = try load(folder.path + "/in", into: first, synced: isSynced, isLenient: round % 2 == 0)
            #expect(outcome.createdCount == lines.count)
            let one = try export(first, to: folder.path + "/one")
            let second = try Store.opened(Self.schema, synced: isSynced)
            try load(folder.path + "/one", into: second, synced: isSynced, isLenient: round % 2 == 1)
            #expect(try export(second, to: folder.path + "/two") == one)
            // Each line means what it meant, whatever the order of its fields.
            let exported = try one.split(separator: "\n").map { try JSONReader.value(of: String($0)) }
            #expect(try exported == lines.map { try JSONReader.value(of: $0) })
            try first.close()
            try second.close()
        }
    }

    @Test("tells an explicit null from nothing, as filters do")
    func nulls() throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema)
        try write(
            [
                #"{"type":"Item","record":{"id":"1","s":null,"n":null}}"#,
                #"{"type":"Item","record":{"id":"2","__typename":"Item"}}"#, "", "  ",
            ], to: folder.path + "/in")
        #expect(try load(folder.path + "/in", into: store).createdCount == 2)
        #expect(try store.ids("Item", where: .field("s", .equal(.null))) == ["1"])
        #expect(try store.ids("Item", where: .field("s", .exists(false))) == ["2"])
        #expect(try export(store, to: folder.path + "/out").contains(#""id":"1","s":null,"n":null,"#))
        try store.close()
    }

    @Test("fills in ids and times of records that have none, the same ids each time")
    func completes() throws {
        let folder = TestFolder()
        let lines = [#"{"type":"Item","record":{"s":"x"}}"#, #"{"type":"Item","record":{"s":"x"}}"#]
        try write(lines, to: folder.path + "/in")
        let store = try Store.opened(Self.schema, synced: true)
        #expect(try load(folder.path + "/in", into: store, synced: true).createdCount == 2)
        let again = try load(folder.path + "/in", into: store, synced: true)
        #expect(again.createdCount == 0 && again.presentCount == 2)
        let text = try export(store, to: folder.path + "/out")
        #expect(text.contains(#""createdAt":"2026-01-02T03:04:05.678Z","updatedAt":"2026-01-02T03:04:05.678Z""#))
        #expect(text.contains(#""_version":1,"_lastChangedAt":1767323045678"#) && !text.contains("_deleted"))
        try store.close()
    }

    @Test("leaves records that are there as they are, or replaces them where they stand")
    func presence() throws {
        let folder = TestFolder()
        let store = try Store.opened(Self.schema)
        func lines(_ count: Int) -> [String] {
            (1...3).map { #"{"type":"Stock","record":{"shop":"s","shelf":"a","number":\#($0),"count":\#(count)}}"# }
        }
        try write(lines(0), to: folder.path + "/in")
        #expect(try load(folder.path + "/in", into: store).createdCount == 3)
        let before = try export(store, to: folder.path + "/out")
        // An export knows the stored name only, and an import takes it.
        #expect(before.hasPrefix(#"{"type":"Store","record":{"#))
        #expect(try load(folder.path + "/out", into: store).presentCount == 3)
        try write(lines(2), to: folder.path + "/in")
        #expect(try load(folder.path + "/in", into: store).presentCount == 3)
        #expect(try export(store, to: folder.path + "/out") == before)
        #expect(try load(folder.path + "/in", into: store, replaces: true).createdCount == 3)
        #expect(
            try export(store, to: folder.path + "/out")
                == before.replacing(#""count":0"#, with: #""count":2"#))
        try store.close()
    }

    static let refusals: [(line: String, message: String)] = [
        (#"{"type":"Itm","record":{}}"#, #"there is no model "Itm". Did you mean "Item"?"#),
        (
            #"{"type":"Item","record":{"id":"1","colour":"RED"}}"#,
            #"Item has no field "colour" that is stored. Did you mean "color"?"#
        ),
        (#"{"type":"Item","record":{"id":null}}"#, "Item.id: a value is required, it is a part of the key"),
        (
            #"{"type":"Stock","record":{"shop":"s","shelf":"a"}}"#,
            "Stock.number: a value is required, it is a part of the key"
        ),
        (#"{"type":"Item","record":{"n":1.5}}"#, "Item.n: Expected type 'Int' but was 'Double'."),
        (
            #"{"type":"Item","record":{"color":"REDD"}}"#,
            #"Item.color: "REDD" is no value of the enum Color. Did you mean "RED"?"#
        ),
        (#"{"type":"Item","record":{"l":"x"}}"#, "Item.l: expected a list, found a string"),
        (#"{"type":"Item","record":{"parts":[{"n":1},null]}}"#, "Item.parts[1]: a value is required, found null"),
        (
            #"{"type":"Item","record":{"parts":[{"n":1},{"nn":1}]}}"#,
            #"Item.parts[1]: Part has no field "nn". Did you mean "n"?"#
        ),
        (#"{"type":"Item","record":{"part":{"note":"x"}}}"#, "Item.part.n: a value is required, found none"),
        (
            #"{"type":"Item","record":{"createdAt":"soon"}}"#,
            "Item.createdAt: Unable to parse `soon` as a valid DateTime Object."
        ),
        (#"{"type":"Item","record":{"createdAt":null}}"#, "Item.createdAt: a value is required, found null"),
        (#"{"type":"Item"}"#, #"expected {"type": "MODEL", "record": {…}}, found an object with type in it"#),
        (#"[]"#, #"expected {"type": "MODEL", "record": {…}}, found an array"#),
        (#"{"type":"Item","record":{},"more":1}"#, #"expected "type" and "record", found "more" too"#),
        (#"{"type":"Item","#, "column 16: expected a key in double quotes, found the end of the text"),
        (
            #"{"type":"Item","record":{"meta":\#(String(repeating: "[", count: 600))"#,
            "column 543: expected at most 512 levels of arrays and objects, found one more"
        ),
    ]

    @Test("refuses what the schema does not have, with the line, the place and what may be meant", arguments: refusals)
    func refuses(line: String, message: String) throws {
        let folder = TestFolder()
        let path = folder.path + "/in"
        try write([#"{"type":"Item","record":{"id":"before"}}"#, line, #"{"type":"Item","record":{}}"#], to: path)
        let store = try Store.opened(Self.schema)
        #expect(throws: TransferError.line(2, file: path, message)) { try load(path, into: store) }
        #expect(try store.ids("Item", where: .always) == ["before"])
        // When the line is right, the file is read from its start, and nothing is there twice.
        try write(
            [#"{"type":"Item","record":{"id":"before"}}"#, #"{"type":"Item","record":{"id":"after"}}"#], to: path)
        let outcome = try load(path, into: store)
        #expect(outcome == RecordImport.Outcome(createdCount: 1, presentCount: 1, resumedLineCount: 0))
        try store.close()
    }

    @Test("takes what an earlier schema allowed, where that is asked for, and never what a column cannot hold")
    func lenient() throws {
        let folder = TestFolder()
        let path = folder.path + "/in"
        let store = try Store.opened(Self.schema)
        try write([#"{"type":"Item","record":{"id":"1","color":"BLUE","part":{"old":1},"createdAt":null}}"#], to: path)
        try load(path, into: store, isLenient: true)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try export(store, to: folder.path + "/out") == text)
        try write([#"{"type":"Item","record":{"id":"2","n":"x"}}"#], to: path)
        #expect(throws: TransferError.line(1, file: path, "Item.n: expected an integer, found a string")) {
            try load(path, into: store, isLenient: true)
        }
        try store.close()
    }

    @Test("of a line beyond the limit is refused before it fills the memory")
    func longLine() throws {
        let folder = TestFolder()
        let path = folder.path + "/in"
        let store = try Store.opened(Self.schema)
        try TestFile.write(0x20, count: StoreLimits.importLineBytesMax + (1 << 20), to: path)
        #expect(
            throws: TransferError.line(1, file: path, "a line has more than \(StoreLimits.importLineBytesMax) bytes")
        ) { try load(path, into: store) }
        try store.close()
    }

    @Test("that was interrupted goes on behind what was kept, if the file is the same")
    func resumes() throws {
        let folder = TestFolder()
        let path = folder.path + "/in"
        let count = StoreLimits.importBatchRecords * 3 + 5
        let lines = (1...count).map { #"{"type":"Item","record":{"id":"\#($0)"}}"# }
        try write(lines, to: path)
        let store = try Store.opened(Self.schema)
        let load = RecordImport(into: store, of: try blueprint(Self.schema), .init(now: Self.now))
        // What a process leaves that ends in the middle: some batches, and how far they are.
        let kept = StoreLimits.importBatchRecords
        try write(Array(lines[..<kept]), to: folder.path + "/part")
        #expect(try load.run(file: folder.path + "/part").createdCount == kept)
        var progress = ImportProgress(of: FileIdentity(path), isSeed: false)
        progress.lineCount = kept
        progress.offset = lines[..<kept].reduce(0) { $0 + $1.utf8.count + 1 }
        progress.createdCount = kept
        let left = progress
        let done = DispatchSemaphore(value: 0)
        store.writer.submit(turn: .all, key: nil, { session in try session.note(left) }, answer: { _ in done.signal() })
        done.wait()
        #expect(try load.unfinished() == left)
        var reported: [RecordImport.Progress] = []
        let outcome = try load.run(file: path) { reported.append($0) }
        #expect(outcome == RecordImport.Outcome(createdCount: count, presentCount: 0, resumedLineCount: kept))
        #expect(try export(store, to: folder.path + "/out").split(separator: "\n").count == count)
        #expect(reported.last?.lineCount == count && reported.last?.bytes == reported.last?.bytesMax)
        #expect(try load.unfinished() == nil)
        // Another file starts at its beginning.
        store.writer.submit(turn: .all, key: nil, { session in try session.note(left) }, answer: { _ in done.signal() })
        done.wait()
        try write(lines + [#"{"type":"Item","record":{"id":"more"}}"#], to: path)
        let again = try load.run(file: path)
        #expect(again == RecordImport.Outcome(createdCount: 1, presentCount: count, resumedLineCount: 0))
        try store.close()
    }

    @Test("fills a database without records once, and finishes what was interrupted")
    func seed() throws {
        let folder = TestFolder()
        let path = folder.path + "/seed"
        let store = try Store.opened(Self.schema)
        let blueprint = try blueprint(Self.schema)
        let options = RecordImport.Options(now: Self.now)
        try write([#"{"type":"Item","record":{"id":"1"}}"#, "oops"], to: path)
        #expect(throws: TransferError.self) { try Seed.load(path, into: store, of: blueprint, options) }
        try write([#"{"type":"Item","record":{"id":"1"}}"#, #"{"type":"Item","record":{"id":"2"}}"#], to: path)
        #expect(
            try Seed.load(path, into: store, of: blueprint, options)
                == .loaded(RecordImport.Outcome(createdCount: 1, presentCount: 1, resumedLineCount: 0)))
        #expect(try Seed.load(path, into: store, of: blueprint, options) == .skipped(model: "Item"))
        try store.close()
    }
}
