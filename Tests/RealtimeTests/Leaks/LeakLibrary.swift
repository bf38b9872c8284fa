import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Store
import TestSupport
import Testing

@testable import Realtime

/// A server's inside over random records of a random schema, and what each caller may see of them.
final class LeakLibrary {
    let schema: LeakSchema
    let blueprint: Blueprint
    /// One for each meaning of `limit`.
    let engines: [Engine]
    /// Of several over one store the last hears of commits.
    var engineWithEvents: Engine { engines[engines.count - 1] }
    let shard = EngineShard()
    private(set) var records: [LeakRecord] = []
    private var markCount = 0

    /// The project's settings: one mode is the default, and all others are there too.
    static func settings(using random: inout SeededRandom) -> Settings {
        var settings = Settings()
        let modes = AuthMode.allCases.shuffled(using: &random)
        settings.defaultMode = modes[0]
        settings.additionalModes = Array(modes.dropFirst())
        return settings
    }

    /// Nil where the schema is one that Amplify refuses.
    init?(_ schema: LeakSchema, _ settings: Settings, at location: Store.Location = .memory) throws {
        self.schema = schema
        let reading = SDLReader.read(schema.text, settings: settings)
        guard let blueprint = reading.blueprint, !reading.diagnostics.contains(where: { $0.severity == .error }) else {
            return nil
        }
        let (api, diagnostics) = APISchema.generate(from: blueprint)
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return nil }
        self.blueprint = blueprint
        let store = try Store(location, for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        engines = try ListQuery.Semantics.allCases.map { semantics in
            var settings = EngineSettings()
            settings.semantics = semantics
            // However busy the machine is, an answer is the one of its caller's rights.
            settings.limits.milliseconds = 3_600_000
            settings.limits.mutationMilliseconds = 3_600_000
            return try Engine(api, of: blueprint, over: store, settings)
        }
    }

    deinit {
        shard.close()
        try? engines[0].store.close()
    }

    func mark() -> String {
        markCount += 1
        return LeakMark.text(markCount)
    }

    // MARK: Records

    func makeRecords(using random: inout SeededRandom) async throws {
        var made: [LeakRecord] = []
        for number in 0..<24 {
            let model = LeakSchema.names[number % 3]
            let above = made.filter { $0.model == LeakSchema.previous(model) }.randomElement(using: &random)
            made.append(newRecord(model, under: above?.id ?? mark(), using: &random))
        }
        try await insert(made)
    }

    /// The same, but for the values of which the caller must not know.
    func twin(hidingFrom caller: LeakCaller) async throws -> LeakLibrary {
        let twin = try #require(try LeakLibrary(schema, blueprint.settings))
        twin.markCount = markCount
        try await twin.insert(
            records.map { record in
                let model = schema.model(record.model)
                var changed = record
                let isSeen = model.allows(LeakSchema.reading, caller, record)
                // What orders an index is left: the order tells it, as in the cloud.
                for field in LeakSchema.secrets.dropFirst() where !isSeen || !model.mayRead(field, caller, record) {
                    changed.values[field] =
                        switch field {
                        case "many": [.string(twin.mark())]
                        case "packed": ["k": .string(twin.mark())]
                        default: record.values[field] == .null ? .string(twin.mark()) : .null
                        }
                }
                if !isSeen {
                    changed.values["crate"] = .null
                    changed.values["crates"] = .array([twin.crate()])
                } else if !schema.opensCrates(caller) {
                    changed.values["crate"] = twin.crate(beside: record.values["crate"])
                    changed.values["crates"] = .array(
                        record.values["crates"]?.array?.map { twin.crate(beside: $0) } ?? [])
                }
                return changed
            })
        return twin
    }

    /// Puts a record into its table, past all rules.
    private func insert(_ records: [LeakRecord]) async throws {
        for record in records { try await insert(record) }
        self.records = records
    }

    private func insert(_ record: LeakRecord) async throws {
        let store = engines[0].store
        let model = try #require(blueprint.models.first { $0.name == record.model })
        let table = try #require(store.layout.table(of: model))
        let assignments = record.values.sorted { $0.key < $1.key }.map { field, value -> RecordChange.Assignment in
            switch value {
            case .null: .init(field, .null)
            case .string(let text): .init(field, .text(text))
            default: .init(field, .utf8(JSONWriter.bytes(of: value)))
            }
        }
        let times = ["createdAt", "updatedAt"].map { RecordChange.Assignment($0, .text("2020-01-01T00:00:00.000Z")) }
        let change = RecordChange.create(in: table, assignments + times, returning: [])
        _ = try await store.writer.write(turn: .all, key: nil) { session throws(StoreError) in
            try session.apply(change) { _ throws(StoreError) in }
        }
    }

    /// After it everybody has been told of all commits before.
    func commitNothing() async throws { try await engines[0].store.writer.write(turn: .all, key: nil) { _ in } }

    /// A record that only exists in memory yet.
    func newRecord(_ model: String, under upID: String, using random: inout SeededRandom) -> LeakRecord {
        let owners = [
            "sub-alice::alice", "alice", "sub-bob", "bob", "sub-bob::bob", "zoe", "sub-bob::alice", "carol",
            "sub-carol::carol",
            "Kate", "\u{212A}ate", "sub-Kate::Kate", "sub-\u{212A}ate", "jos\u{E9}", "sub-jose\u{301}::jose\u{301}",
        ]
        func pick(_ texts: [String]) -> JSONValue { .string(texts[Int.random(in: 0..<texts.count, using: &random)]) }
        func some(_ texts: [String]) -> JSONValue {
            .array((0..<Int.random(in: 0...2, using: &random)).map { _ in pick(texts) })
        }
        func orNull(_ value: JSONValue) -> JSONValue { Int.random(in: 0..<4, using: &random) == 0 ? .null : value }
        return LeakRecord(
            model: model,
            values: [
                "id": .string(mark()), "s0": .string(mark()), "s1": orNull(.string(mark())), "s2": .string(mark()),
                "many": .array([.string(mark()), .string(mark())]),
                "packed": .object(JSONObject([("k", .string(mark()))])),
                "crate": orNull(crate()), "crates": .array([crate(), crate()]),
                "owner": orNull(pick(owners)), "editors": some(owners),
                "author": orNull(pick(["sub-ann", "sub-ben", "sub-Ken", "sub-\u{212A}en", "x"])),
                "team": orNull(pick(["Admin", "Dev", "D\u{E9}v", "De\u{301}v", "Nobody"])),
                "teams": some(["Admin", "Dev", "D\u{E9}v", "De\u{301}v", "Other", "Nobody"]),
                "upID": .string(upID),
            ])
    }

    /// A value of the type that is no model: a new one, or one that differs from another in the protected part.
    func crate(beside other: JSONValue? = nil) -> JSONValue {
        if let other, other.isNull { return .null }
        return .object(JSONObject([("c0", other?["c0"] ?? .string(mark())), ("c1", .string(mark()))]))
    }

    func add(_ record: LeakRecord) { records.append(record) }
    func remove(_ id: String) { records.removeAll { $0.id == id } }
    func set(_ field: String, to value: JSONValue, in id: String) {
        for index in records.indices where records[index].id == id { records[index].values[field] = value }
    }

    /// The input that gives a record its values.
    static func input(_ record: LeakRecord) -> JSONObject {
        JSONObject(
            record.values.sorted { $0.key < $1.key }.map { member in
                guard member.key == "packed", !member.value.isNull else { return (member.key, member.value) }
                return (member.key, .string(String(decoding: JSONWriter.bytes(of: member.value), as: UTF8.self)))
            })
    }

    // MARK: What may be seen

    /// The marks that a caller may find in the answer to a question.
    func visible(to caller: LeakCaller, in question: LeakQuestion) -> Set<String> {
        var marks = Set(LeakMark.all(in: Array(question.text.utf8)))
        for record in records {
            let model = schema.model(record.model)
            let isRoot = record.model == question.model && model.allows([question.operation], caller, record)
            let isMutated = question.isMutation && record.id == question.target
            let isReached =
                question.reached.contains(record.model) && model.allows(LeakSchema.reading, caller, record)
            guard isRoot && (!question.isMutation || isMutated) || isReached else { continue }
            for field in record.values.keys {
                // Whoever changes a record gets it back, but for what single fields' rules keep from some.
                let isGiven = isMutated && isRoot && model.fieldRules[field] == nil
                let isRead =
                    model.mayRead(field, caller, record) && (!isMutated || !model.isKept(field) || isReached)
                guard isGiven || isRead else { continue }
                marks.formUnion(record.marks(field))
                if schema.opensCrates(caller) { marks.formUnion(record.guardedMarks(field)) }
            }
        }
        return marks
    }

    // MARK: Asking

    func answer(_ question: LeakQuestion, _ caller: LeakCaller, on engine: Engine) async -> [UInt8] {
        var body = JSONObject([("query", .string(question.query))])
        body["variables"] = .object(question.variables)
        return await bytes(
            of: engine.answer(JSONWriter.bytes(of: .object(body)), from: Requester(caller.identity), on: shard))
    }

    private func bytes(of answer: Engine.Answer) async -> [UInt8] {
        switch answer {
        case .response(let bytes), .invalid(let bytes): return bytes
        case .pending(let pending): return await pending.response()
        case .preparing(let preparation): return await bytes(of: preparation.answer())
        case .refused(let error): return Array("\(error.errorType): \(error.message)".utf8)
        case .unauthorized(let message, _): return Array("401: \(message)".utf8)
        }
    }
}

extension LeakLibrary {
    /// Takes note of what a mutation has done.
    func apply(_ question: LeakQuestion, _ bytes: [UInt8]) {
        guard question.isMutation, let id = question.target,
            let response = try? JSONReader.value(of: bytes),
            response["data"]?[question.operation + question.model]?.object != nil,
            let input = question.variables["i"]?.object
        else { return }
        switch question.operation {
        case "delete": remove(id)
        case "update": for member in input where member.key != "id" { set(member.key, to: member.value, in: id) }
        default:
            var values = Dictionary(uniqueKeysWithValues: input.members.map { ($0.key, $0.value) })
            if let packed = values["packed"]?.string, let value = try? JSONReader.value(of: packed) {
                values["packed"] = value
            }
            add(LeakRecord(model: question.model, values: values))
        }
    }
}

extension LeakQuestion {
    /// The same question with the token of an answer.
    func goingOn(with bytes: [UInt8]) -> LeakQuestion? {
        guard !isMutation, operation != "get", let response = try? JSONReader.value(of: bytes),
            let connection = response["data"]?.object?.members.first?.value,
            let token = connection["nextToken"]?.string, let place = query.firstIndex(of: "(")
        else { return nil }
        var next = query
        next.insert(contentsOf: "nextToken: \"\(token)\", ", at: next.index(after: place))
        return LeakQuestion(query: next, model: model, operation: operation, reached: reached)
    }
}
