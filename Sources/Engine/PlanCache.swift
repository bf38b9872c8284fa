import GraphQL

/// The documents that a loop has seen last, parsed and validated. Clients send the same few again and again.
struct PlanCache {
    /// The most documents that are kept, and the most bytes that their texts have together.
    static let entriesMax = 512
    static let bytesMax = 4 << 20

    enum Prepared {
        case ready(ExecutableDocument)
        /// The response that lists what is wrong.
        case invalid([UInt8])
        case unparsable
    }

    private struct Entry {
        let prepared: Prepared
        var lastUse: Int
    }

    private var entries: [[UInt8]: Entry] = [:]
    private var bytes = 0
    private var clock = 0

    var count: Int { entries.count }

    /// The document of a text: kept, or prepared now.
    mutating func document(for text: [UInt8], in engine: Engine) -> Prepared {
        clock += 1
        if let index = entries.index(forKey: text) {
            entries.values[index].lastUse = clock
            return entries.values[index].prepared
        }
        let prepared = Self.prepare(text, engine)
        keep(prepared, for: text)
        return prepared
    }

    private static func prepare(_ text: [UInt8], _ engine: Engine) -> Prepared {
        switch Phases.prepare(text, schema: engine.schema, reading: engine.earlyGetForm.rewritten) {
        case .ready(let document): .ready(document)
        case .invalid(let errors): .invalid(GraphQLError.refusal(errors))
        case .unparsable: .unparsable
        }
    }

    /// Half of the entries go at once when there are too many, those that were not used for longest: so finding them
    /// costs little for each.
    private mutating func keep(_ prepared: Prepared, for text: [UInt8]) {
        guard text.count <= Self.bytesMax / 4 else { return }
        if entries.count >= Self.entriesMax || bytes + text.count > Self.bytesMax {
            let uses = entries.values.map(\.lastUse).sorted()
            let oldest = uses[uses.count / 2]
            entries = entries.filter { $0.value.lastUse > oldest }
            bytes = entries.keys.reduce(0) { $0 + $1.count }
        }
        entries[text] = Entry(prepared: prepared, lastUse: clock)
        bytes += text.count
    }
}
