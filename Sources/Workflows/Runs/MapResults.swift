import JSON

/// The result of a distributed map: the outputs of its executions in the order of its elements, or files in a bucket with a list of them.
struct MapResults {
    private let run: FlowMapRun
    private let settings: FlowRunSettings
    private let buckets: (any WorkflowBuckets)?
    private let runner: WorkflowRunner
    private var outputs: [(place: Int, text: String)] = []
    private var bytes = 0
    /// The files to write next, and those that are written, by status.
    private var files: [FlowStatus: File] = [:]

    private struct File {
        var entries: [String] = []
        var bytes = 0
        var written: [JSONValue] = []
    }

    init(
        _ run: FlowMapRun, _ settings: FlowRunSettings, _ buckets: (any WorkflowBuckets)?, _ runner: WorkflowRunner
    ) {
        (self.run, self.settings, self.buckets, self.runner) = (run, settings, buckets, runner)
    }

    private var transformation: String {
        settings.writerConfig["Transformation"]?.string ?? (run.distribution.writes ? "NONE" : "COMPACT")
    }

    mutating func add(_ end: ExecutionEnd, _ place: Int, _ workflows: Workflows) async throws(FlowFault) {
        let isGood = end.execution.status == .succeeded
        let text =
            transformation == "NONE" || !isGood
            ? JSONWriter.text(of: .object(end.told(by: workflows, parsesOutput: false)))
            : end.execution.output ?? "null"
        guard run.distribution.writes else {
            guard isGood else { return }
            bytes += text.utf8.count
            guard bytes <= WorkflowLimits.dataBytesMax else { throw .tooLarge("The result of the map") }
            return outputs.append((place, text))
        }
        let status: FlowStatus = isGood ? .succeeded : .failed
        files[status, default: File()].entries.append(text)
        files[status]?.bytes += text.utf8.count
        if let file = files[status], file.bytes >= WorkflowLimits.resultFileBytesMax { try await write(status) }
    }

    mutating func finish(_ workflows: Workflows) async throws(FlowFault) -> JSONValue {
        guard run.distribution.writes else {
            let all = outputs.sorted { $0.place < $1.place }.map { Workflows.value(of: $0.text) }
            return .array(transformation == "FLATTEN" ? Self.flattened(all) : all)
        }
        for status in [FlowStatus.succeeded, .failed] { try await write(status) }
        var lists = JSONObject()
        for status in [FlowStatus.failed, .succeeded] {
            lists.set(status.rawValue, to: .array(files[status]?.written ?? []))
        }
        lists.set("PENDING", to: [])
        let manifest: JSONValue = [
            "DestinationBucket": .string(bucket), "MapRunArn": .string(run.arn), "ResultFiles": .object(lists),
        ]
        let key = key("manifest.json")
        try await put(JSONWriter.bytes(of: manifest), key)
        return [
            "MapRunArn": .string(run.arn), "ResultWriterDetails": ["Bucket": .string(bucket), "Key": .string(key)],
        ]
    }

    private static func flattened(_ values: [JSONValue]) -> [JSONValue] {
        values.flatMap { value in value.array ?? [value] }
    }

    // MARK: Files

    private var bucket: String { settings.writer["Bucket"]?.string ?? "" }

    private func key(_ name: String) -> String {
        var prefix = settings.writer["Prefix"]?.string ?? ""
        while prefix.hasSuffix("/") { prefix.removeLast() }
        return "\(prefix.isEmpty ? "" : "\(prefix)/")\(run.id)/\(name)"
    }

    private mutating func write(_ status: FlowStatus) async throws(FlowFault) {
        guard var file = files[status], !file.entries.isEmpty else { return }
        let isLines = settings.writerConfig["OutputType"]?.string == "JSONL"
        let (all, isFlat) = (file.entries, transformation == "FLATTEN")
        // Files are long: they are put together beside the loop.
        let text = await runner.aside {
            let entries =
                isFlat ? Self.flattened(all.map { Workflows.value(of: $0) }).map { JSONWriter.text(of: $0) } : all
            return isLines ? entries.joined(separator: "\n") : "[\(entries.joined(separator: ","))]"
        }
        guard let text else { throw .runtime("The server is about to stop.") }
        let key = key("\(status.rawValue)_\(file.written.count).\(isLines ? "jsonl" : "json")")
        let bytes = Array(text.utf8)
        try await put(bytes, key)
        file.written.append(["Key": .string(key), "Size": .integer(Int64(bytes.count))])
        (file.entries, file.bytes) = ([], 0)
        files[status] = file
    }

    private func put(_ bytes: [UInt8], _ key: String) async throws(FlowFault) {
        guard let buckets, !bucket.isEmpty else {
            throw FlowFault("States.ResultWriterFailed", "There is no bucket for the results.")
        }
        try await buckets.write(bytes, bucket, key, type: "application/json")
    }
}
