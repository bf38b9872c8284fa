import JSON
import Store
import Synchronization

extension ItemService {
    /// Answers a call whose caller may do everything here. Called on a loop.
    package func answer(_ call: ItemCall, on shard: ItemShard) async -> ItemAnswer {
        await reply(to: call, on: shard).answer()
    }

    /// How a call is answered. Called on a loop.
    ///
    /// Hot path: what reads a few items is read at once, and what writes one waits for nothing but its commit.
    package func reply(to call: ItemCall, on shard: ItemShard) -> ItemReply {
        guard let json = try? JSONReader.value(of: call.body, limits: Self.limits) else {
            return .now(ItemAnswer(.serialization("The body of the request is no JSON, or is nested too deeply")))
        }
        do throws(ItemFailure) {
            guard let operation = ItemOperation(call) else { throw .refused(.unknownOperation) }
            if case .createTable = operation, json.isNull { throw .refused(.nothingToCreate) }
            let fields = try refusing { () throws(ItemError) in try RequestFields(json) }
            let run = ItemRun(self, shard, fields)
            switch operation {
            case .getItem: return try reply(reading: try run.getItem(), on: shard)
            case .query: return try reply(reading: try run.query(), on: shard)
            case .scan: return try reply(reading: try run.scan(), on: shard)
            case .putItem, .updateItem, .deleteItem: return reply(writing: try run.write(operation), run, operation)
            default: return .later { [self] in await answer(run, operation) }
            }
        } catch {
            return .now(answer(error))
        }
    }

    private func reply(reading: some ItemReading, on shard: ItemShard) throws(ItemFailure) -> ItemReply {
        do throws(ItemFailure) {
            let writes = acknowledged.load(ordering: .acquiring)
            let reader = try storing { () throws(StoreError) in try shard.readerOfTurn(of: store, behind: writes) }
            return .now(try readNow(reader) { reader throws(ItemFailure) in try reading.answer(in: reader) })
        } catch .store(let error) where error.kind == .interrupted {
            return .later { [self] in
                do throws(ItemFailure) {
                    return try await readAside { reader throws(ItemFailure) in try reading.answer(in: reader) }
                } catch {
                    return answer(error)
                }
            }
        }
    }

    private func reply(writing: ItemWriting, _ run: ItemRun, _ operation: ItemOperation) -> ItemReply {
        .promised { [self] deliver in
            begin { session, now throws(ItemFailure) in
                try writing.write.table.check(in: session)
                return try writing.write.run(in: session, now: now)
            } answer: { [self] result in
                switch result {
                case .success(let outcome): deliver(writing.answer(outcome))
                case .failure(.outdated):
                    forgetTables()
                    Task { [self] in deliver(await answer(run, operation)) }
                case .failure(let failure): deliver(answer(failure))
                }
            }
        }
    }

    private func answer(_ run: ItemRun, _ operation: ItemOperation) async -> ItemAnswer {
        do throws(ItemFailure) {
            for _ in 1..<TableLimits.triesMax {
                do throws(ItemFailure) {
                    return try await run.answer(operation)
                } catch .outdated {
                    forgetTables()
                }
            }
            return try await run.answer(operation)
        } catch {
            return answer(error)
        }
    }

    private func answer(_ failure: ItemFailure) -> ItemAnswer {
        switch failure {
        case .refused(let error): return ItemAnswer(error)
        case .outdated:
            return ItemAnswer(
                ItemError(type: "ResourceInUseException", message: "The table is being changed. Try again"))
        case .store(let error) where error.kind == .overloaded:
            return ItemAnswer(ItemError(type: "ThrottlingException", message: "Rate of requests exceeds the allowed"))
        case .store(let error): return .internalError(error.message)
        }
    }

    private static let limits = JSONLimits(
        bytesMax: TableLimits.bodyBytesMax, nestingMax: 2 * ItemLimits.readNestingMax)
}
