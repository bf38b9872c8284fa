import JSON

/// A `Map` in the mode DISTRIBUTED: its elements come from its input or from a bucket, and each of them, or each batch, is an execution.
final class FlowDistribution: Sendable {
    /// Where elements come from.
    enum Source: String, Sendable {
        case object = "arn:aws:states:::s3:getObject"
        case listing = "arn:aws:states:::s3:listObjectsV2"
    }

    /// The parts that are values of the state's input, in the state's language.
    enum Parts: Sendable {
        case path(FlowTemplate)
        case query(FlowQueryTemplate)
    }

    /// A part of its runs' ARNs; nil: each run has one that no other has.
    let label: String?
    let isExpress: Bool
    /// The definition of its executions.
    let text: String
    /// Nil: the state's input.
    let source: Source?
    /// `Object`, `Reader`, `Batcher`, `Tolerance`, `Writer` and `WriterConfig`, as far as the state has them.
    let parts: Parts
    let isBatched: Bool
    /// True if its results go to a bucket.
    let writes: Bool

    init(
        label: String?, isExpress: Bool, text: String, source: Source?, parts: Parts, isBatched: Bool, writes: Bool
    ) {
        (self.label, self.isExpress, self.text, self.source) = (label, isExpress, text, source)
        (self.parts, self.isBatched, self.writes) = (parts, isBatched, writes)
    }
}

/// The settings of a run of a distributed `Map`, when the values of its state are known.
struct FlowRunSettings: Sendable {
    let object: JSONValue
    let reader: JSONValue
    let batcher: JSONValue
    let writer: JSONValue
    let writerConfig: JSONValue
    /// 0: as many as this server lets a run have.
    let concurrency: Int64
    /// Nil: the state does not say it.
    let tolerance: (count: Int64?, percentage: Double?)

    init(_ parts: JSONValue, concurrency: Int64) throws(FlowFault) {
        self.concurrency = concurrency
        object = parts["Object"] ?? .null
        reader = parts["Reader"] ?? .null
        batcher = parts["Batcher"] ?? .null
        writer = parts["Writer"] ?? .null
        writerConfig = parts["WriterConfig"] ?? .null
        let tolerated = parts["Tolerance"] ?? .null
        tolerance = (
            try Self.whole(tolerated, "ToleratedFailureCount", 0...Int64.max),
            try Self.percentage(tolerated["ToleratedFailurePercentage"])
        )
    }

    private static func percentage(_ value: JSONValue?) throws(FlowFault) -> Double? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.number, (0...100).contains(number) else {
            throw .runtime("The field 'ToleratedFailurePercentage' is a number from 0 to 100.")
        }
        return number
    }

    static func whole(
        _ value: JSONValue, _ name: String, _ range: ClosedRange<Int64>
    ) throws(FlowFault) -> Int64? {
        guard let value = value[name], !value.isNull else { return nil }
        guard let number = value.integer ?? value.number.flatMap({ Int64(exactly: $0) }), range.contains(number) else {
            throw .runtime(
                "The field '\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// True if so many failures of so many elements are too many.
    func isExceeded(failed: Int, of total: Int) -> Bool {
        guard failed > 0 else { return false }
        guard tolerance.count != nil || tolerance.percentage != nil else { return true }
        if let count = tolerance.count, Int64(failed) > count { return true }
        if let percentage = tolerance.percentage, Double(failed) * 100 > percentage * Double(total) { return true }
        return false
    }
}
