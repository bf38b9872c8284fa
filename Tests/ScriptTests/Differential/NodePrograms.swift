import Foundation
import TestSupport

/// Runs programs in Node, where it is installed, and reads the lines that they print.
struct NodePrograms {
    /// Each program runs as a function of its own; a line of JSON for each: what it printed, or null where it took too long. One that was late
    /// because others had the processor runs again.
    private static let driver = """
        const vm = require("vm");
        const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
        process.on("unhandledRejection", () => {});
        (async () => {
          for (const program of programs) {
            let lines, isLate, isStarved;
            do {
              const written = lines = [];
              const write = text => written.push(String(text).toWellFormed());
              const before = process.cpuUsage();
              try {
                const run = vm.runInThisContext(`(function (console) { "use strict"; ${program}\\n})`);
                globalThis.runProgram = () => run({ log: write });
                vm.runInThisContext("runProgram()", { timeout: \(programMillisecondsMax) });
                isLate = false;
              } catch (error) {
                isLate = error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
                write(error instanceof SyntaxError ? "REFUSED " + error : "UNCAUGHT " + error);
              }
              isStarved = isLate && process.cpuUsage(before).user < \(programMicrosecondsMin);
            } while (isStarved);
            await new Promise(done => setImmediate(done));
            process.stdout.write(JSON.stringify(isLate ? null : lines) + "\\n");
          }
        })();
        """

    private static let programMillisecondsMax = 10_000
    /// Processor time of a program that was late by itself.
    private static let programMicrosecondsMin = programMillisecondsMax * 1_000 / 2
    /// For all programs of one process.
    private static let secondsMax = 900.0

    /// Messages of errors are V8's own, and change with it.
    private static let version = "v20."

    let path: String

    /// Nothing where there is no Node of that version.
    init?() {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.lazy.map { "\($0)/node" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        self.path = path
        guard Self.version(of: path).hasPrefix(Self.version) else { return nil }
    }

    private static func version(of path: String) -> String {
        (try? ChildProcess.said([path, "--version"]))?.text ?? ""
    }

    func lines(of programs: [String]) throws -> [[String]?] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try JSONEncoder().encode(programs).write(to: input)
        let process = try ChildProcess(
            [path, "-e", Self.driver], input: .file(input.path), output: .file(output.path), errors: .nothing)
        let end = DispatchWorkItem { process.signal(SIGTERM) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.secondsMax, execute: end)
        process.wait()
        end.cancel()
        return try String(decoding: Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map {
            try JSONDecoder().decode([String]?.self, from: Data($0.utf8))
        }
    }
}
