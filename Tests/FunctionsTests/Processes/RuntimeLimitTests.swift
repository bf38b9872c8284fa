import Foundation
import JSON
import TestSupport
import Testing

@testable import Functions

/// What a function may do, from inside of it.
@Suite("Limits of functions")
struct RuntimeLimitTests {
    @Test("a result that is streamed may be longer, and is refused beyond")
    func streamed() async throws {
        let test = try TestFunctions()
        let max = RuntimeLimits.streamedBytesMax
        guard
            case .result(let bytes) = await test.outcome([
                "do": "large", "streamed": true, "count": .integer(Int64(max - 2)),
            ])
        else { return #expect(Bool(false)) }
        #expect(bytes.count == max)
        let error = await test.value(["do": "large", "streamed": true, "count": .integer(Int64(max - 1))])
        #expect(error["errorType"] == "Function.ResponseSizeTooLarge")
        #expect(await test.value(["do": "process"]).integer != nil)
    }

    @Test("a head or a trailer beyond all measure ends the process, and its caller is told")
    func heads() async throws {
        let test = try TestFunctions()
        #expect(await test.value(["do": "error", "count": 1_048_576])["errorType"] == "Test.Error")
        for event: JSONValue in [
            ["do": "error", "count": .integer(Int64(RuntimeLimits.headBytesMax) + 1)],
            ["do": "trailer", "count": .integer(Int64(RuntimeLimits.trailerBytesMax) + 1)],
        ] {
            #expect(await test.value(event)["errorType"] == "Runtime.ExitError", "\(event)")
        }
        #expect(await test.value(["do": "process"]).integer != nil)
    }

    @Test("a process has so many connections and descriptors")
    func descriptors() async throws {
        let test = try TestFunctions()
        let wanted = RuntimeLimits.connectionsMax + 10
        let served = await test.value(["do": "connections", "count": .integer(Int64(wanted))])
        #expect(served == .integer(Int64(RuntimeLimits.connectionsMax) - 1))
        #expect(await test.value(["do": "open"]) == .integer(Int64(RuntimeLimits.descriptorsMax)))
    }

    @Test("the log that a caller gets is the end of it")
    func tail() async throws {
        let test = try TestFunctions()
        let answer = await test.answer(["do": "flood", "count": 200])
        #expect(answer.tail.count == RuntimeLimits.tailBytesMax)
    }

    @Test("events that wait for their turn take no more memory than they may, in all functions together")
    func waitingBytes() async throws {
        let functions = ["a", "b"].map {
            FunctionSettings(name: $0, .words([TestFunctions.program, "hang"]), folder: "/tmp")
        }
        let test = try TestFunctions(functions)
        let event = [UInt8](repeating: UInt8(ascii: "1"), count: RuntimeLimits.payloadBytesMax)
        let refused = await withTaskGroup(of: FunctionOutcome.self) { group in
            for number in 0...RuntimeLimits.waitingBytesMax / event.count {
                group.addTask {
                    await test.functions.invoke(FunctionRequest(number.isMultiple(of: 2) ? "a" : "b", event)).outcome
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        #expect(refused == .refused(.tooMany))
    }

    @Test("functions have so many processes together, and one that is free goes for one that is needed")
    func processes() async throws {
        let functions = ["many", "other"].map { name in
            var function = FunctionSettings(name: name, .words([TestFunctions.program, "serve"]), folder: "/tmp")
            function.concurrency = RuntimeLimits.processesMax
            function.timeoutSeconds = 600
            return function
        }
        let test = try TestFunctions(functions)
        let file = test.folder.path + "/go"
        let event: JSONValue = ["do": "wait", "file": .string(file)]
        let processes = await withTaskGroup(of: JSONValue.self) { group in
            for _ in 0..<RuntimeLimits.processesMax + 8 { group.addTask { await test.value(event, of: "many") } }
            group.addTask { await test.value(event, of: "other") }
            _ = FileManager.default.createFile(atPath: file, contents: nil)
            return await group.reduce(into: Set<Int64>()) { $0.insert($1.integer ?? 0) }
        }
        #expect(!processes.contains(0))
        #expect(processes.count { TestFunctions.isAlive($0) } <= RuntimeLimits.processesMax)
    }
}
