import JSON
import Store
import Synchronization

extension ItemService {
    /// Answers a call. Called on a loop.
    package func answer(_ call: ItemCall, on shard: ItemShard) async -> ItemAnswer {
        await reply(to: call, on: shard).answer()
    }

    /// How a call is answered. Called on a loop.
    ///
    /// Hot path: what reads a few items is read at once, and what writes one waits for nothing but its commit.
    package func reply(to call: ItemCall, on shard: ItemShard) -> ItemReply {
        guard call.body.count <= TableLimits.transactionBytesAtOnce || !call.isLong else {
            return .later { [self] in await answerBeside(call) }
        }
        return reply(reading: call, on: shard)
    }

    /// Answers a call beside the loops, all of it: its body is too long for one of them. Its answer is written there, too.
    package func answerBeside(_ call: ItemCall) async -> ItemAnswer {
        await Task.detached { [self] in
            // The loops' are theirs alone.
            let shard = ItemShard()
            defer { shard.close() }
            return await reply(reading: call, on: shard).answer().written
        }.value
    }

    private func reply(reading call: ItemCall, on shard: ItemShard) -> ItemReply {
        guard let json = try? JSONReader.value(of: call.body, limits: Self.limits) else {
            return .now(ItemAnswer(.serialization("The body of the request is no JSON, or is nested too deeply")))
        }
        do throws(ItemFailure) {
            guard let operation = ItemOperation(call) else { throw .refused(.unknownOperation) }
            if case .createTable = operation, json.isNull { throw .refused(.nothingToCreate) }
            let fields = try refusing { () throws(ItemError) in try RequestFields(json, isStrict: true) }
            let run = ItemRun(self, shard, fields)
            if let refusal = call.refusal.flatMap({ $0(run.demands(operation)) }) { throw .refused(refusal) }
            do throws(ItemFailure) {
                switch operation {
                case .getItem: return try reply(reading: try run.getItem(), on: shard)
                case .query: return try reply(reading: try run.query(), on: shard)
                case .scan: return try reply(reading: try run.scan(), on: shard)
                case .putItem, .updateItem, .deleteItem: return reply(writing: try run.write(operation), run, operation)
                default: return .later { [self] in await answer(run, operation) }
                }
            } catch .outdated where !store.isLocal {
                // Which tables there are is read beside the loop.
                return .later { [self] in await answer(run, operation, isOutdated: true) }
            }
        } catch {
            return .now(answer(error))
        }
    }

    private func reply(reading: some ItemReading, on shard: ItemShard) throws(ItemFailure) -> ItemReply {
        guard store.isLocal else { return replyBeside(reading: reading) }
        do throws(ItemFailure) {
            let writes = acknowledged.load(ordering: .acquiring)
            let reader = try storing { () throws(StoreError) in try shard.readerOfTurn(of: store, behind: writes) }
            return .now(
                try readNow(reader, on: shard) { reader, budget throws(ItemFailure) in
                    try reading.answer(in: reader, within: budget)
                })
        } catch .store(let error) where error.kind == .interrupted {
            return replyBeside(reading: reading)
        }
    }

    private func replyBeside(reading: some ItemReading) -> ItemReply {
        .later { [self] in
            do throws(ItemFailure) {
                return try await readAside { reader, budget throws(ItemFailure) in
                    try reading.answer(in: reader, within: budget)
                }
            } catch {
                return answer(error)
            }
        }
    }

    private func reply(writing: ItemWriting, _ run: ItemRun, _ operation: ItemOperation) -> ItemReply {
        .promised { [self] deliver in
            begin(making: writing.write) { session, now throws(ItemFailure) in
                try Self.within(session) { budget throws(ItemFailure) in
                    writing.write.expect(in: session)
                    try writing.write.table.check(in: session)
                    return try writing.write.run(in: session, now: now, within: budget)
                }
            } answer: { [self] result in
                switch result {
                case .success(let outcome): deliver(writing.answer(outcome))
                case .failure(.undecided): answerLater(run, operation, deliver)
                case .failure(.outdated): answerLater(run, operation, isOutdated: true, deliver)
                case .failure(let failure): deliver(answer(failure))
                }
            }
        }
    }

    /// Answers from the writer's thread, in a task of its own.
    private func answerLater(
        _ run: ItemRun, _ operation: ItemOperation, isOutdated: Bool = false,
        _ deliver: @escaping @Sendable (ItemAnswer) -> Void
    ) {
        Task { [self] in
            // The loop's connection is used on its thread alone.
            let shard = ItemShard()
            defer { shard.close() }
            deliver(await answer(run.again(on: shard), operation, isOutdated: isOutdated))
        }
    }

    private func answer(_ run: ItemRun, _ operation: ItemOperation, isOutdated: Bool = false) async -> ItemAnswer {
        do throws(ItemFailure) {
            return try await answered(run, operation, isOutdated: isOutdated)
        } catch {
            return answer(error)
        }
    }

    /// - Parameter isOutdated: whether the run has found that the tables are others than those that had been read before it.
    private func answered(
        _ run: ItemRun, _ operation: ItemOperation, isOutdated: Bool = false
    ) async throws(ItemFailure) -> ItemAnswer {
        var (run, isOutdated) = (run, isOutdated)
        for _ in 1..<TableLimits.triesMax {
            do throws(ItemFailure) {
                try await findTables(since: isOutdated ? run.readings : nil)
                return try await run.answer(operation)
            } catch .outdated {
                // What is read from here on has what this run has not found.
                (run, isOutdated) = (run.again(on: run.shard), true)
            }
        }
        try await findTables(since: run.readings)
        return try await run.answer(operation)
    }

    private func answer(_ failure: ItemFailure) -> ItemAnswer {
        if let refusal = Self.refusal(failure) { return ItemAnswer(refusal) }
        guard case .store(let error) = failure else { return .internalError("") }
        if StoreFault(error) == .unavailable { return ItemAnswer(.away, status: 503) }
        return .internalError(error.message)
    }

    /// What callers are told; nil: what went wrong is no business of theirs.
    private static func refusal(_ failure: ItemFailure) -> ItemError? {
        switch failure {
        case .refused(let error): error
        case .outdated, .undecided:
            ItemError(type: "ResourceInUseException", message: "The table is being changed. Try again")
        case .store(let error):
            switch StoreFault(error) {
            case .busy: ItemError(type: "ThrottlingException", message: "Rate of requests exceeds the allowed")
            case .value(let fault): .invalidValues(fault)
            case .unavailable, .failed: nil
            }
        }
    }

    // MARK: From within the server

    /// Answers a call that another room makes, of what is no text and never becomes one. Its caller may do everything here. Called on a loop.
    ///
    /// - Parameters:
    ///   - isPlain: whether the items that it reads are wanted without the types of their values.
    ///   - end: when the caller gives up, in milliseconds of the monotonic clock.
    package func answer(
        _ operation: String, _ request: JSONObject, isPlain: Bool = false, until end: Int64 = .max,
        on shard: ItemShard
    ) async throws(ItemError) -> JSONObject {
        do throws(ItemFailure) {
            guard let operation = ItemOperation(rawValue: operation) else { throw .refused(.unknownOperation) }
            let run = ItemRun(self, shard, RequestFields(request), isPlain ? .plain : .typed, until: end)
            return try await answered(run, operation).object ?? JSONObject()
        } catch {
            throw self.error(of: error)
        }
    }

    /// The error that another room gets of a failure. One of the database is reported.
    func error(of failure: ItemFailure) -> ItemError {
        if case .store(let error) = failure { report("a table could not be used: \(error.message)") }
        if case .store(let error) = failure, StoreFault(error) == .unavailable { return .away }
        return Self.refusal(failure) ?? Self.internalError
    }

    /// The same at once, for a read of one item; nil: `answer` is to be asked, which waits. Nothing has been done then. A page can take
    /// longer than a loop has time for, and would be begun twice.
    package func answerNow(
        _ operation: String, _ request: JSONObject, isPlain: Bool = false, on shard: ItemShard
    ) throws(ItemError) -> JSONObject? {
        do throws(ItemFailure) {
            guard store.isLocal, case .getItem? = ItemOperation(rawValue: operation) else { return nil }
            let reading = try ItemRun(self, shard, RequestFields(request)).getItem()
            let writes = acknowledged.load(ordering: .acquiring)
            let reader = try storing { () throws(StoreError) in try shard.readerOfTurn(of: store, behind: writes) }
            return try readNow(reader, on: shard) { reader, budget throws(ItemFailure) in
                try reading.values(in: reader, isPlain: isPlain, within: budget)
            }
        } catch .refused(let error) {
            throw error
        } catch {
            return nil
        }
    }

    private static let internalError = ItemError(
        type: "InternalServerError",
        message: "The request processing has failed because of an unknown error, exception or failure.")

    private static let limits = JSONLimits(
        bytesMax: TableLimits.bodyBytesMax, nestingMax: 2 * ItemLimits.readNestingMax)
}
