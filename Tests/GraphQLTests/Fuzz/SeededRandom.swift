import Foundation

/// A generator of random numbers that gives the same ones for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The seed and the number of rounds that the environment asks for. The seed is printed, so that a failure can be
    /// run again.
    static func settings(rounds: Int, for test: String) -> (seed: UInt64, rounds: Int) {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["HOMEPORT_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let rounds = environment["HOMEPORT_FUZZ_ROUNDS"].flatMap(Int.init) ?? rounds
        print("\(test): HOMEPORT_FUZZ_SEED=\(seed) HOMEPORT_FUZZ_ROUNDS=\(rounds)")
        return (seed, rounds)
    }

    /// True once in so many times.
    mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// As many elements as chance gives, up to a limit.
    mutating func some<Element>(_ limit: Int, _ make: (inout SeededRandom) -> Element) -> [Element] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in make(&self) }
    }
}
