import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// A move whose disk becomes full says so, and goes on when there is room.
@Suite("A move to a full disk", .enabled(if: HomeportProcess.canHaveDisk), .serialized)
struct FullDiskMoveTests {
    /// Runs a command on a disk of its own, the folder `disk`: a small one first, then a large one. What is in `disk/away` is kept.
    private func run(
        _ state: MovedState, kilobytes: Int, _ command: [String]
    ) throws -> (first: String, second: String) {
        let words = command.joined(separator: " ")
        let script = """
            mkdir disk && mount -t tmpfs -o size=\(kilobytes)k tmpfs disk || exit 99
            "$0" \(words) > first.txt 2>&1; echo "code $?" >> first.txt
            mount -o remount,size=256m disk || exit 98
            "$0" \(words) > second.txt 2>&1; echo "code $?" >> second.txt
            if [ -d disk/away ]; then cp -r disk/away away; fi
            """
        let ending = try ChildProcess(
            ["/usr/bin/unshare", "--mount", "--map-root-user", "/bin/sh", "-c", script, HomeportProcess.program],
            environment: ["PATH": "/usr/bin:/bin", "HOMEPORT_FILES_FREE_BYTES": "0"], in: state.folder.path
        ).wait()
        #expect(ending == .code(0))
        func said(_ name: String) throws -> String {
            try String(contentsOfFile: state.folder.file(name), encoding: .utf8)
        }
        return (try said("first.txt"), try said("second.txt"))
    }

    private func expectToGoOn(_ said: (first: String, second: String)) {
        #expect(said.first.contains("Free space"), "\(said.first)")
        #expect(said.first.hasSuffix("code \(ExitCode.unwritableOutput.rawValue)\n"), "\(said.first)")
        #expect(said.second.hasSuffix("code 0\n"), "\(said.second)")
    }

    @Test(
        "on the way in says what to do, and the same command brings the rest",
        arguments: [(kilobytes: 700, files: 3), (kilobytes: 2_600, files: 900)])
    func moveIn(kilobytes: Int, files: Int) throws {
        let state = try MovedState(records: 4_000, users: 300, files: files)
        let said = try run(state, kilobytes: kilobytes, MovedState.options + ["disk/data"])
        expectToGoOn(said)
        #expect(said.second.contains("4,000 of 4,000 came"), "\(said.second)")
        // No file is listed for a disk that takes none.
        #expect(!said.first.contains("more, all of which are in"), "\(said.first)")
        let counts = said.second.split(separator: "\n").first { $0.contains(" came") && $0.contains(" file") }
        let numbers = counts.map { $0.split { !$0.isNumber }.compactMap { Int($0) } } ?? []
        #expect(numbers.reduce(0, +) == files, "\(said.second)")
    }

    @Test("on the way out says what to do, and the same command writes the rest")
    func moveOut() throws {
        let state = try MovedState(records: 4_000, users: 300, files: 200)
        #expect(try state.run(MovedState.options + ["data"]).code == .success)
        expectToGoOn(try run(state, kilobytes: 1_300, ["move-out", "disk/away", "--data", "data"]))
        let names = try FileManager.default.contentsOfDirectory(atPath: state.folder.file("away/files"))
        let bucket = try #require(names.first { !$0.hasSuffix(".jsonl") })
        #expect(try state.files(below: "away/files/\(bucket)") == state.files(below: "files"))
        let manifest = try String(
            contentsOfFile: state.folder.file("away/tables/Todo/manifest-summary.json"), encoding: .utf8)
        #expect(manifest.contains(#""itemCount":4000"#), "\(manifest)")
        let users = try String(contentsOfFile: state.folder.file("away/users/users.json"), encoding: .utf8)
        #expect(try JSONReader.value(of: users)["Users"]?.array?.count == state.userCount)
    }
}
