import Testing

@testable import Functions

/// What a runtime may ask and say, event by event.
@Suite("The machine of the Runtime API")
struct RuntimeMachineTests {
    enum Step: Sendable, Equatable {
        case next, work(String), answer(String), startError
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        /// What each step says: nothing, the id of a call that ends, or a refusal's type.
        let says: [String]
        var testDescription: String { name }
    }

    private static let state = "InvalidStateTransition"
    private static let id = "InvalidRequestID"

    static let rows: [Row] = [
        Row(
            name: "a call is over when its runtime asks again",
            steps: [.next, .work("a"), .answer("a"), .next, .work("b")], says: ["", "", "", "a", ""]),
        Row(
            name: "an answer to another call is refused, and the call goes on",
            steps: [.next, .work("a"), .answer("b"), .answer("a")], says: ["", "", id, ""]),
        Row(
            name: "a second answer is refused", steps: [.next, .work("a"), .answer("a"), .answer("a")],
            says: ["", "", "", id]),
        Row(
            name: "an answer before all work is refused", steps: [.answer("a"), .next, .answer("a")],
            says: [id, "", id]),
        Row(name: "the start fails before the first question only", steps: [.next, .startError], says: ["", state]),
        Row(
            name: "nothing is asked behind a start that has failed", steps: [.startError, .next, .startError],
            says: ["", state, state]),
        Row(name: "nothing is asked while a call runs", steps: [.next, .work("a"), .next], says: ["", "", state]),
        Row(name: "a question may be asked anew", steps: [.next, .next, .work("a")], says: ["", "", ""]),
        Row(
            name: "no work is given to who has not asked", steps: [.work("a"), .next, .work("a")], says: ["no", "", ""]),
    ]

    @Test("each step is taken or refused as Lambda does it", arguments: rows)
    func steps(row: Row) {
        var machine = RuntimeMachine()
        let said = row.steps.map { step -> String in
            switch step {
            case .next:
                switch machine.next() {
                case .wait(let ended): return ended ?? ""
                case .refuse(let refusal): return refusal.type
                }
            case .work(let id): return machine.begin(id) ? "" : "no"
            case .answer(let id): return machine.answer(id)?.type ?? ""
            case .startError: return machine.failStart()?.type ?? ""
            }
        }
        #expect(said == row.says)
    }

    @Test(
        "a path is one of the API's, or none",
        arguments: [
            ("/2018-06-01/runtime/invocation/next", RuntimePath.next),
            ("/2018-06-01/runtime/invocation/x-1/response", .response("x-1")),
            ("/2018-06-01/runtime/invocation/x-1/error", .error("x-1")),
            ("/2018-06-01/runtime/init/error", .startError), ("/2018-06-01/runtime/restore/next", nil),
            ("/2018-06-01/runtime/invocation//response", nil), ("/2018-06-01/runtime/invocation/next/x", nil),
            ("/2018-06-01/runtime", nil), ("/", nil),
        ] as [(String, RuntimePath?)])
    func paths(path: String, expected: RuntimePath?) {
        #expect(RuntimePath(path) == expected)
    }

    @Test(
        "a type of an error that a field tells is kept where it has a form",
        arguments: [
            ("Runtime.ExitError", "Runtime.ExitError"), ("Function.MyError", "Function.MyError"),
            ("Function.my error", "Function.Unknown"), ("unhandled", "Runtime.Unknown"), (nil, "Runtime.Unknown"),
            ("Runtime.", "Runtime.Unknown"), ("Runtime.x", "Runtime.Unknown"), ("Function.A1", "Function.Unknown"),
        ] as [(String?, String)])
    func types(told: String?, kept: String) {
        #expect(FunctionFailure.type(told) == kept)
    }
}
