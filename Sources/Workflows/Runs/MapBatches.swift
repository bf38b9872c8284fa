import JSON

/// The inputs of a distributed map's executions: each element, or batches of them, `{"BatchInput": ..., "Items": [...]}`.
struct MapBatches: Sendable {
    struct Batch: Sendable {
        let text: String
        let count: Int
    }

    private let isBatched: Bool
    private let itemsMax: Int
    private let bytesMax: Int
    private let start: String
    private var all: [Batch] = []
    private var waiting: [String] = []
    private var waitingBytes = 0
    private var bytes = 0

    init(_ settings: FlowRunSettings, isBatched: Bool) throws(FlowFault) {
        self.isBatched = isBatched
        let batcher = settings.batcher
        itemsMax = Int(
            try FlowRunSettings.whole(batcher, "MaxItemsPerBatch", 1...WorkflowLimits.batchItemsMax)
                ?? WorkflowLimits.batchItemsMax)
        bytesMax = Int(
            try FlowRunSettings.whole(batcher, "MaxInputBytesPerBatch", 1...Int64(WorkflowLimits.dataBytesMax))
                ?? Int64(WorkflowLimits.dataBytesMax))
        let given = batcher["BatchInput"].map { "\"BatchInput\":\(JSONWriter.text(of: $0))," } ?? ""
        start = "{\(given)\"Items\":["
    }

    mutating func add(_ value: JSONValue) throws(FlowFault) {
        let text = JSONWriter.text(of: value)
        bytes += text.utf8.count
        guard bytes <= WorkflowLimits.runInputBytesMax else {
            throw FlowFault(
                FlowFault.dataName,
                "The elements of the map have more than \(WorkflowLimits.runInputBytesMax) bytes together.")
        }
        guard isBatched else {
            guard text.utf8.count <= WorkflowLimits.dataBytesMax else { throw .tooLarge("An element of the map") }
            return all.append(Batch(text: text, count: 1))
        }
        let around = start.utf8.count + 2
        if !waiting.isEmpty, waiting.count >= itemsMax || waitingBytes + text.utf8.count + around > bytesMax { end() }
        guard text.utf8.count + around <= bytesMax else { throw .tooLarge("A batch of the map") }
        waiting.append(text)
        waitingBytes += text.utf8.count + 1
    }

    private mutating func end() {
        guard !waiting.isEmpty else { return }
        all.append(Batch(text: "\(start)\(waiting.joined(separator: ","))]}", count: waiting.count))
        (waiting, waitingBytes) = ([], 0)
    }

    /// All of them, when the last element is there.
    var finished: [Batch] {
        var last = self
        last.end()
        return last.all
    }
}
