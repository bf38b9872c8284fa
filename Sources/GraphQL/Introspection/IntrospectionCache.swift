import JSON

/// Answers of introspection for one schema, by what was asked. Tools ask the same thing again and again, and the
/// answer for a large schema takes megabytes.
///
/// Not shared: each thread that answers requests has its own, and there is no lock.
package struct IntrospectionCache {
    /// The most answers that are kept.
    package static let entriesMax = 16
    /// The most bytes that all kept answers have together.
    package static let bytesMax = 16 << 20

    private struct Entry {
        let answer: [UInt8]
        var lastUse: Int
    }

    private var entries: [String: Entry] = [:]
    private var bytes = 0
    private var clock = 0

    package init() {}

    /// How many answers are kept.
    package var count: Int { entries.count }

    /// The value of a field `__schema` or `__type`, kept or new.
    package mutating func value(
        of group: CollectFields.Group, in document: ExecutableDocument, _ variables: VariableValues, bytesMax: Int,
        isOver: @escaping () -> Bool = { false }
    ) throws(Introspection.Failure) -> [UInt8] {
        let key = Self.key(of: group, document, variables)
        clock += 1
        if let entry = entries[key] {
            entries[key]?.lastUse = clock
            guard entry.answer.count <= bytesMax else { throw .tooLong }
            return entry.answer
        }
        let answer = try Introspection.value(of: group, in: document, variables, bytesMax: bytesMax, isOver: isOver)
        store(answer, under: key)
        return answer
    }

    private mutating func store(_ answer: [UInt8], under key: String) {
        guard answer.count <= Self.bytesMax else { return }
        while entries.count >= Self.entriesMax || bytes + answer.count > Self.bytesMax {
            guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
            bytes -= oldest.value.answer.count
            entries[oldest.key] = nil
        }
        entries[key] = Entry(answer: answer, lastUse: clock)
        bytes += answer.count
    }

    /// The text of all that decides about the answer.
    private static func key(
        of group: CollectFields.Group, _ document: ExecutableDocument, _ variables: VariableValues
    ) -> String {
        JSONWriter.text(of: .object(variables.values)) + "\n" + group.responseName + "\n"
            + String(decoding: document.source.bytes, as: UTF8.self)
    }
}
