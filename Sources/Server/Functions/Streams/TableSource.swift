import Blueprint
import EventPatterns
import Functions
import JSON

/// A table whose changes a function is told of, as it is configured: by the name of its model or its own, or with how much is told at once.
package struct TableSource: Sendable, Equatable {
    package var model: String
    /// True if it is a table of the project's own, by its name.
    package var isOwn = false
    /// How many changes are told together at the most.
    package var batch: Int
    /// True if the function says which changes it did not take (`ReportBatchItemFailures`); else it takes all or none.
    package var tellsFailures: Bool
    package var start = Start.latest
    /// One of which a change has to fit for the function to be told of it; empty: all are told.
    package var filters: [EventPattern] = []
    /// How often a part that failed is told again; -1: until it is too old. Nil: as often as `RuntimeLimits` has it.
    package var retries: Int?
    /// True if a part that failed is told again in halves.
    package var halves = true

    /// The start of a new function in a stream.
    package enum Start: String, Sendable, CaseIterable {
        /// Changes from then on.
        case latest = "LATEST"
        /// Before that what is still kept for others.
        case oldest = "TRIM_HORIZON"
    }

    package static let usualBatch = 100

    package init(_ model: String, batch: Int = usualBatch, tellsFailures: Bool = false) {
        self.model = model
        self.batch = batch
        self.tellsFailures = tellsFailures
    }

    /// Why there is none to be told of.
    func fault(among blueprint: Blueprint) -> String {
        guard !model.utf8.isEmpty else { return "it names no table: say its `model`, or `table` for one of your own" }
        return "there is no model \(model) with a table; the schema has "
            + blueprint.models.map(\.name).sorted().joined(separator: ", ")
    }
}

extension TableSource: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard value.string != nil || value.object != nil else { return nil }
        let model = value.string ?? value["model"]?.string
        self.init(model ?? value["table"]?.string ?? "")
        isOwn = model == nil && value["table"] != nil
        if let count = value["batch"]?.integer { batch = Int(clamping: count) }
        if let tells = value["reportBatchItemFailures"]?.bool { tellsFailures = tells }
        start = value["startingPosition"]?.string.flatMap(Start.init) ?? start
        filters = (value["filters"]?.array ?? []).compactMap { $0.string.flatMap { try? ChangeFilter.read($0) } }
        retries = value["retryAttempts"]?.integer.map { Int(clamping: $0) }
        halves = value["bisectBatchOnError"]?.bool ?? halves
    }

    package var configured: JSONValue {
        var value = JSONObject([(isOwn ? "table" : "model", .string(model))])
        if batch != Self.usualBatch { value["batch"] = .integer(Int64(batch)) }
        value["retryAttempts"] = retries.map { .integer(Int64($0)) }
        if !halves { value["bisectBatchOnError"] = false }
        if start != .latest { value["startingPosition"] = .string(start.rawValue) }
        if tellsFailures { value["reportBatchItemFailures"] = true }
        if !filters.isEmpty {
            value["filters"] = .array(filters.map { .string(JSONWriter.text(of: $0.source)) })
        }
        return value.count == 1 && !isOwn ? .string(model) : .object(value)
    }
}
