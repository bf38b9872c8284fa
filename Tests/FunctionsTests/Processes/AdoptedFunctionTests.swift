import Glibc
import JSON
import Network
import TestSupport
import Testing

@testable import Functions

@Suite("Functions that are set otherwise while they run")
struct AdoptedFunctionTests {
    private static func function(_ name: String, _ word: String = "") -> FunctionSettings {
        var function = FunctionSettings(name: name, .words([TestFunctions.program, "serve"]), folder: "/tmp")
        function.timeoutSeconds = 600
        function.environment = ["WORD": word]
        return function
    }

    private static func word(of functions: TestFunctions, _ name: String) async -> JSONValue? {
        await functions.value(["do": "variables"], of: name)["WORD"]
    }

    @Test("the next call finds new variables in a new process, and one that is as it was keeps its process")
    func variables() async throws {
        let functions = try TestFunctions([Self.function("a", "old"), Self.function("b", "same")])
        #expect(await Self.word(of: functions, "a") == "old")
        let process = await functions.value(["do": "process"], of: "b")
        functions.functions.adopt([Self.function("a", "new"), Self.function("b", "same"), Self.function("c", "third")])
        #expect(await Self.word(of: functions, "a") == "new")
        #expect(await functions.value(["do": "process"], of: "b") == process)
        #expect(functions.functions.has("c"))
        #expect(await Self.word(of: functions, "c") == "third")
    }

    @Test("one that is gone is not there, what it does ends as it has begun, and it may come back")
    func gone() async throws {
        let functions = try TestFunctions([Self.function("a", "old")])
        let process = await functions.value(["do": "process"], of: "a").integer ?? 0
        async let running = functions.value(["do": "variables", "milliseconds": 300], of: "a")
        functions.functions.adopt([])
        #expect(!functions.functions.has("a"))
        #expect(await functions.value(["do": "variables"], of: "a").string?.hasPrefix("refused: ") == true)
        // It was begun before, or is refused like the other: never lost.
        let told = await running
        #expect(told["WORD"] == "old" || told.string?.hasPrefix("refused: ") == true, "\(told)")
        functions.functions.adopt([Self.function("a", "again")])
        #expect(await Self.word(of: functions, "a") == "again")
        try await eventually("the process \(process) has ended") { !TestFunctions.isAlive(process) }
    }
}
