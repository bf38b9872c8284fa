import GraphQL

/// The operations that a loop has seen last, planned. Clients send the same few again and again.
struct PlanCache {
    /// The most documents that are kept, and the most bytes that their texts have together.
    static let entriesMax = 512
    static let bytesMax = 4 << 20
    /// The most operations of a document whose plans are kept.
    static let operationsMax = 16

    enum Planned {
        case ready(OperationPlan)
        /// The response that lists what is wrong.
        case invalid([UInt8])
    }

    private enum Prepared {
        case ready(ExecutableDocument)
        case invalid([UInt8])
        case unparsable
    }

    private struct Entry {
        let prepared: Prepared
        var plans: [(name: String?, plan: Planned)] = []
        var lastUse: Int
    }

    private var entries: [[UInt8]: Entry] = [:]
    private var bytes = 0
    private var clock = 0

    var count: Int { entries.count }

    /// The plan of a request's operation: kept, or made now.
    mutating func plan(for request: EngineRequest, in engine: Engine) throws(RequestError) -> Planned {
        clock += 1
        if let index = entries.index(forKey: request.query) {
            entries.values[index].lastUse = clock
            if let known = entries.values[index].plans.first(where: { $0.name == request.operationName }) {
                return known.plan
            }
            let planned = try Self.plan(request.operationName, of: entries.values[index].prepared, engine)
            if entries.values[index].plans.count < Self.operationsMax {
                entries.values[index].plans.append((request.operationName, planned))
            }
            return planned
        }
        let prepared = Self.prepare(request.query, engine)
        let planned = Result { () throws(RequestError) in try Self.plan(request.operationName, of: prepared, engine) }
        keep(prepared, (try? planned.get()).map { (request.operationName, $0) }, for: request.query)
        return try planned.get()
    }

    private static func prepare(_ text: [UInt8], _ engine: Engine) -> Prepared {
        switch Phases.prepare(text, schema: engine.schema, reading: engine.earlyGetForm.rewritten) {
        case .ready(let document): .ready(document)
        case .invalid(let errors): .invalid(GraphQLError.refusal(errors))
        case .unparsable: .unparsable
        }
    }

    private static func plan(
        _ name: String?, of prepared: Prepared, _ engine: Engine
    ) throws(RequestError) -> Planned {
        switch prepared {
        case .unparsable: throw .unparsable
        case .invalid(let response): return .invalid(response)
        case .ready(let document):
            let operation = try document.operation(named: name)
            guard operation.operation != .subscription else { throw .subscriptionOverHTTP }
            do throws(GraphQLError) {
                return .ready(try Planner.plan(operation, of: document, engine.types, engine.settings.limits))
            } catch {
                return .invalid(GraphQLError.refusal([error]))
            }
        }
    }

    /// Half of the entries go at once when there are too many, those that were not used for longest: so finding them
    /// costs little for each.
    private mutating func keep(_ prepared: Prepared, _ plan: (String?, Planned)?, for text: [UInt8]) {
        guard text.count <= Self.bytesMax / 4 else { return }
        if entries.count >= Self.entriesMax || bytes + text.count > Self.bytesMax {
            let uses = entries.values.map(\.lastUse).sorted()
            let oldest = uses[uses.count / 2]
            entries = entries.filter { $0.value.lastUse > oldest }
            bytes = entries.keys.reduce(0) { $0 + $1.count }
        }
        entries[text] = Entry(prepared: prepared, plans: plan.map { [$0] } ?? [], lastUse: clock)
        bytes += text.count
    }
}
