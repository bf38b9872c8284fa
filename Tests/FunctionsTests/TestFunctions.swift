import Foundation
import JSON
import Network
import Synchronization
import TestSupport

@testable import Functions

/// Functions of a test, and what they report.
final class TestFunctions: Sendable {
    let functions: Functions
    let folder = TemporaryFolder()
    /// What is there as long as the functions are.
    private let kept: TemporaryFolder?
    private let reports = Mutex<[FunctionReport]>([])

    static let program = HomeportProcess.program(named: "test-runtime")

    init(
        _ settings: [FunctionSettings], keeping kept: TemporaryFolder? = nil,
        _ change: (inout FunctionSurroundings) -> Void = { _ in }
    ) throws {
        self.kept = kept
        var surroundings = FunctionSurroundings(folder: folder.path + "/runtimes") { name in
            FunctionCredentials(accessKeyID: "KEY-\(name)", secret: "SECRET", sessionToken: "TOKEN")
        }
        surroundings.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "SECRET_OF_OURS": "x"]
        change(&surroundings)
        // The closure is made before there is anything to report to.
        let box = ReportBox()
        functions = try Functions(settings, surroundings) { box.tell($0) }
        box.take = { [weak self] report in self?.reports.withLock { $0.append(report) } }
    }

    /// One function of the test's own program.
    convenience init(
        _ words: [String] = ["serve"], timeoutSeconds: Int = 60, concurrency: Int = 1,
        _ change: (inout FunctionSettings) -> Void = { _ in }
    ) throws {
        var function = FunctionSettings(name: "test", .words([Self.program] + words), folder: "/tmp")
        function.timeoutSeconds = timeoutSeconds
        function.concurrency = concurrency
        change(&function)
        try self.init([function])
    }

    /// Who is told, from any thread.
    private final class ReportBox: @unchecked Sendable {
        // Safe to share: set once, before any function is called.
        var take: (@Sendable (FunctionReport) -> Void)?
        func tell(_ report: FunctionReport) { take?(report) }
    }

    deinit { functions.stop() }

    var lines: [String] { reports.withLock { $0.map(\.text) } }

    func answer(_ event: JSONValue, of name: String = "test", milliseconds: Int? = nil) async -> FunctionAnswer {
        await functions.invoke(
            FunctionRequest(name, JSONWriter.bytes(of: event), timeoutMilliseconds: milliseconds))
    }

    func outcome(_ event: JSONValue, of name: String = "test") async -> FunctionOutcome {
        await answer(event, of: name).outcome
    }

    /// What a call returns; an error object where it has failed.
    func value(_ event: JSONValue, of name: String = "test") async -> JSONValue {
        switch await outcome(event, of: name) {
        case .result(let bytes), .failed(let bytes): (try? JSONReader.value(of: bytes)) ?? .null
        case .refused(let refusal): .string("refused: \(refusal.message)")
        case .givenUp: "given up"
        }
    }

    static func isAlive(_ process: Int64) -> Bool { kill(Int32(process), 0) == 0 }
}
