import Access
import Engine
import GraphQL
import JSON
import Store
import Synchronization
import TestSupport
import Testing

@testable import Realtime

/// Nothing of a record reaches somebody who may not read it: neither in data nor in an error nor in an event.
@Suite("Nothing leaks, at random")
struct LeakFuzzTests {
    static func library(
        at location: Store.Location = .memory, hasRelations: Bool = true, using random: inout SeededRandom
    ) async throws -> LeakLibrary {
        while true {
            var schema = LeakSchema.random(using: &random)
            schema.hasRelations = hasRelations
            guard let library = try LeakLibrary(schema, LeakLibrary.settings(using: &random), at: location) else {
                continue
            }
            try await library.makeRecords(using: &random)
            return library
        }
    }

    @Test("into responses, whoever asks for whatever")
    func responses() async throws {
        var random = SeededRandom(test: "LeakFuzzTests")
        var seen = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 4) {
            let library = try await Self.library(using: &random)
            var asked: [(LeakQuestion, [UInt8])] = []
            for _ in 0..<40 {
                let question = LeakQuestion.random(library, using: &random)
                let caller = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
                let engine = library.engines[Int.random(in: 0..<2, using: &random)]
                let bytes = await library.answer(question, caller, on: engine)
                seen += Self.check(bytes, question, caller, library)
                library.apply(question, bytes)
                asked.append((question, bytes))
                // Somebody else goes on with the token.
                if let next = question.goingOn(with: bytes) {
                    let other = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
                    seen += Self.check(await library.answer(next, other, on: engine), next, other, library)
                }
            }
        }
        #expect(seen > 0)
    }

    /// Says what a caller found and must not have; answers how much they found at all.
    static func check(
        _ bytes: [UInt8], _ question: LeakQuestion, _ caller: LeakCaller, _ library: LeakLibrary
    ) -> Int {
        let found = Set(LeakMark.all(in: bytes))
        let leaked = found.subtracting(library.visible(to: caller, in: question))
        #expect(
            leaked.isEmpty,
            """
            \(caller.name) sees \(leaked.sorted()) of \(library.records.filter { record in record.values.keys.contains { !leaked.isDisjoint(with: record.marks($0)) } })
            \(question.text)
            \(String(decoding: bytes, as: UTF8.self))
            \(library.schema.text)
            """)
        return found.count
    }

    @Test("into which records come back: what a caller may not read could be anything, and nothing would be another")
    func choices() async throws {
        var random = SeededRandom(test: "LeakFuzzTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 4) {
            let library = try await Self.library(using: &random)
            let caller = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
            let twin = try await library.twin(hidingFrom: caller)
            for _ in 0..<40 {
                let question = LeakQuestion.random(library, using: &random)
                guard !question.isMutation else { continue }
                let place = Int.random(in: 0..<2, using: &random)
                let answer = await library.answer(question, caller, on: library.engines[place])
                let other = await twin.answer(question, caller, on: twin.engines[place])
                #expect(
                    Self.masked(answer) == Self.masked(other),
                    "\(caller.name) can tell what is hidden\n\(question.text)\n\(library.schema.text)")
            }
        }
    }

    /// Without what differs from run to run.
    private static func masked(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing(#/"nextToken":"[^"]+"/#, with: "\"nextToken\":\"…\"")
            .replacing(#/Request ID: [0-9A-Z]{52}/#, with: "Request ID: …")
    }

    @Test("and what may be read is there, whole")
    func completeness() async throws {
        var random = SeededRandom(test: "LeakFuzzTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 4) {
            // With relations AppSync shuts some modes out of the connections that these lead to.
            let library = try await Self.library(hasRelations: false, using: &random)
            for model in library.schema.models {
                for caller in LeakCaller.all {
                    await checkList(model, caller, library)
                    for record in library.records where record.model == model.name {
                        await checkGet(model, record, caller, library)
                    }
                }
            }
        }
    }

    private static let leaves = "id s0 s1 s2 many packed crate { c0 c1 } crates { c0 c1 }"

    private func checkGet(
        _ model: LeakSchema.Model, _ record: LeakRecord, _ caller: LeakCaller, _ library: LeakLibrary
    ) async {
        let question = LeakQuestion(
            query: "{ get\(model.name)(id: \"\(record.id)\") { \(Self.leaves) } }", model: model.name,
            operation: "get", reached: [])
        let response = try? JSONReader.value(of: await library.answer(question, caller, on: library.engines[0]))
        let isSeen = model.allows(["get"], caller, record)
        let data = response?["data"]?["get\(model.name)"]?.object
        #expect(
            (data != nil) == isSeen,
            "\(caller.name) gets \(record): \(String(describing: response))\n\(library.schema.text)")
        guard let data else { return }
        checkFields(data, record, model, caller, library)
    }

    private func checkFields(
        _ data: JSONObject, _ record: LeakRecord, _ model: LeakSchema.Model, _ caller: LeakCaller,
        _ library: LeakLibrary
    ) {
        let shown = LeakLibrary.input(record)
        for member in data {
            let isRead = model.mayRead(member.key, caller, record)
            let value = shown[member.key] ?? .null
            let opened = library.schema.opensCrates(caller) ? value : Self.withoutGuardedParts(value)
            #expect(
                member.value == (isRead ? opened : .null),
                "\(caller.name) reads \(member.key) of \(record)\n\(library.schema.text)")
        }
    }

    /// Crates as those see them who may not open them.
    private static func withoutGuardedParts(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(withoutGuardedParts))
        case .object(let object) where object["c1"] != nil: ["c0": object["c0"] ?? .null, "c1": .null]
        default: value
        }
    }

    private func checkList(_ model: LeakSchema.Model, _ caller: LeakCaller, _ library: LeakLibrary) async {
        for engine in library.engines {
            let question = LeakQuestion(
                query: "{ list\(model.name)s(limit: 1000) { items { \(Self.leaves) } } }", model: model.name,
                operation: "list", reached: [])
            let response = try? JSONReader.value(of: await library.answer(question, caller, on: engine))
            // Where a query by an index has rules of its own, Amplify opens the type of all pages to its callers alone.
            let page = engine.policy.gate(type: "Model\(model.name)Connection", field: "items")
            let isOpen = page.admits(engine.policy.caller(caller.identity))
            let expected = library.records.filter {
                isOpen && $0.model == model.name && model.allows(["list"], caller, $0)
            }
            let items = response?["data"]?["list\(model.name)s"]?["items"]?.array ?? []
            #expect(
                items.count == expected.count,
                "\(caller.name) lists \(model.name): \(String(describing: response))\n\(library.schema.text)")
            guard items.count == expected.count else { continue }
            for (item, record) in zip(items, expected) {
                if let data = item.object { checkFields(data, record, model, caller, library) }
            }
        }
    }

    @Test("into events, whoever listens to whatever")
    func events() async throws {
        var random = SeededRandom(test: "LeakFuzzTests")
        var heard = 0
        let rounds = Fuzz.rounds(ordinarily: 4)
        // Rules at random refuse most mutations: it goes on until somebody has heard something.
        for round in 0..<10 * rounds where round < rounds || heard == 0 {
            let library = try await Self.library(using: &random)
            let ears = try await LeakEars(at: library)
            let told = Mutex<[MutationEvent]>([])
            let engine = library.engineWithEvents
            engine.tellOfMutations(
                MutationListener(hasListeners: { true }, publish: { events in told.withLock { $0 += events } }))
            var questions = 0
            while questions < 30 {
                let question = LeakQuestion.random(library, using: &random)
                guard question.isMutation else { continue }
                questions += 1
                let caller = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
                let before = library.records
                let bytes = await library.answer(question, caller, on: engine)
                library.apply(question, bytes)
                try await library.commitNothing()
                let events = told.withLock { events in
                    defer { events = [] }
                    return events
                }
                for frame in ears.hear(events) { heard += frame.check(question, before, library) }
            }
        }
        #expect(heard > 0)
    }
}
