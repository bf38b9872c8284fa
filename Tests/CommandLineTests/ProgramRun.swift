import Foundation
import Server
import TestSupport

@testable import homeport

/// The program in a process of its own, run in a folder to its end.
enum ProgramRun {
    /// Starts it without waiting, with files for what it prints.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil
    ) throws -> (process: ChildProcess, output: String, errors: String) {
        let (output, errors) = (folder.file("out.txt"), folder.file("err.txt"))
        let process = try ChildProcess(
            [HomeportProcess.program] + arguments, environment: ["PATH": "/usr/bin:/bin"], in: folder.path,
            input: input.map { .file(try folder.write($0, to: "in.txt")) } ?? .nothing,
            output: .file(output), errors: .file(errors))
        return (process, output, errors)
    }

    static func outcome(_ arguments: [String], in folder: TemporaryFolder, input: String? = nil) throws -> Outcome {
        let (process, output, errors) = try start(arguments, in: folder, input: input)
        return Outcome(
            code: ExitCode(rawValue: process.wait().status) ?? .internalError,
            output: try String(contentsOfFile: output, encoding: .utf8),
            diagnostics: try String(contentsOfFile: errors, encoding: .utf8))
    }
}
