import Foundation
import JSON
import Network
import TestSupport
import Testing

@testable import Functions

/// Real processes of a program that speaks the Runtime API, well or badly.
@Suite("Processes of functions")
struct FunctionProcessTests {
    @Test("a call gets its event with Lambda's fields and nothing that is empty, over one connection")
    func answers() async throws {
        let test = try TestFunctions()
        for call in 1...20 {
            let before = Timestamp.now.millisecondsSince1970
            let answer = await test.answer(["a": "é"])
            guard case .result(let bytes) = answer.outcome else { return #expect(Bool(false), "\(answer)") }
            let value = try JSONReader.value(of: bytes)
            #expect(value["event"] == ["a": "é"])
            #expect(value["calls"] == .integer(Int64(call)))
            let fields = value["fields"]
            #expect(fields?["lambda-runtime-aws-request-id"] == .string(answer.id))
            #expect(fields?["content-type"] == "application/json")
            #expect(
                fields?["lambda-runtime-invoked-function-arn"] == "arn:aws:lambda:us-east-1:123456789012:function:test")
            #expect(fields?["lambda-runtime-client-context"] == nil)
            #expect(fields?["lambda-runtime-cognito-identity"] == nil)
            let trace = fields?["lambda-runtime-trace-id"]?.string ?? ""
            #expect(trace.wholeMatch(of: /Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0/) != nil)
            let deadline = Int64(fields?["lambda-runtime-deadline-ms"]?.string ?? "") ?? 0
            #expect(deadline >= before + 60_000)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let event: JSONValue
        let error: JSONValue
        var testDescription: String { JSONWriter.text(of: event) }
    }

    static let failures: [Row] = [
        Row(event: ["do": "error"], error: ["errorType": "Test.Error", "errorMessage": "no"]),
        // The cause of an error for tracing may have a mebibyte, in one line.
        Row(event: ["do": "error", "count": 1_048_576], error: ["errorType": "Test.Error", "errorMessage": "no"]),
        Row(event: ["do": "broken"], error: ["errorMessage": "half", "errorType": "Test.Half"]),
        Row(
            event: ["do": "mode"],
            error: ["errorType": "Runtime.InvalidResponseModeHeader", "errorMessage": "Invalid function response mode"]),
        Row(
            event: ["do": "large", "count": 6_291_555],
            error: [
                "errorType": "Function.ResponseSizeTooLarge",
                "errorMessage":
                    "Response payload size (6291557 bytes) exceeded maximum allowed payload size (6291556 bytes).",
            ]),
    ]

    @Test("what a function says of its failure is what its caller gets, and the process goes on", arguments: failures)
    func fails(row: Row) async throws {
        let test = try TestFunctions()
        let process = await test.value(["do": "process"])
        let outcome = await test.outcome(row.event)
        #expect(outcome == .failed(JSONWriter.bytes(of: row.error)))
        #expect(await test.value(["do": "process"]) == process)
    }

    static let ends: [(JSONValue, String)] = [
        (["do": "exit", "count": 3], "Runtime exited with error: exit status 3"),
        (["do": "exit", "count": 0], "Runtime exited without providing a reason"),
        (["do": "signal", "count": 9], "Runtime exited with error: signal: killed"),
        (["do": "signal", "count": 15], "Runtime exited with error: signal: terminated"),
    ]

    @Test("a process that ends during a call is told, and the next call has a new one", arguments: ends)
    func endsDuringACall(event: JSONValue, sentence: String) async throws {
        let test = try TestFunctions()
        let first = await test.value(["do": "process"])
        let answer = await test.answer(event)
        let error: JSONValue = [
            "errorType": "Runtime.ExitError", "errorMessage": .string("RequestId: \(answer.id) Error: \(sentence)"),
        ]
        #expect(answer.outcome == .failed(JSONWriter.bytes(of: error)))
        let second = await test.value(["do": "process"])
        #expect(second.integer != nil && second != first)
    }

    @Test("a call that takes too long is ended with its process and what that has started", .timeLimit(.minutes(10)))
    func timesOut() async throws {
        let test = try TestFunctions(timeoutSeconds: 1)
        var found: Int64?
        // A machine that is busy may take longer than the second for any call.
        try await eventually("a child is started") {
            found = await test.value(["do": "child"]).integer
            return found != nil
        }
        let child = try #require(found)
        #expect(TestFunctions.isAlive(child))
        let answer = await test.answer(["do": "hang"])
        let error: JSONValue = [
            "errorType": "Sandbox.Timedout",
            "errorMessage": .string("RequestId: \(answer.id) Error: Task timed out after 1.00 seconds"),
        ]
        #expect(answer.outcome == .failed(JSONWriter.bytes(of: error)))
        #expect(test.lines.contains("Task timed out after 1.00 seconds"))
        try await eventually("a new process answers") { await test.value(["do": "descriptors"]).array != nil }
        // Its number may live on as an entry that the first process of the machine has not taken yet.
        try await eventually("the child \(child) has ended") { (Self.state(of: child) ?? "Z") == "Z" }
    }

    /// What the system says of a process.
    private static func state(of process: Int64) -> Character? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
        return text.split(separator: ")").last?.drop { $0 == " " }.first
    }

    @Test("what is refused changes nothing, and the connection goes on")
    func refusals() async throws {
        let test = try TestFunctions()
        #expect(await test.value(["do": "foreign"]) == 400)
        #expect(await test.value(["do": "late start"]) == 403)
        #expect(await test.value(["do": "strangers"]) == [403, 403, 403, 403, 403])
        #expect(await test.value(["do": "twice"]) == 1)
        #expect(await test.value(["do": "chunks"]) == "ab")
        #expect(await test.value(["do": "process"]).integer != nil)
        #expect(test.lines.contains("second answer: 400"))
        #expect(test.lines.contains("status 202"))
    }

    @Test("the largest result is taken")
    func largest() async throws {
        let test = try TestFunctions()
        guard case .result(let bytes) = await test.outcome(["do": "large", "count": 6_291_554]) else {
            return #expect(Bool(false))
        }
        #expect(bytes.count == RuntimeLimits.payloadBytesMax)
    }

    @Test("an event that is too large is refused, and nothing that is not there is called")
    func refused() async throws {
        let test = try TestFunctions()
        let event = [UInt8](repeating: UInt8(ascii: "1"), count: RuntimeLimits.payloadBytesMax + 1)
        let answer = await test.functions.invoke(FunctionRequest("test", event))
        #expect(answer.outcome == .refused(.tooLarge(bytesMax: RuntimeLimits.payloadBytesMax)))
        let other = await test.functions.invoke(FunctionRequest("other", []))
        #expect(other.outcome == .refused(.notThere("other")))
    }

    @Test("a start that fails answers who waits for it, in the runtime's words or the platform's")
    func startFails() async throws {
        let told = try TestFunctions(["fail"])
        for _ in 0..<3 {
            #expect(
                await told.value([:]) == ["errorType": "Test.Start", "errorMessage": "no start", "trace": []])
        }
        let ended = try TestFunctions(["exit", "7"])
        let answer = await ended.answer([:])
        let error = "RequestId: \(answer.id) Error: Runtime exited with error: exit status 7"
        #expect(
            answer.outcome
                == .failed(JSONWriter.bytes(of: ["errorType": "Runtime.ExitError", "errorMessage": .string(error)])))
        let missing = try TestFunctions { $0.program = .words(["no-such-program"]) }
        #expect(
            await missing.outcome([:])
                == .refused(
                    .cannotStart("there is no program no-such-program: give its path in functions.test.command")))
        let nowhere = try TestFunctions { $0.folder = "/no/such/folder" }
        guard case .refused(.cannotStart) = await nowhere.outcome([:]) else { return #expect(Bool(false)) }
    }

    @Test("two calls at once are done by two processes, a third waits for one of them")
    func concurrency() async throws {
        let test = try TestFunctions(concurrency: 2)
        let file = test.folder.path + "/go"
        // Both are in their calls before either can end, or none ever would.
        async let first = test.value(["do": "wait", "file": .string(file)])
        async let second = test.value(["do": "wait", "file": .string(file)])
        async let third = test.value(["do": "wait", "file": .string(file)])
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        let processes = await [first, second, third].map { $0.integer ?? 0 }
        #expect(Set(processes).count <= 2 && !processes.contains(0))
    }

    @Test("who waits no longer gets no answer, and the function goes on")
    func givesUp() async throws {
        let test = try TestFunctions(concurrency: 2)
        let file = test.folder.path + "/go"
        let answer = await test.answer(["do": "wait", "file": .string(file)], milliseconds: 1)
        #expect(answer.outcome == .givenUp)
        let task = Task { await test.answer(["do": "wait", "file": .string(file)]) }
        task.cancel()
        #expect(await task.value.outcome == .givenUp)
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        #expect(await test.value(["do": "process"]).integer != nil)
    }

    @Test("a process gets its variables, and nothing else of the server's")
    func variables() async throws {
        let test = try TestFunctions {
            $0.environment = [
                "TABLE": "t", "AWS_LAMBDA_FUNCTION_NAME": "other", "AWS_REGION": "x", "TZ": "Europe/Berlin",
            ]
        }
        let variables = await test.value(["do": "variables"])
        let expected: [String: String] = [
            "TABLE": "t", "AWS_LAMBDA_FUNCTION_NAME": "test", "AWS_REGION": "us-east-1", "TZ": "Europe/Berlin",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
            "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/test", "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "_HANDLER": "index.handler", "LAMBDA_TASK_ROOT": "/tmp", "AWS_ACCESS_KEY_ID": "KEY-test",
            "AWS_SECRET_ACCESS_KEY": "SECRET", "AWS_SESSION_TOKEN": "TOKEN",
        ]
        for (name, value) in expected { #expect(variables[name] == .string(value), "\(name)") }
        #expect(variables["SECRET_OF_OURS"] == nil)
        #expect(variables["AWS_LAMBDA_MAX_CONCURRENCY"] == nil)
        let stream = variables["AWS_LAMBDA_LOG_STREAM_NAME"]?.string ?? ""
        #expect(stream.wholeMatch(of: /\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}/) != nil)
    }

    @Test("a process has three descriptors, no blocked signal, and the memory that its function may have")
    func isClean() async throws {
        let test = try TestFunctions { $0.memoryMegabytes = 128 }
        #expect(await test.value(["do": "descriptors"]) == [0, 1, 2])
        #expect(await test.value(["do": "signals"]) == [])
        #expect(await test.value(["do": "memory", "count": 1_000_000]) == true)
        #expect(await test.value(["do": "memory", "count": 1_000_000_000]) == false)
    }

    @Test("what a function writes is told with its name and its call, in lines, and a flood is cut")
    func output() async throws {
        let test = try TestFunctions()
        let answer = await test.answer(["do": "say", "text": "one\rtwo\n\nthree"])
        #expect(test.lines.filter { ["one", "two", "three"].contains($0) } == ["one", "two", "three"])
        #expect(String(decoding: answer.tail, as: UTF8.self).contains("two\nthree\n"))
        _ = await test.value(["do": "flood", "count": 20_000])
        #expect(await test.value(["do": "process"]).integer != nil)
        #expect(test.lines.count < 20_000)
    }

    @Test("a line for the shell is a command too")
    func shell() async throws {
        let test = try TestFunctions { $0.program = .line("exec \(TestFunctions.program) serve") }
        #expect(await test.value(["do": "process"]).integer != nil)
    }

    @Test("what a shell runs has the memory that its function may have, and no more")
    func shellMemory() async throws {
        let test = try TestFunctions {
            $0.memoryMegabytes = 128
            $0.program = .line("\(TestFunctions.program) serve; true")
        }
        #expect(await test.value(["do": "memory", "count": 1_000_000]) == true)
        #expect(await test.value(["do": "memory", "count": 1_000_000_000]) == false)
    }

    @Test("all processes end with the functions, also one that is busy, and nothing is called behind that")
    func stops() async throws {
        let test = try TestFunctions(concurrency: 2)
        let idle = await test.value(["do": "process"]).integer ?? 0
        let busy = Task { await test.value(["do": "hang"]) }
        // The second call has the process that is free; a third one would need another.
        let other = await test.value(["do": "process"]).integer ?? 0
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                test.functions.stop()
                continuation.resume()
            }
        }
        #expect(!TestFunctions.isAlive(idle) && !TestFunctions.isAlive(other))
        #expect(await busy.value != "given up")
        #expect(await test.outcome([:]) == .refused(.stopping))
    }

    @Test("beyond its number a function's calls are refused")
    func waiting() async throws {
        let test = try TestFunctions(["hang"])
        let refused = await withTaskGroup(of: FunctionOutcome.self) { group in
            for _ in 0...RuntimeLimits.waitingMax {
                group.addTask { await test.outcome([:]) }
            }
            // All others wait for a process that never asks.
            let first = await group.next()
            group.cancelAll()
            return first
        }
        #expect(refused == .refused(.tooMany))
    }
}
