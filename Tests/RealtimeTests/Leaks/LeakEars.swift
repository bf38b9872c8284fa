import Engine
import JSON
import Testing

@testable import Realtime

/// Subscribers of every kind, to all changes of the records of a library.
final class LeakEars {
    /// A subscriber, and what it has been brought.
    final class Ear: EventCarrier {
        let caller: LeakCaller
        let model: String
        let operation: String
        fileprivate var frames: [[UInt8]] = []

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

    /// Bytes that a subscriber has been brought.
    struct Frame {
        let ear: Ear
        let bytes: [UInt8]
    }

    private let registry = SubscriptionRegistry(limits: RealtimeLimits(), counters: RealtimeCounters())
    private var ears: [Ear] = []

    /// - Parameter library: the one whose engine lets them subscribe.
    init(at library: LeakLibrary) async throws {
        let engine = library.engineWithEvents
        let gate = AccessGate(engine, library.blueprint, on: library.shard) { _ in .failure(.notAuthorized) }
        var documents = SubscriptionDocuments(schema: engine.schema, limits: RealtimeLimits())
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
    }

    /// Brings events, and answers what the subscribers get of them.
    func hear(_ events: [MutationEvent]) -> [Frame] {
        registry.deliver(events)
        return ears.flatMap { ear in
            defer { ear.frames = [] }
            return ear.frames.map { Frame(ear: ear, bytes: $0) }
        }
    }
}

extension LeakEars.Frame {
    /// A subscriber gets records that they may listen to, without what rules of single fields protect. What relations
    /// show is theirs to read by itself, whatever the one who made the change was shown.
    ///
    /// - Returns: how much they found at all.
    func check(_ question: LeakQuestion, _ before: [LeakRecord], _ library: LeakLibrary) -> Int {
        let model = library.schema.model(ear.model)
        let found = Set(LeakMark.all(in: bytes))
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
            \(String(decoding: bytes, as: UTF8.self))
            \(library.schema.text)
            """)
        return found.count
    }
}
