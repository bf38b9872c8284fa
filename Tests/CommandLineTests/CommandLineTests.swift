// What the tests of the command line share: running it in this process, and running other programs.

import Foundation
import Server
import Synchronization
import TestSupport
import Testing

@testable import homeport

/// What a run printed, and how it ended.
struct Outcome {
    var code: ExitCode
    var output = ""
    var diagnostics = ""
}

/// Runs the command line in this process.
func run(_ arguments: [String], environment: [String: String] = [:]) -> Outcome {
    let texts = Mutex((output: "", diagnostics: ""))
    let output = CommandOutput(
        standard: { text in texts.withLock { $0.output += text } },
        diagnostics: { text in texts.withLock { $0.diagnostics += text } })
    let code = Runner(output: output, environment: environment).run(arguments)
    let printed = texts.withLock { $0 }
    return Outcome(code: code, output: printed.output, diagnostics: printed.diagnostics)
}

/// Runs a program and answers what it printed, or nil when the machine does not have it.
func shell(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String? {
    let path = ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + program }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else {
        print("note: there is no \(program) on this machine; its completion is not tested")
        return nil
    }
    let variables = ["PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory()].merging(environment) { $1 }
    return try ChildProcess.said([path] + arguments, environment: variables, isWithErrors: true).text
}
