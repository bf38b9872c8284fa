import Foundation
import Testing

@testable import Script

/// Programs that a generator makes print the same here as in Node. Where there is no Node, the test is skipped.
@Suite("Random programs, run here and in Node")
struct DifferentialFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["HOMEPORT_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 40
    /// A program takes milliseconds, in both: more of them are no better than other seeds.
    private static let roundsMax = 20_000
    private static let programsPerProcess = 1_000
    /// Every day the same programs: a few of ten thousand still print other messages than V8.
    private static let firstSeed =
        environment["HOMEPORT_FUZZ_SEED"].flatMap { UInt64($0) }
        ?? (environment["HOMEPORT_FUZZ_ROUNDS"] == nil ? 3_000_000 : UInt64.random(in: 0...1 << 40))
    static let node = NodePrograms()

    @Test("print the same", .enabled(if: node != nil, "Node 20 is not installed"))
    func same() throws {
        let node = try #require(Self.node)
        print("HOMEPORT_FUZZ_SEED=\(Self.firstSeed)")
        let count = min(Self.rounds, Self.roundsMax)
        var skipped = 0
        var differing = 0
        for first in stride(from: 0, to: count, by: Self.programsPerProcess) {
            let seeds = (first..<min(first + Self.programsPerProcess, count)).map { Self.firstSeed &+ UInt64($0) }
            let programs = seeds.map { seed in
                var generator = ProgramGenerator(seed: seed)
                return generator.program()
            }
            let expected = try node.lines(of: programs)
            try #require(expected.count == programs.count)
            for (seed, (program, expected)) in zip(seeds, zip(programs, expected)) where differing <= 12 {
                guard let expected else {
                    skipped += 1
                    continue
                }
                let lines = ProgramOutput.of(program)
                if lines == expected { continue }
                differing += 1
                let first = zip(lines, expected).first { $0 != $1 }
                Issue.record(
                    """
                    HOMEPORT_FUZZ_SEED=\(seed) HOMEPORT_FUZZ_ROUNDS=1: \(first?.0 ?? "\(lines.count) lines") \
                    instead of \(first?.1 ?? "\(expected.count) lines")
                    """)
            }
        }
        if skipped > 0 { print("\(skipped) programs took Node too long and were skipped") }
        #expect(skipped <= count / 100)
    }

    @Test("a seed makes the same program each time, and all kinds of statements are made")
    func generator() {
        func program(_ seed: UInt64) -> String {
            var generator = ProgramGenerator(seed: seed)
            return generator.program()
        }
        #expect(program(7) == program(7))
        let text = (0..<200).map { program($0) }.joined()
        for part in [
            "class ", "static {", "#hidden", "super(", "function*", "yield*", "async ", "await ", "for await",
            "finally",
            "switch", "?.", "`", "Symbol", "JSON.parse", "structuredClone", "new Map", "new Set", "new Date", "(?<",
            "continue l", "Object.define", "Promise.", "...", "get ", "set ", "typeof z",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }
}
