// What the tests of this room share: reading as they do, and the seed of the random ones.

import Glibc

@testable import JSON

/// The value of a text, or nil when it is refused.
func read(_ text: [UInt8], limits: JSONLimits = .standard) -> JSONValue? {
    try? JSONReader.value(of: text, limits: limits)
}

/// The error for a text, or nil when it is accepted.
func refusal(_ text: [UInt8], limits: JSONLimits = .standard) -> JSONError? {
    do throws(JSONError) {
        _ = try JSONReader.value(of: text, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// A generator that gives the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Takes its seed from HOMEPORT_FUZZ_SEED, or a new one, and prints the line that repeats the run.
    init(test: String) {
        let given = getenv("HOMEPORT_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }
        state = given ?? UInt64.random(in: 0...UInt64.max)
        print("to repeat: HOMEPORT_FUZZ_SEED=\(state) swift test --filter \(test)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// How many rounds a random test runs: HOMEPORT_FUZZ_ROUNDS, or few enough for every day.
var fuzzRounds: Int {
    getenv("HOMEPORT_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 20_000
}
