import Foundation
import Network

/// The real program in a process of its own, serving on a free port.
package final class HomeportProcess {
    package let port: UInt16
    package let identifier: Int32
    /// A folder of its own, where it runs.
    package let folder: TemporaryFolder
    private let process: Process
    private let errors: URL

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts the server and waits until it listens, which it says by its first URL.
    ///
    /// - Parameters:
    ///   - schema: what is served.
    ///   - descriptors: the most descriptors that the process may have open, when there is to be such a limit.
    package init(
        _ arguments: [String] = [], environment: [String: String] = [:],
        schema: String = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! }",
        descriptors: Int? = nil, in folder: TemporaryFolder = TemporaryFolder()
    ) throws {
        self.folder = folder
        try folder.write(schema, to: "schema.graphql")
        process = Process()
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "\(limit)exec \"$0\" \"$@\"", Self.program, "serve", "--port", "0"] + arguments
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let output = Pipe()
        process.standardOutput = output
        errors = URL(fileURLWithPath: folder.path + "/errors.txt")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        identifier = process.processIdentifier
        var text = ""
        while true {
            let data = output.fileHandleForReading.readSome()
            text += String(decoding: data, as: UTF8.self)
            if let found = text.firstMatch(of: /http:\/\/[^ ]*:(\d+)\//), let port = UInt16(found.1) {
                self.port = port
                return
            }
            guard !data.isEmpty else {
                process.waitUntilExit()
                let said = try String(contentsOf: errors, encoding: .utf8)
                throw Failure(description: "exit \(process.terminationStatus): \(text)\(said)")
            }
        }
    }

    deinit {
        if process.isRunning { kill(identifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// What was built beside the tests, or what HOMEPORT_PROGRAM names: the same tests for an optimised build.
    package static var program: String {
        ProcessInfo.processInfo.environment["HOMEPORT_PROGRAM"] ?? program(named: "homeport")
    }

    package static func program(named name: String) -> String {
        // The tests' own bundle lies where the programs lie.
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    package func signal(_ number: Int32) { kill(identifier, number) }

    /// Waits for the end and answers how it came.
    package func exitStatus() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// What it has logged so far.
    package var log: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Waits until the log has the text; false when it does not come.
    package func logs(_ text: String, milliseconds: Int = 5000) -> Bool {
        for _ in 0..<milliseconds / 5 {
            if log.contains(text) { return true }
            usleep(5000)
        }
        return log.contains(text)
    }
}
