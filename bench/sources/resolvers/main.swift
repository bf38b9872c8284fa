import Glibc
import JSON
import Resolvers

// Runs the two handlers of a resolver in a loop, and says what a pair of them costs in processor time.
//
//     resolvers-bench [FILE] [ROUNDS]

let sample = """
    import { util } from '@aws-appsync/utils';
    export function request(ctx) {
      return { operation: "GetItem", key: util.dynamodb.toMapValues({ id: ctx.args.id }) };
    }
    export function response(ctx) {
      if (ctx.error) util.error(ctx.error.message, ctx.error.type);
      return ctx.result;
    }
    """

func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
}

let arguments = CommandLine.arguments
let code = arguments.count > 1 ? text(of: arguments[1]) ?? sample : sample
let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 200_000 : 200_000
do throws(ResolverCodeError) {
    let resolver = try ResolverCode(javaScript: code)
    var request = ResolverContext(json: ["arguments": ["id": "7f2c1b34-0000-4000-8000-123456789abc"]])
    request.identity = ["sub": "user", "username": "user"]
    var response = request
    response.result = [
        "id": "7f2c1b34-0000-4000-8000-123456789abc", "title": "A title", "votes": 12, "tags": ["a", "b"],
        "createdAt": "2026-01-01T00:00:00.000Z",
    ]
    func run(_ count: Int) {
        for _ in 0..<count {
            let asked = resolver.run(.request, request)
            var context = response
            context.stash = asked.stash
            let answered = resolver.run(.response, context)
            guard case .value = asked.end, case .value = answered.end else {
                print("failed: \(asked.end) \(answered.end)")
                exit(1)
            }
        }
    }
    run(rounds / 10)
    let start = processorSeconds()
    run(rounds)
    let microseconds = (processorSeconds() - start) * 1e6 / Double(rounds)
    print("\((microseconds * 100).rounded() / 100) µs a request and its response, over \(rounds) rounds")
} catch {
    for finding in error.findings { print("\(finding.place.line):\(finding.place.column) \(finding.message)") }
    exit(1)
}
