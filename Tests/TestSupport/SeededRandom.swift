import Glibc

/// A generator that gives the same numbers for the same seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Takes its seed from HOMEPORT_FUZZ_SEED, or one of its own, and prints the line that repeats the run.
    package init(test: String) { self.init(seed: Self.seed(test: test)) }

    /// The seed that a test takes, for generators on several threads. Prints the same line.
    ///
    /// Every day it is the same one: a change fails for what it does, and not for a case that came up on that day. Where
    /// HOMEPORT_FUZZ_ROUNDS is set, as `make fuzz` does, it is a new one.
    package static func seed(test: String) -> UInt64 {
        let given = getenv("HOMEPORT_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? (getenv("HOMEPORT_FUZZ_ROUNDS") == nil ? usualSeed(of: test) : .random(in: 0 ... .max))
        print("to repeat: HOMEPORT_FUZZ_SEED=\(seed) swift test --filter \(test)")
        return seed
    }

    /// A number made of the name (FNV-1a).
    private static func usualSeed(of test: String) -> UInt64 {
        test.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// How many rounds the random tests run.
package enum Fuzz {
    /// HOMEPORT_FUZZ_ROUNDS, or as many as a test that runs every day can afford.
    package static func rounds(ordinarily rounds: Int) -> Int {
        getenv("HOMEPORT_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? rounds
    }
}
