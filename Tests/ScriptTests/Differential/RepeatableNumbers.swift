/// Random numbers that a seed repeats.
struct RepeatableNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return limit > 0 ? Int((state >> 11) % UInt64(limit)) : 0
    }
}
