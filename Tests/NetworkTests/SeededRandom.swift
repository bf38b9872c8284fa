import Glibc

/// A random number generator that a seed makes repeatable (SplitMix64).
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

    /// Takes the seed from HOMEPORT_SEED, or a fixed one, and prints the line that repeats the run.
    static func forTest(_ test: String = #function) -> SeededRandom {
        let seed = getenv("HOMEPORT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_002
        let name = test.prefix { $0 != "(" }
        print("to repeat: HOMEPORT_SEED=\(seed) swift test --filter \(name)")
        return SeededRandom(seed: seed)
    }
}
