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
    private static func library(
        hasRelations: Bool = true, using random: inout SeededRandom
    ) async throws -> LeakLibrary {
        while true {
            var schema = LeakSchema.random(using: &random)
            schema.hasRelations = hasRelations
            guard let library = try LeakLibrary(schema, LeakLibrary.settings(using: &random)) else { continue }
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
                seen += check(bytes, question, caller, library)
                library.apply(question, bytes)
                asked.append((question, bytes))
                // Somebody else goes on with the token.
                if let next = question.goingOn(with: bytes) {
                    let other = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
                    seen += check(await library.answer(next, other, on: engine), next, other, library)
                }
            }
        }
        #expect(seen > 0)
    }

    /// Says what a caller found and must not have; answers how much they found at all.
    private func check(
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

    // MARK: Events

    /// What a subscriber has been brought.
    private final class Ear: EventCarrier {
        let caller: LeakCaller
        let model: String
        let operation: String
        var frames: [[UInt8]] = []

        init(_ caller: LeakCaller, _ model: String, _ operation: String) {
            self.caller = caller
            self.model = model
            self.operation = operation
        }

        var hasOneSubscription: Bool { false }

        func carry(_ batch: EventBatch, _ head: [UInt8]) {
            for payload in batch.payloads { frames.append(payload.response) }
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
            let (registry, ears) = try await subscribe(library)
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
                registry.deliver(
                    told.withLock { events in
                        defer { events = [] }
                        return events
                    })
                for ear in ears {
                    for frame in ear.frames { heard += check(frame, ear, question, before, library) }
                    ear.frames = []
                }
            }
        }
        #expect(heard > 0)
    }

    private func subscribe(_ library: LeakLibrary) async throws -> (SubscriptionRegistry, [Ear]) {
        let engine = library.engineWithEvents
        let registry = SubscriptionRegistry(limits: RealtimeLimits(), counters: RealtimeCounters())
        let gate = AccessGate(engine, library.blueprint, on: library.shard) { _ in .failure(.notAuthorized) }
        var documents = SubscriptionDocuments(schema: engine.schema, limits: RealtimeLimits())
        var ears: [Ear] = []
        let crates = LeakSchema.crates.map { "\($0) { c0 c1 }" }
        let leaves = (["id", "upID"] + LeakSchema.secrets + LeakSchema.compared + crates).joined(separator: " ")
        for model in LeakSchema.names {
            for operation in ["Create", "Update", "Delete"] {
                let query = """
                    subscription { on\(operation)\(model) {
                      \(leaves) up { \(leaves) up { \(leaves) } downs { items { \(leaves) } } }
                      downs { items { \(leaves) up { \(leaves) } downs { items { \(leaves) } } } }
                      alike { items { \(leaves) up { \(leaves) } alike { items { \(leaves) } } } }
                    } }
                    """
                let (definition, document, _) = try #require(
                    try documents.operation(of: OperationRequest(query: query)))
                let prepared = try PreparedSubscription(
                    definition, of: document, JSONObject(), limits: RealtimeLimits())
                for caller in LeakCaller.all {
                    let ear = Ear(caller, model, operation.lowercased())
                    guard
                        case .granted(let grant) = await gate.admit(
                            caller.identity, to: prepared.request)
                    else { continue }
                    _ = registry.add(prepared, grant, ear, head: [])
                    ears.append(ear)
                }
            }
        }
        return (registry, ears)
    }

    /// A subscriber gets records that they may listen to, without what rules of single fields protect. What relations
    /// show is theirs to read by itself, whatever the one who made the change was shown.
    private func check(
        _ frame: [UInt8], _ ear: Ear, _ question: LeakQuestion, _ before: [LeakRecord], _ library: LeakLibrary
    ) -> Int {
        let model = library.schema.model(ear.model)
        let found = Set(LeakMark.all(in: frame))
        var allowed: Set<String> = []
        for record in before + library.records {
            let theirs = library.schema.model(record.model)
            let isTarget = record.model == ear.model && record.id == question.target
            let isHeard =
                isTarget && [record, record.shown].contains { model.allows(["listen"], ear.caller, $0) }
            for field in record.values.keys where theirs.fieldRules[field] == nil {
                // Events show owners by their names, and are compared so.
                let isRead = [record, record.shown].contains { theirs.mayRead(field, ear.caller, $0) } && !isTarget
                guard isHeard || isRead else { continue }
                allowed.formUnion(record.marks(field))
                if library.schema.opensCrates(ear.caller) { allowed.formUnion(record.guardedMarks(field)) }
            }
            // A field with rules of its own is there for those to whom they give it.
            for (field, rules) in theirs.fieldRules where isTarget {
                let isGiven = rules.contains { rule in
                    rule.gives("listen")
                        && [record, record.shown].contains { rule.allowed.matches(ear.caller, $0) }
                }
                if isGiven { allowed.formUnion(record.marks(field)) }
            }
        }
        let leaked = found.subtracting(allowed)
        #expect(
            leaked.isEmpty,
            """
            \(ear.caller.name) hears \(leaked.sorted()) of \(ear.operation) \(ear.model)
            \(question.text)
            \(String(decoding: frame, as: UTF8.self))
            \(library.schema.text)
            """)
        return found.count
    }
}
