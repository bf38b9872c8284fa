import Access
import JSON
import TestSupport
import Testing

@testable import Functions
@testable import Server

/// Functions as they are configured.
@Suite("Functions of a configuration")
struct FunctionSettingTests {
    private static func configuration(_ functions: JSONValue) -> Configuration {
        var configuration = Configuration()
        configuration.functions = [String: FunctionSetting](configured: functions) ?? [:]
        configuration.nameFunctions()
        return configuration
    }

    @Test("each has an address, whether it is at a URL or run here")
    func addresses() {
        var configuration = Self.configuration(["a": ["url": "http://a"], "b": ["command": "b"]])
        #expect(configuration.engine.functions == ["a": "http://a", "b": FunctionAddress.of("b")])
        #expect(FunctionAddress.name(in: FunctionAddress.of("b")) == "b" && FunctionAddress.name(in: "http://a") == nil)
        #expect(configuration.functionsHere.map(\.name) == ["b"])
        configuration.auth.authorizerURL = "b"
        configuration.nameFunctions()
        #expect(configuration.auth.authorizerURL == FunctionAddress.of("b"))
    }

    @Test("names of functions that are not there are faults")
    func names() {
        var configuration = Self.configuration(["a": ["command": "a"]])
        #expect(configuration.functionFaults().isEmpty)
        configuration.auth.authorizerURL = "other"
        configuration.project.conflictStrategy = .lambda(url: "third")
        configuration.project.conflictStrategies = ["Post": .lambda(url: "a")]
        #expect(configuration.functionFaults().map(\.key) == ["auth.lambda.url", "features.conflictDetection"])
    }

    @Test("a handler of a file runs in the file's folder, and a runtime is told its name")
    func handlers() throws {
        let folder = TemporaryFolder()
        try folder.write("", to: "src/index.py")
        let configuration = Self.configuration([
            "a": ["handler": .string("\(folder.path)/src/index.answer"), "timeout": 9]
        ])
        let function = try #require(configuration.functionsHere.first)
        #expect(function.folder == folder.path + "/src" && function.handler == "index.answer")
        #expect(
            function.program
                == .handler(HandlerPlace(file: folder.path + "/src/index.py", export: "answer", language: .python)))
        #expect(function.timeoutSeconds == 9 && function.memoryMegabytes == 512 && function.concurrency == 10)
    }

    @Test(
        "a schedule is one text, an object, or several",
        arguments: [
            ("every 5m", ["every 5m"]), (["every day", "every 2h"], ["every day", "every 2h"]),
            ([["rate": "5 minutes"], ["cron": "0 9 * * ?", "timezone": "UTC"]], ["rate(5 minutes)", "0 9 * * ?"]),
        ] as [(JSONValue, [String])])
    func schedules(value: JSONValue, texts: [String]) {
        let configuration = Self.configuration(["a": ["command": "a", "schedule": value]])
        #expect(configuration.functions["a"]?.schedules.map(\.text) == texts)
        #expect(configuration.functionFaults().isEmpty)
    }

    @Test("a schedule that is none is a fault, and one of a function that runs elsewhere")
    func wrongSchedules() {
        let configuration = Self.configuration([
            "a": ["command": "a", "schedule": "sometimes"], "b": ["url": "http://b", "schedule": "every 5m"],
            "c": ["command": "a", "schedule": [["cron": "0 9 * * ?", "timezone": "Nowhere/Here"]]],
        ])
        #expect(
            configuration.functionFaults().map { String($0.message.prefix(12)) } == [
                "a: schedule:", "b: schedule:", "c: schedule:",
            ])
    }

    @Test("a function's keys are its own, and nobody else's token makes them good")
    func roles() {
        let roles = FunctionRoles(["a", "b"])
        let (a, b) = (roles.credentials(of: "a"), roles.credentials(of: "b"))
        let credential = roles.credential(ofKey: a.accessKeyID, sessionToken: a.sessionToken)
        #expect(credential?.secret == a.secret && credential?.principal.function == "a")
        #expect(a.accessKeyID.utf8.count == 20 && a.accessKeyID != b.accessKeyID && a.secret != b.secret)
        #expect(roles.credential(ofKey: a.accessKeyID, sessionToken: b.sessionToken) == nil)
        #expect(roles.credential(ofKey: a.accessKeyID, sessionToken: "") == nil)
        let others = FunctionRoles(["a"])
        #expect(others.credential(ofKey: a.accessKeyID, sessionToken: a.sessionToken) == nil)
    }
}
