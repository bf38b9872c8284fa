import JSON
import TestSupport
import Testing

@testable import Functions

@Suite("Calls that nobody waits for", .timeLimit(.minutes(10)))
struct LaterCallTests {
    @Test("a call is made once it is taken, and one that cannot be is refused")
    func taken() async throws {
        let test = try TestFunctions()
        let event = JSONWriter.bytes(of: ["do": "say", "text": "told"])
        #expect(await test.functions.invokeLater(FunctionRequest("test", event)) == nil)
        try await eventually("the call is made") { test.lines.contains("told") }
        let long = [UInt8](repeating: UInt8(ascii: "1"), count: RuntimeLimits.eventBytesMax + 1)
        #expect(
            await test.functions.invokeLater(FunctionRequest("test", long))
                == .tooLarge(bytesMax: RuntimeLimits.eventBytesMax))
        #expect(await test.functions.invokeLater(FunctionRequest("other", [])) == .notThere("other"))
    }

    @Test("no more wait than may, and what fails is told to be made again")
    func limit() async throws {
        let test = try TestFunctions()
        let failing = JSONWriter.bytes(of: ["do": "error"])
        #expect(await test.functions.invokeLater(FunctionRequest("test", failing)) == nil)
        try await eventually("the call has failed") { test.lines.contains("an event is delivered again in 60 seconds") }
        let file = test.folder.path + "/never"
        let event = JSONWriter.bytes(of: ["do": "wait", "file": .string(file)])
        for _ in 1..<RuntimeLimits.laterMax {
            #expect(await test.functions.invokeLater(FunctionRequest("test", event)) == nil)
        }
        #expect(await test.functions.invokeLater(FunctionRequest("test", event)) == .tooMany)
    }
}
