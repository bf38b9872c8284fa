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
    /// The tolerance as the state says it, with the texts of its paths.
    let tolerance: JSONValue

    init(
        label: String?, isExpress: Bool, text: String, source: Source?, parts: Parts, isBatched: Bool, writes: Bool,
        tolerance: JSONValue
    ) {
        (self.label, self.isExpress, self.text, self.source) = (label, isExpress, text, source)
        (self.parts, self.isBatched, self.writes) = (parts, isBatched, writes)
        self.tolerance = tolerance
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

    /// - Parameter said: the tolerance as the state says it.
    init(_ parts: JSONValue, concurrency: Int64, tolerance said: JSONValue = .null) throws(FlowFault) {
        self.concurrency = concurrency
        object = parts["Object"] ?? .null
        reader = parts["Reader"] ?? .null
        batcher = parts["Batcher"] ?? .null
        writer = parts["Writer"] ?? .null
        writerConfig = parts["WriterConfig"] ?? .null
        let tolerated = parts["Tolerance"] ?? .null
        tolerance = (
            try Self.count(tolerated[Self.countName], said["\(Self.countName)Path"]?.string),
            try Self.percentage(tolerated[Self.percentageName], said["\(Self.percentageName)Path"]?.string)
        )
    }

    private static let countName = "ToleratedFailureCount"
    private static let percentageName = "ToleratedFailurePercentage"

    private static func count(_ value: JSONValue?, _ path: String?) throws(FlowFault) -> Int64? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.wholeNumber else {
            throw .noNumber("\(countName)Path", value, "integer", path ?? "")
        }
        guard number >= 0 else { throw .runtime("\(countName) cannot be negative.") }
        return number
    }

    private static func percentage(_ value: JSONValue?, _ path: String?) throws(FlowFault) -> Double? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.number ?? value.string.flatMap({ Double($0) }) else {
            throw .noNumber("\(percentageName)Path", value, "float", path ?? "")
        }
        guard (0...100).contains(number) else { throw .runtime("\(percentageName) must be between 0 and 100.") }
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

extension FlowFault {
    /// A path leads to a value that is no number.
    static func noNumber(_ field: String, _ value: JSONValue, _ wanted: String, _ path: String) -> FlowFault {
        .runtime("The \(field) field refers to value \"\(value.shownText)\" which is not a valid \(wanted): \(path)")
    }
}

extension JSONValue {
    /// The whole number of a field that names a path: a text with one is the number itself.
    var wholeNumber: Int64? {
        if let text = string { return Int64(text) }
        return integer ?? number.flatMap { Int64(exactly: $0) }
    }

    /// The value in a message: a text as it is, and no more of it than a cause may have.
    var shownText: String {
        if let text = string { return text }
        guard FlowSize.bytes(of: self, max: WorkflowLimits.causeBytesMax) != nil else { return "\(kind)" }
        return JSONWriter.text(of: self)
    }
}

extension FlowData {
    /// The input behind a message that something is not in it; empty where it is longer than a cause may be.
    var shownInput: String {
        guard FlowSize.bytes(of: input, max: WorkflowLimits.causeBytesMax) != nil else { return "" }
        return " '\(JSONWriter.text(of: input))'"
    }
}
