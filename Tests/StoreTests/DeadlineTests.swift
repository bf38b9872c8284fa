import Dispatch
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Store

@Suite("The time of a statement")
struct DeadlineTests {
    static let schema = """
        type Note @model @searchable { id: ID! text: String meta: AWSJSON tags: [String] }
        """
    static let long = String(repeating: "a", count: 100_000)

    /// A store with one record whose values are long.
    private func store() async throws -> Store {
        let store = try Store.opened(Self.schema)
        try await store.create(
            "Note", ["id": "1", "text": .text(Self.long), "meta": .text("\"\(Self.long)\""), "tags": #"["a"]"#])
        return store
    }

    static let endless: [(field: String, condition: Predicate.Condition)] = [
        ("text", .contains(.text(String(repeating: "a", count: 50_000) + "b"))),
        ("text", .notContains(.text("ab"))),
        ("meta", .contains(.text("ab"))),
        ("text", .search(.regexp("(a*){40}b"))),
        ("text", .search(.wildcard("*a*a*a*b"))),
    ]

    @Test("ends it within a single call of a function, too", arguments: endless.indices)
    func functions(index: Int) async throws {
        let (field, condition) = Self.endless[index]
        let store = try await store()
        let reader = try store.reader()
        let table = try store.table("Note")
        let filter = Predicate.field(field, condition)
        // One record is less work for SQLite's machine than it does between two looks at the time.
        reader.deadline = 0
        #expect { try reader.count(of: table, where: filter) } throws: {
            ($0 as? StoreError)?.kind == .interrupted
        }
        // The next statement has its own time. Without one, some of these take minutes.
        reader.deadline = Timestamp.monotonicMilliseconds + 100
        _ = try? reader.count(of: table, where: filter)
        reader.deadline = .max
        #expect(try reader.count(of: table, where: .field("id", .equal(.value("1")))) == 1)
        try store.close()
    }

    @Test("is over for a mutation's condition, and for the words of its texts, without harm to the others of its group")
    func mutations() async throws {
        let store = try await store()
        let table = try store.table("Note")
        let text = RecordChange.Assignment("text", .text(Self.long))
        let changes = [
            RecordChange.update(
                in: table, key: ["1"], [.init("tags", "[]")], if: .field("text", .contains("ab")), returning: []),
            RecordChange.create(in: table, [.init("id", "2"), text], returning: []),
        ]
        for change in changes {
            let before = try store.ids("Note", where: .always)
            let failure = Mutex<StoreError?>(nil)
            let done = DispatchSemaphore(value: 0)
            store.writer.submit(
                turn: .all, key: nil, isRepeatable: true,
                { session in
                    let change = RecordChange.create(
                        in: table, [.init("id", .text("\(before.count)-a"))], returning: [])
                    _ = try session.apply(change) { _ throws(StoreError) in }
                }
            ) { _ in done.signal() }
            store.writer.submit(
                turn: .all, key: nil, isRepeatable: true,
                { session in
                    session.deadline = 0
                    defer { session.deadline = .max }
                    _ = try session.apply(change) { _ throws(StoreError) in }
                }
            ) { result in
                if case .failure(let error) = result { failure.withLock { $0 = error as? StoreError } }
                done.signal()
            }
            try await BlockingThread.run { for _ in 0..<2 { done.wait() } }
            #expect(failure.withLock { $0?.kind } == .interrupted)
            #expect(try store.ids("Note", where: .always) == before + ["\(before.count)-a"])
        }
        #expect(try store.ids("Note", where: .field("tags", .contains("a"))) == ["1"])
        try store.close()
    }

    @Test("has one number of steps for the patterns of all texts, and each statement has its own")
    func patternSteps() async throws {
        let store = try Store.opened(Self.schema)
        for number in 1...10 {
            try await store.create(
                "Note", ["id": .text("\(number)"), "text": .text(String(repeating: "a", count: 1_000))])
        }
        let reader = try store.reader()
        let table = try store.table("Note")
        let filter = Predicate.field("text", .search(.wildcard("*b")))
        #expect(try reader.count(of: table, where: filter) == 0)
        // Enough for some of the texts.
        reader.connection.deadline.patternStepsMax = 20_000
        #expect { try reader.count(of: table, where: filter) } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.kind == .tooLarge && error.message.contains("its patterns take more than 20000 steps")
        }
        // Enough for all of them once.
        reader.connection.deadline.patternStepsMax = 100_000
        let few = Predicate.all([.field("id", .isOneOf(["1", "2"])), filter])
        for _ in 0..<20 { #expect(try reader.count(of: table, where: few) == 0) }
        // Within the rows of another statement it takes nothing from that.
        let query = ListQuery(table, fields: ["id"], filter: few, limit: 10)
        _ = try reader.list(query) { _ throws(StoreError) in
            for _ in 0..<20 { _ = try reader.count(of: table, where: few) }
        }
        try store.close()
    }

    @Test("holds the values of a filter to a number of bytes, however often a variable is one of them")
    func values() async throws {
        let store = try await store()
        let text = String(repeating: "b", count: 1 << 20)
        let count = StoreLimits.filterValueBytesMax / text.utf8.count
        let one = Predicate.field("text", .contains(.text(text)))
        #expect(try store.ids("Note", where: .any(Array(repeating: one, count: count))) == [])
        #expect {
            try store.ids("Note", where: .any(Array(repeating: one, count: count + 1)))
        } throws: {
            ($0 as? StoreError)?.message == "the values of a filter have more than 4194304 bytes together"
        }
        try store.close()
    }
}

@Suite("A text that is looked for")
struct TextNeedleTests {
    private func isPart(_ needle: [UInt8], of text: [UInt8], steps: inout Int) -> Bool? {
        var count = 0
        defer { steps = count }
        return needle.withUnsafeBytes { needle in
            guard let needle = TextNeedle(needle, allows: { _ in true }) else { return nil }
            return text.withUnsafeBytes { text in
                needle.isPart(of: text) {
                    count += $0
                    return true
                }
            }
        }
    }

    @Test("is found where it is, and nowhere else")
    func finds() {
        var random = SeededRandom(test: "TextNeedleTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 5_000) {
            let letters = UInt8.random(in: 1...3, using: &random)
            func bytes(_ count: Int) -> [UInt8] {
                (0..<count).map { _ in UInt8.random(in: 0..<letters, using: &random) }
            }
            let needle = bytes(Int.random(in: 0...8, using: &random))
            let text = bytes(Int.random(in: 0...24, using: &random))
            var steps = 0
            let expected = needle.isEmpty || text.indices.contains { text[$0...].starts(with: needle) }
            #expect(isPart(needle, of: text, steps: &steps) == expected, "\(needle) in \(text)")
        }
    }

    @Test("is found where it begins in one piece of the text and ends in another")
    func pieces() {
        for place in [0, 65_535, 65_536, 131_000, 199_998] {
            var text = [UInt8](repeating: 0, count: 200_000)
            text[place] = 1
            text[place + 1] = 2
            var steps = 0
            #expect(isPart([1, 2], of: text, steps: &steps) == true)
            #expect(isPart([1, 2, 3], of: text, steps: &steps) == false)
        }
    }

    @Test("is prepared no further than it is allowed, however long it is")
    func preparation() {
        let long = [UInt8](repeating: 97, count: 1 << 20)
        for allowed in [0, 1, 5] {
            var steps = 0
            let needle = long.withUnsafeBytes { needle in
                TextNeedle(needle) { count in
                    steps += count
                    return steps <= allowed * 65_536
                }
            }
            #expect(needle == nil)
            #expect(steps == (allowed + 1) * 65_536)
        }
    }

    @Test("is looked for in a time that is the sum of both lengths, and no further than it is allowed")
    func linear() {
        let text = [UInt8](repeating: 97, count: 2 << 20)
        for length in [1, 2, 100, 300, 1 << 20] {
            var steps = 0
            let needle = [UInt8](repeating: 97, count: length) + [98]
            #expect(isPart(needle, of: text, steps: &steps) == false)
            #expect(steps <= text.count + 65_536)
        }
        let ended = [UInt8]("ab".utf8).withUnsafeBytes { needle in
            let needle = TextNeedle(needle, allows: { _ in true })
            return text.withUnsafeBytes { text in needle?.isPart(of: text) { _ in false } }
        }
        #expect(ended == nil)
    }
}
