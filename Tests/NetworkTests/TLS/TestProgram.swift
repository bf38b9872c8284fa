import Foundation
import TestSupport

/// A program of the system that a test runs to its end.
enum TestProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    static func run(_ name: String, _ arguments: [String], input: String = "") async throws -> Outcome {
        try await run(name, arguments, bytes: Array(input.utf8))
    }

    /// Waits on a thread of its own: those that all tasks share are few.
    static func run(_ name: String, _ arguments: [String], bytes: [UInt8]) async throws -> Outcome {
        try await BlockingThread.run { try runBlocking(name, arguments, bytes: bytes) }
    }

    private static func runBlocking(_ name: String, _ arguments: [String], bytes: [UInt8]) throws -> Outcome {
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        let process = try ChildProcess(
            [name] + arguments, input: .pipe(standardInput), output: .pipe(standardOutput), errors: .pipe(standardError)
        )
        // It may end without having read that.
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(bytes))
        try standardInput.fileHandleForWriting.close()
        // Programs that are run here say little on their standard error, so that pipe does not fill.
        let output = standardOutput.fileHandleForReading.readWhole()
        let errors = standardError.fileHandleForReading.readWhole()
        return Outcome(
            status: process.wait().status, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}
