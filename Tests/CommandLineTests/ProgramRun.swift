import Foundation
import Server
import TestSupport

@testable import homeport

/// The program in a process of its own, run in a folder to its end.
enum ProgramRun {
    /// Starts it without waiting, with files for what it prints.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil
    ) throws -> (process: Process, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: HomeportProcess.program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ["PATH": "/usr/bin:/bin"]
        let files = ["out.txt", "err.txt"].map { folder.path + "/" + $0 }
        for file in files { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: files[0]))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: files[1]))
        if let input {
            try folder.write(input, to: "in.txt")
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path + "/in.txt"))
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        return (process, files[0], files[1])
    }

    static func outcome(_ arguments: [String], in folder: TemporaryFolder, input: String? = nil) throws -> Outcome {
        let (process, output, errors) = try start(arguments, in: folder, input: input)
        process.waitUntilExit()
        return Outcome(
            code: ExitCode(rawValue: process.terminationStatus) ?? .internalError,
            output: try String(contentsOfFile: output, encoding: .utf8),
            diagnostics: try String(contentsOfFile: errors, encoding: .utf8))
    }
}
