import Foundation
import JSON
import TestSupport
import Testing

/// Handlers that take as long as they may, beside queries that take no time.
@Suite("Handlers and others on their loop")
struct HandlerFairnessTests {
    private static let schema = """
        spin: a.query().returns(a.string()).handler(a.handler.custom({ entry: './spin.js' })).authorization(open),
        quick: a.query().arguments({ text: a.string() }).returns(a.string())
          .handler(a.handler.custom({ entry: './quick.js' })).authorization(open),
        Todo: a.model({ name: a.string() }).authorization((allow) => [allow.publicApiKey()]),
        """
    private static let handlers = [
        "spin.js": """
        export function request(ctx) {
          const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
          l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => 1))))))));
          return { payload: 'done' };
        }
        export const response = (ctx) => ctx.result;
        """,
        "quick.js": """
        export const request = (ctx) => ({ payload: ctx.args.text });
        export const response = (ctx) => ctx.result;
        """,
    ]
    private static let spinning = 4
    /// What others may wait at the most, in the median and where it is longest, as parts of what the shortest handler takes. Where the machine
    /// is busy, or stands still for a while, that takes longer too; behind a handler on the loop they would wait for all of it.
    private static let longestPart = 0.7
    private static let usualPart = 0.075

    @Test("a handler that spins to its limit holds nobody up but its own operation")
    func spinning() async throws {
        let server = try ResolverProject(Self.schema, Self.handlers).serve(configuration: #"{"eventLoops": 1}"#)
        let port = server.port
        // What the first ones have to make is made.
        #expect(try server.answer(to: #"{ quick(text: "a") }"#) == #"{"data":{"quick":"a"}}"#)
        try await withThrowingTaskGroup(of: (answer: String, milliseconds: Double).self) { group in
            for _ in 0..<Self.spinning {
                group.addTask {
                    let begin = ContinuousClock.now
                    let answer = try await BlockingThread.run {
                        try OperationClient(port: port).answer(to: "{ spin }")
                    }
                    return (answer, (ContinuousClock.now - begin) / .milliseconds(1))
                }
            }
            let client = try OperationClient(port: port)
            var waited: [Double] = []
            for number in 0..<40 {
                let begin = ContinuousClock.now
                let query = number % 2 == 0 ? #"{ quick(text: "a") }"# : "{ listTodos { items { id } } }"
                let answer = try client.answer(to: query)
                #expect(answer.hasPrefix(#"{"data":"#) && !answer.contains("errors"), "\(answer)")
                waited.append((ContinuousClock.now - begin) / .milliseconds(1))
                try await pause(.milliseconds(20), because: "a client asks now and then while handlers spin")
            }
            var shortest = Double.infinity
            for try await (answer, milliseconds) in group {
                // Each has ended by a limit of its own: memory comes first where the code is quick.
                let isLimited = ["takes too", "needs too much memory"].contains { answer.contains("The program \($0)") }
                #expect(answer.contains(#""errorType":"Code""#) && isLimited, "\(answer)")
                shortest = min(shortest, milliseconds)
            }
            waited.sort()
            #expect(waited[waited.count / 2] < Self.usualPart * shortest, "\(shortest) \(waited)")
            #expect(waited[waited.count - 1] < Self.longestPart * shortest, "\(shortest) \(waited)")
        }
        withExtendedLifetime(server) {}
    }
}
