import Foundation
import Network

/// The real program in a process of its own, serving on a free port.
package final class HomeportProcess {
    package let port: UInt16
    package var identifier: Int32 { process.identifier }
    /// A folder of its own, where it runs.
    package let folder: TemporaryFolder
    /// What it has said of itself at its start.
    package let banner: String
    private let process: ChildProcess
    private let errors: String

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts the server and waits until it listens, which it says by its first URL.
    ///
    /// - Parameters:
    ///   - schema: what is served; nil: what is there already.
    ///   - descriptors: the most descriptors that the process may have open, when there is to be such a limit.
    ///   - hasPort: whether what is given says where it listens, which is a free port otherwise.
    ///   - diskBytes: the size of the disk that its data has for itself; nil: it lies in the folder. Other processes find it below `data`.
    package init(
        _ arguments: [String] = [], environment: [String: String] = [:],
        schema: String? = "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! }",
        descriptors: Int? = nil, hasPort: Bool = false, diskBytes: Int? = nil,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws {
        self.folder = folder
        if let schema { try folder.write(schema, to: "schema.graphql") }
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        let disk = diskBytes.map { "mkdir -p .homeport && \(Self.mount(bytes: $0)) .homeport && " } ?? ""
        let words = ["/bin/sh", "-c", "\(limit)\(disk)exec \"$0\" \"$@\"", Self.program, "serve"]
        let output = Pipe()
        errors = folder.file("errors.txt")
        process = try ChildProcess(
            (diskBytes == nil ? [] : Self.apart) + words + (hasPort ? [] : ["--port", "0"]) + arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, in: folder.path,
            output: .pipe(output), errors: .file(errors))
        var text = ""
        while true {
            let data = output.fileHandleForReading.readSome()
            text += String(decoding: data, as: UTF8.self)
            if let found = text.firstMatch(of: /http:\/\/[^ ]*:(\d+)\//), let port = UInt16(found.1) {
                self.port = port
                banner = text
                return
            }
            guard !data.isEmpty else {
                let said = try String(contentsOfFile: errors, encoding: .utf8)
                throw Failure(description: "\(process.wait()): \(text)\(said)")
            }
        }
    }

    /// True if HOMEPORT_PROGRAM names the program: it is one that is released.
    package static var isGiven: Bool { ProcessInfo.processInfo.environment["HOMEPORT_PROGRAM"] != nil }

    /// What was built beside the tests, or what HOMEPORT_PROGRAM names: the same tests for an optimised build.
    package static var program: String {
        ProcessInfo.processInfo.environment["HOMEPORT_PROGRAM"] ?? program(named: "homeport")
    }

    package static func program(named name: String) -> String {
        // The tests' own bundle lies where the programs lie.
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Runs a program with file systems that it alone sees.
    private static let apart = ["/usr/bin/unshare", "--mount", "--map-root-user"]

    private static func mount(bytes: Int) -> String { "mount -t tmpfs -o size=\(bytes) tmpfs" }

    /// Whether a server can have a disk of its own here: not every system lets everybody make one.
    package static let canHaveDisk: Bool = {
        guard FileManager.default.isExecutableFile(atPath: apart[0]) else { return false }
        let words = ["/bin/sh", "-c", "\(mount(bytes: 65_536)) /mnt"]
        return (try? ChildProcess(apart + words, errors: .nothing).wait()) == .code(0)
    }()

    /// Its data folder, also where that is on a disk of its own.
    package var data: String { "/proc/\(identifier)/root\(folder.path)/.homeport" }

    package func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the end and answers how it came.
    package func exitStatus() -> Int32 { process.wait().status }

    /// What it has logged so far.
    package var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    /// Waits until the log has the text, so often where that is given; false when it does not come.
    package func logs(_ text: String, times: Int = 1, milliseconds: Int = 120_000) -> Bool {
        let isThere: Void? = try? eventually(text, within: .milliseconds(milliseconds), changing: errors) {
            logCount(of: text) >= times
        }
        return isThere != nil
    }

    /// How often the log has the text.
    package func logCount(of text: String) -> Int {
        // By the C library: a debug build takes long to look for characters.
        let (log, wanted) = (FileManager.default.contents(atPath: errors) ?? Data(), Array(text.utf8))
        return log.withUnsafeBytes { log in
            guard let base = log.baseAddress, let first = wanted.first else { return 0 }
            var (count, place) = (0, 0)
            while let found = memchr(base + place, Int32(first), log.count - place) {
                place = UnsafeRawPointer(found) - base
                guard log.count - place >= wanted.count else { break }
                let isThere = memcmp(found, wanted, wanted.count) == 0
                count += isThere ? 1 : 0
                place += isThere ? wanted.count : 1
            }
            return count
        }
    }
}
