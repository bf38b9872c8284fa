import Foundation
import TestSupport
import Testing

@testable import homeport

/// A move whose process is killed goes on with the same command.
@Suite("A killed move", .serialized)
struct KillMoveTests {
    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 2 }

    @Test("continues on the way in and out: nothing is lost, and nothing is there twice")
    func continues() throws {
        var random = SeededRandom(test: "KillMoveTests")
        let factor = Self.killCount > 2 ? 5 : 1
        let state = try MovedState(records: 1_200 * factor, users: 60 * factor, files: 12 * factor)
        var rounds = 0
        var kills = 0
        while kills < Self.killCount {
            rounds += 1
            let (data, away) = ("d\(rounds)", "away\(rounds)")
            kills += try Self.run(MovedState.options + [data], of: state, &random, killsMax: Self.killCount)
            let lines = try state.lines(of: data)
            #expect(lines.count == state.recordCount + state.userCount, "round \(rounds): \(lines.prefix(2))")
            kills += try Self.run(["move-out", away, "--data", data], of: state, &random, killsMax: Self.killCount) {
                // Its own folder is the first thing that it makes, and the last that it takes away: no other move may go there then.
                let names = try? FileManager.default.contentsOfDirectory(atPath: state.folder.file(away))
                return names.map { !$0.isEmpty && !$0.contains(".move-out") } ?? false
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: state.folder.file("\(away)/files"))
            let bucket = try #require(names.first { !$0.hasSuffix(".jsonl") })
            #expect(
                try state.files(below: "\(away)/files/\(bucket)") == state.files(below: "files"), "round \(rounds)")
            #expect(!FileManager.default.fileExists(atPath: state.folder.file("\(away)/.move-out")))
            let back = try state.run([
                "move-in", "--tables", "\(away)/tables", "--users", "\(away)/users/users.json", "--identities",
                "\(away)/identities.csv", "--data", "back\(rounds)",
            ])
            #expect(back.code == .success, "round \(rounds): \(back.diagnostics)")
            #expect(try state.lines(of: "back\(rounds)") == lines, "round \(rounds)")
            #expect(
                try String(contentsOfFile: state.folder.file("\(away)/identities.csv"), encoding: .utf8).split(
                    separator: "\n"
                )
                .count == state.userCount)
        }
    }

    /// Gives the same command again and again until one comes to its end. Answers how many were killed.
    ///
    /// - Parameter isDone: says of one that was killed that it had done everything.
    private static func run(
        _ arguments: [String], of state: MovedState, _ random: inout SeededRandom, killsMax: Int,
        isDone: () -> Bool = { false }
    ) throws -> Int {
        var kills = 0
        while kills < max(1, killsMax / 2) {
            let (process, _, _) = try ProgramRun.start(arguments, in: state.folder)
            // The moment within a transaction is anybody's guess.
            pause(.milliseconds(Int.random(in: 20...500, using: &random)), because: "the moment of a kill is random")
            guard process.isRunning else {
                #expect(process.wait() == .code(0), "\(arguments)")
                return max(1, kills)
            }
            process.signal(SIGKILL)
            process.wait()
            kills += 1
            if isDone() { return kills }
        }
        let outcome = try state.run(arguments)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        return kills
    }
}
