import JSON

/// The cases in which Amplify's generators write names, word by word. A word begins at a capital letter behind a small one or a
/// digit, and at the last of several capitals when a small letter follows: `HTTPServer2Go` is HTTP, Server2, Go.
enum WordCase {
    /// `httpServer2Go`
    static func camel(_ name: String) -> String { joined(words(of: name), isFirstLower: true) }

    /// `HttpServer2Go`
    static func pascal(_ name: String) -> String { joined(words(of: name), isFirstLower: false) }

    /// `HTTP_SERVER2_GO`
    static func constant(_ name: String) -> String {
        words(of: name).map { text($0.map(upper)) }.joined(separator: "_")
    }

    private static func joined(_ words: [[UInt8]], isFirstLower: Bool) -> String {
        words.enumerated().map { number, word in
            if number == 0, isFirstLower { return text(word.map(\.lowercased)) }
            guard let first = word.first else { return "" }
            // Two numbers side by side would become one.
            return (number > 0 && first.isDigit ? "_" : "") + text([upper(first)] + word.dropFirst().map(\.lowercased))
        }.joined()
    }

    private static func words(of name: String) -> [[UInt8]] {
        let bytes = Array(name.utf8)
        var words: [[UInt8]] = [[]]
        for (place, byte) in bytes.enumerated() {
            guard byte.isAlphanumeric else {
                words.append([])
                continue
            }
            if byte.isUppercase, place > 0, begins(at: place, in: bytes) { words.append([]) }
            words[words.count - 1].append(byte)
        }
        return words.filter { !$0.isEmpty }
    }

    private static func begins(at place: Int, in bytes: [UInt8]) -> Bool {
        let before = bytes[place - 1]
        if before.isLowercase || before.isDigit { return true }
        return before.isUppercase && place + 1 < bytes.count && bytes[place + 1].isLowercase
    }

    private static func upper(_ byte: UInt8) -> UInt8 { byte.isLowercase ? byte - 0x20 : byte }
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
