/// A password's trace that another server kept (bcrypt, by Provos and Mazières): for users who come from there. New ones are
/// never made.
///
///     $2b$10$N9qo8uLOickgx2ZMRZoMyeDcyTu.Nr6vUoF9FuTn655w2h94VGm4S
///      │  │  └ salt, 22 characters   └ trace, 31 characters
///      │  └ cost: the work doubles with each
///      └ 2a, 2b or 2y, which mean the same but in programs with mistakes
package struct Bcrypt: Sendable, Equatable {
    let cost: Int
    private let salt: [UInt8]
    private let trace: [UInt8]

    /// The dearest that is accepted: about a second. It is asked for by whoever tries to sign in.
    package static let costMax = 14
    private static let costMin = 4
    private static let saltBytes = 16
    private static let traceBytes = 23
    /// Bytes beyond these are ignored, as every program of bcrypt does.
    private static let passwordBytesMax = 72
    private static let forms = ["$2a$", "$2b$", "$2y$"].map { Array($0.utf8) }
    private static let alphabet = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Nil for a text of another form, and for one with a cost above the limit.
    package init?(_ text: String) {
        let text = Array(text.utf8)
        guard text.count == 60, Self.forms.contains(Array(text[..<4])), text[6] == UInt8(ascii: "$"),
            let tens = Self.digit(text[4]), let ones = Self.digit(text[5]),
            (Self.costMin...Self.costMax).contains(tens * 10 + ones),
            let salt = Self.bytes(of: text[7..<29], count: Self.saltBytes),
            let trace = Self.bytes(of: text[29...], count: Self.traceBytes)
        else { return nil }
        cost = tens * 10 + ones
        self.salt = salt
        self.trace = trace
    }

    /// Returns whether it was made from this password. Takes long, by its cost: not for a thread that others wait for.
    package func accepts(password: String) -> Bool {
        // Programs in C take a zero for the end: two passwords would have one trace.
        guard !password.utf8.contains(0) else { return false }
        let key = Array((Array(password.utf8) + [0]).prefix(Self.passwordBytesMax))
        var cipher = Blowfish()
        cipher.expand(key: key, salt: salt)
        for _ in 0..<1 << cost {
            cipher.expand(key: key)
            cipher.expand(key: salt)
        }
        return ConstantTime.areEqual(cipher.encrypted(Self.text, times: 64).prefix(Self.traceBytes), trace)
    }

    private static let text = Array("OrpheanBeholderScryDoubt".utf8)

    private static func digit(_ character: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) ? Int(character - UInt8(ascii: "0")) : nil
    }

    /// The bytes of six bits a character. What the last one has beyond them is not looked at: some programs leave it as it came.
    private static func bytes(of text: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
