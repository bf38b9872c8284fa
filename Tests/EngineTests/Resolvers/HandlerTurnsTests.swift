import JSON
import Resolvers
import Testing
import Threads

@testable import Engine

@Suite("Handlers on a loop and beside it")
struct HandlerTurnsTests {
    private static let text = """
        import { util } from '@aws-appsync/utils';
        export function request(ctx) {
          const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
          let n = 0;
          if (ctx.args.long) l.forEach(() => l.forEach(() => l.forEach(() => { n += 1; n += 1; n += 1; n += 1; })));
          ctx.stash.times = (ctx.stash.times ?? 0) + 1;
          console.log('once');
          return n;
        }
        export function response(ctx) { return ctx.result; }
        """

    private static func turns(
        _ workers: HandlerWorkers, turn: Int64 = 5, hasTurns: Bool = false
    ) -> HandlerTurns {
        var limits = EngineLimits()
        limits.handlersTurnMilliseconds = turn
        return HandlerTurns(workers, limits) { hasTurns }
    }

    private static func context(isLong: Bool) -> ResolverContext {
        ResolverContext(json: ["arguments": ["long": .bool(isLong)]])
    }

    @Test("what is begun on the loop and goes on beside it has happened once")
    func once() async throws {
        let code = try ResolverCode(javaScript: Self.text)
        let turns = Self.turns(HandlerWorkers(waitingMax: 10))
        for isLong in [false, true, true, false] {
            let outcome = try await turns.outcome(
                of: code, .request, Self.context(isLong: isLong), until: .max)
            guard case .value(let value) = outcome.end else {
                Issue.record("no value: \(outcome.end)")
                continue
            }
            #expect(value == .integer(isLong ? 4_000 : 0))
            #expect(outcome.stash["times"] == 1 && outcome.logs.count == 1, "\(outcome)")
        }
    }

    @Test("where too many wait, and where the operation's time is over, it fails with a reason")
    func refused() async throws {
        let code = try ResolverCode(javaScript: Self.text)
        let full = Self.turns(HandlerWorkers(waitingMax: 0))
        // What the loop has time for is not refused.
        _ = code.run(.request, Self.context(isLong: false))
        var isDone = false
        for _ in 0..<100 where !isDone {
            isDone = (try? await full.outcome(of: code, .request, Self.context(isLong: false), until: .max)) != nil
        }
        #expect(isDone)
        await #expect(throws: CallFailure.self) {
            try await full.outcome(of: code, .request, Self.context(isLong: true), until: .max)
        }
        let late = Self.turns(HandlerWorkers(waitingMax: 10))
        await #expect(throws: CallFailure.timedOut) {
            try await late.outcome(of: code, .request, Self.context(isLong: true), until: 0)
        }
    }

    @Test("short ones have a share of a turn, all together; the next turn has its own")
    func share() async throws {
        let code = try ResolverCode(javaScript: Self.text)
        _ = code.run(.request, Self.context(isLong: false))
        let turns = Self.turns(HandlerWorkers(waitingMax: 0), turn: 1, hasTurns: true)
        /// How many run on the loop before one has to go beside it, where nobody takes it.
        func count() async -> Int {
            for number in 0..<1_000_000 {
                do throws(CallFailure) {
                    _ = try await turns.outcome(of: code, .request, Self.context(isLong: false), until: .max)
                } catch {
                    return number
                }
            }
            return 1_000_000
        }
        #expect(await count() < 1_000_000)
        #expect(await count() == 0)
        var isAllowed = false
        for _ in 0..<100 where !isAllowed {
            turns.turnEnded()
            isAllowed = await count() > 0
        }
        #expect(isAllowed)
    }
}
