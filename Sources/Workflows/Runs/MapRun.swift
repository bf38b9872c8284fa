import Crypto
import JSON

/// How many executions of a run have ended in which way, with their elements.
struct MapTally: Sendable {
    private(set) var counts: [FlowStatus: (executions: Int64, items: Int64)] = [:]

    mutating func add(_ status: FlowStatus, items: Int) {
        let former = counts[status] ?? (0, 0)
        counts[status] = (former.executions + 1, former.items + Int64(items))
    }

    var failedItems: Int { counts.reduce(0) { $0 + ($1.key == .succeeded ? 0 : Int($1.value.items)) } }
}

/// Carries out a run of a distributed `Map`: reads its elements, begins an execution for each or each batch, and puts their results together.
///
/// Begun again by a later process it has the same executions: their names follow from the run's.
struct MapRun: Sendable {
    let run: FlowMapRun
    let workflows: Workflows
    let runner: WorkflowRunner
    let buckets: (any WorkflowBuckets)?

    private static let exceeded = FlowFault(
        "States.ExceedToleratedFailureThreshold", "The specified tolerated failure threshold was exceeded")

    /// The input that an execution is begun with.
    private struct Input: Sendable {
        let text: String
        let count: Int
    }

    func outcome() async -> Result<JSONValue, FlowFault> {
        // A file is there as bytes and as values before its elements are inputs.
        let bytes =
            switch run.distribution.source {
            case .object?: 2 * WorkflowLimits.itemFileBytesMax
            case .listing?: WorkflowLimits.itemFileBytesMax
            case nil: WorkflowLimits.dataBytesMax
            }
        guard await runner.takeMemory(bytes) else {
            return .failure(
                .runtime(
                    "All runs of distributed maps have \(WorkflowLimits.runsBytesMax) bytes in memory, which is the most."
                ))
        }
        defer { runner.giveMemory(bytes) }
        do throws(FlowFault) {
            let settings = try await aside { [run] () throws(FlowFault) in try run.settings() }
            try await keep { [run] transaction in try transaction.open(run, settings) }
            do throws(FlowFault) {
                let inputs = try await inputs(settings)
                try await keep { [run] transaction in
                    try transaction.measure(run.id, executions: inputs.count, items: inputs.reduce(0) { $0 + $1.count })
                }
                let (outcome, tally) = await results(of: inputs, settings)
                // One that is stopped with its execution, or with the server, is not closed here.
                guard !Task.isCancelled else { return outcome }
                let status: FlowStatus = if case .success = outcome { .succeeded } else { .failed }
                try await close(status, settings, tally)
                return outcome
            } catch {
                if !Task.isCancelled { try await close(.failed, settings, nil) }
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    private func close(
        _ status: FlowStatus, _ settings: FlowRunSettings, _ tally: MapTally?
    ) async throws(FlowFault) {
        try await keep { [run] transaction in try transaction.close(run.id, status, settings, tally) }
    }

    private func keep(_ change: @escaping @Sendable (WorkflowTransaction) throws -> Void) async throws(FlowFault) {
        do throws(WorkflowError) { try await workflows.writeAsRunner(change) } catch {
            throw .runtime("The run of the map cannot be kept: \(error.message)")
        }
    }

    /// Works beside the loop, in turn with others.
    private func aside<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FlowFault) -> Value
    ) async throws(FlowFault) -> Value {
        let result = await runner.aside { () -> Result<Value, FlowFault> in
            do throws(FlowFault) { return .success(try body()) } catch { return .failure(error) }
        }
        guard let result else { throw .runtime("The server is about to stop.") }
        return try result.get()
    }

    // MARK: Elements

    private func items(_ settings: FlowRunSettings) async throws(FlowFault) -> [JSONValue] {
        if let items = run.items {
            guard items.count <= WorkflowLimits.runItemsMax else {
                throw .runtime("The input of the map has more than \(WorkflowLimits.runItemsMax) elements.")
            }
            return items
        }
        guard let buckets else { throw FlowItems.fault("There are no buckets here.") }
        guard let bucket = settings.object["Bucket"]?.string else {
            throw FlowItems.fault("The field 'Bucket' is no text.")
        }
        guard run.distribution.source == .object else {
            let limit = try FlowItems.limit(settings.reader) ?? WorkflowLimits.runItemsMax + 1
            let found = try await buckets.list(
                bucket, settings.object["Prefix"]?.string ?? "", max: min(limit, WorkflowLimits.runItemsMax + 1))
            guard found.count <= WorkflowLimits.runItemsMax else {
                throw FlowItems.fault("The bucket has more than \(WorkflowLimits.runItemsMax) objects of that prefix.")
            }
            return found
        }
        guard let key = settings.object["Key"]?.string else { throw FlowItems.fault("The field 'Key' is no text.") }
        let bytes = try await buckets.read(bucket, key, bytesMax: WorkflowLimits.itemFileBytesMax)
        if settings.reader["InputType"]?.string == "MANIFEST" {
            return try await items(ofManifest: bytes, in: buckets, settings.reader)
        }
        return try await aside { () throws(FlowFault) in try FlowItems.items(of: bytes, settings.reader) }
    }

    /// The rows of the files that a manifest lists. All of them together have the bounds of one file.
    private func items(
        ofManifest bytes: [UInt8], in buckets: any WorkflowBuckets, _ config: JSONValue
    ) async throws(FlowFault) -> [JSONValue] {
        let limit = try FlowItems.limit(config) ?? .max
        let manifest = try await aside { () throws(FlowFault) in try FlowManifest(bytes) }
        var items: [JSONValue] = []
        var bytesLeft = WorkflowLimits.itemFileBytesMax
        for key in manifest.keys where items.count < limit {
            let packed = try await buckets.read(manifest.bucket, key, bytesMax: bytesLeft)
            let found = try await aside { [bytesLeft] () throws(FlowFault) in
                try manifest.rows(of: packed, bytesMax: bytesLeft)
            }
            bytesLeft -= found.bytes
            items += found.rows
            guard min(items.count, limit) <= WorkflowLimits.runItemsMax else {
                throw FlowItems.fault("The files of the manifest have more than \(WorkflowLimits.runItemsMax) rows.")
            }
        }
        return Array(items.prefix(limit))
    }

    /// The input that each execution is begun with.
    private func inputs(_ settings: FlowRunSettings) async throws(FlowFault) -> [Input] {
        let items = try await items(settings)
        var batches = try MapBatches(settings, isBatched: run.distribution.isBatched)
        var place = 0
        while place < items.count {
            let part = items[place..<min(items.count, place + WorkflowLimits.itemsAtOnce)]
            place = part.endIndex
            let (run, begun) = (run, batches)
            batches = try await aside { () throws(FlowFault) in
                var batches = begun
                for value in try run.given(part) { try batches.add(value) }
                return batches
            }
        }
        return batches.finished.map { Input(text: $0.text, count: $0.count) }
    }

    // MARK: Executions

    private func results(
        of inputs: [Input], _ settings: FlowRunSettings
    ) async -> (Result<JSONValue, FlowFault>, MapTally) {
        var results = MapResults(run, settings, buckets, runner)
        var tally = MapTally()
        do throws(FlowFault) {
            try await carryOut(inputs, settings, &results, &tally)
            guard !Task.isCancelled else { throw .runtime("The run of the map was stopped.") }
            return (.success(try await results.finish(workflows)), tally)
        } catch {
            return (.failure(error), tally)
        }
    }

    private func carryOut(
        _ inputs: [Input], _ settings: FlowRunSettings, _ results: inout MapResults, _ tally: inout MapTally
    ) async throws(FlowFault) {
        let machine = WorkflowMachine(run, definition: try await definition())
        let total = inputs.reduce(0) { $0 + $1.count }
        let wanted = settings.concurrency == 0 ? Int64(WorkflowLimits.runConcurrencyMax) : settings.concurrency
        let most = Int(min(wanted, Int64(WorkflowLimits.runConcurrencyMax)))
        var next = 0
        let fault: FlowFault? = await withTaskGroup(of: (Int, ExecutionEnd?, FlowFault?).self) { group in
            while next < min(most, inputs.count) {
                let (place, input) = (next, inputs[next])
                group.addTask { [self] in await execution(machine, place, input) }
                next += 1
            }
            while let (place, end, fault) = await group.next() {
                if let fault {
                    group.cancelAll()
                    return fault
                }
                if let end {
                    tally.add(end.execution.status, items: inputs[place].count)
                    do throws(FlowFault) {
                        guard !settings.isExceeded(failed: tally.failedItems, of: total) else { throw Self.exceeded }
                        try await results.add(end, place, workflows)
                    } catch {
                        group.cancelAll()
                        return error
                    }
                }
                if next < inputs.count, !Task.isCancelled {
                    let (place, input) = (next, inputs[next])
                    group.addTask { [self] in await execution(machine, place, input) }
                    next += 1
                }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private func definition() async throws(FlowFault) -> FlowDefinition {
        try await aside { [run] () throws(FlowFault) in
            do throws(FlowRefusal) {
                return try FlowReader.definition(of: run.distribution.text, isExpress: run.distribution.isExpress)
            } catch {
                throw .runtime(error.text)
            }
        }
    }

    /// The name of an execution: the same each time.
    private static func name(of run: String, _ place: Int) -> String {
        UUIDText.versionFour(of: Array(Digest.sha256.of(Array("\(run)/\(place)".utf8)).prefix(16)))
    }

    /// One execution from its begin to its end; a fault is the whole run's.
    private func execution(
        _ machine: WorkflowMachine, _ place: Int, _ input: Input
    ) async -> (Int, ExecutionEnd?, FlowFault?) {
        do throws(WorkflowError) {
            let end = try await workflows.runChild(
                machine, name: Self.name(of: run.id, place), input: input.text,
                of: Workflows.ChildOf(run: run.id, items: input.count))
            return (place, end, nil)
        } catch {
            return (place, nil, Task.isCancelled ? nil : FlowFault("States.Runtime", error.message))
        }
    }
}
