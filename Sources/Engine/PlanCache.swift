import GraphQL
import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The operations that a loop has seen last, planned. Clients send the same few again and again.
///
/// Hot path: an operation is found by the bytes with which it stands in a request's body, before they are read.
struct PlanCache {
    /// The most documents that are kept, and the most bytes that their texts have together.
    static let entriesMax = 512
    static let bytesMax = 4 << 20
    /// The most operations of a document whose plans are kept.
    static let operationsMax = 16

    enum Planned {
        case ready(PlanMemory)
        /// The response that lists what is wrong.
        case invalid([UInt8])
    }

    private enum Prepared {
        case ready(ExecutableDocument, [EarlyGetVariable])
        case invalid([UInt8])
        case unparsable
    }

    /// A class, so that looking at it copies nothing.
    private final class Entry {
        let written: [UInt8]
        let prepared: Prepared
        var plans: [(name: String?, plan: Planned)]
        var lastUse: Int

        init(_ written: [UInt8], _ prepared: Prepared, plans: [(name: String?, plan: Planned)], lastUse: Int) {
            self.written = written
            self.prepared = prepared
            self.plans = plans
            self.lastUse = lastUse
        }

        func isWritten(as bytes: UnsafeRawBufferPointer) -> Bool {
            guard written.count == bytes.count, let start = bytes.baseAddress else {
                return written.isEmpty && bytes.isEmpty
            }
            return written.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false }
        }
    }

    /// By the hash of what is written. Two texts with the same hash drive each other out.
    private var entries: [UInt64: Entry] = [:]
    /// Keeps clients from choosing texts that meet.
    private let seed = UInt64.random(in: .min ... .max)
    private var bytes = 0
    private var clock = 0

    var count: Int { entries.count }

    /// The plan of a request's operation: kept, or made now.
    mutating func plan(for request: EngineRequest, in engine: Engine) throws(RequestError) -> Planned {
        clock += 1
        let hash = request.withWrittenQuery { ByteHash.of($0, seed: seed) }
        if let entry = entries[hash], request.withWrittenQuery({ entry.isWritten(as: $0) }) {
            entry.lastUse = clock
            for (name, plan) in entry.plans where name == request.operationName { return plan }
            let planned = try Self.plan(request.operationName, of: entry.prepared, engine)
            if entry.plans.count < Self.operationsMax { entry.plans.append((request.operationName, planned)) }
            return planned
        }
        let prepared = Self.prepare(try request.query, engine)
        let planned = Result { () throws(RequestError) in try Self.plan(request.operationName, of: prepared, engine) }
        let plan = (try? planned.get()).map { (request.operationName, $0) }
        let written = request.withWrittenQuery { Array($0) }
        keep(Entry(written, prepared, plans: plan.map { [$0] } ?? [], lastUse: clock), for: hash)
        return try planned.get()
    }

    private static func prepare(_ text: [UInt8], _ engine: Engine) -> Prepared {
        var variables: [EarlyGetVariable] = []
        let outcome = Phases.prepare(text, schema: engine.schema) { document in
            let rewriting = engine.earlyGetForm.rewritten(document)
            variables = rewriting.variables
            return rewriting.document
        }
        switch outcome {
        case .ready(let document): return .ready(document, variables)
        case .invalid(let errors): return .invalid(GraphQLError.refusal(errors))
        case .unparsable: return .unparsable
        }
    }

    private static func plan(
        _ name: String?, of prepared: Prepared, _ engine: Engine
    ) throws(RequestError) -> Planned {
        switch prepared {
        case .unparsable: throw .unparsable
        case .invalid(let response): return .invalid(response)
        case .ready(let document, let variables):
            let operation = try document.operation(named: name)
            // Of a schema without subscriptions that is said first.
            if operation.operation == .subscription, engine.schema.subscriptionType != nil {
                throw .subscriptionOverHTTP
            }
            do throws(GraphQLError) {
                let plan = try Planner.plan(operation, of: document, engine.types, engine.settings.limits)
                let memory = PlanMemory(
                    plan, engine.rootFields, earlyVariables: variables.filter { $0.isDeclared(by: operation) })
                engine.settings.trace?("planned \(engine.rootFields.entries[memory.number].text)")
                return .ready(memory)
            } catch {
                return .invalid(GraphQLError.refusal([error]))
            }
        }
    }

    /// Half of the entries go at once when there are too many, those that were not used for longest: so finding them
    /// costs little for each.
    private mutating func keep(_ entry: Entry, for hash: UInt64) {
        let count = entry.written.count
        guard count <= Self.bytesMax / 4 else { return }
        if entries.count >= Self.entriesMax || bytes + count > Self.bytesMax {
            let uses = entries.values.map(\.lastUse).sorted()
            let oldest = uses[uses.count / 2]
            entries = entries.filter { $0.value.lastUse > oldest }
            bytes = entries.values.reduce(0) { $0 + $1.written.count }
        }
        bytes += count - (entries.updateValue(entry, forKey: hash)?.written.count ?? 0)
    }
}
