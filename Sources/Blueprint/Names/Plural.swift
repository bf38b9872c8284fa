/// The English plural of a name, as Amplify forms it for `listPosts` and its like.
///
/// A word is looked up among those without a plural and the irregular ones; otherwise the rules are tried from the
/// most special to the most general, and the first whose ending fits replaces it. The case of what is replaced
/// carries over: `Category` gives `Categories`, `API` gives `APIS`, and a model called `I` is listed by `listWE`.
package enum Plural {
    /// The plural of a word, which may be a plural already.
    package static func of(_ word: String) -> String {
        let bytes = Array(word.utf8)
        let lowercase = bytes.map(lowercased)
        let token = String(decoding: lowercase, as: UTF8.self)
        if PluralWords.plurals.contains(token) { return restoringCase(of: bytes, in: lowercase) }
        if let plural = PluralWords.irregular[token] { return restoringCase(of: bytes, in: Array(plural.utf8)) }
        if bytes.isEmpty || PluralWords.uncountable.contains(token) { return word }
        // Where no special rule can match, the most general one says that an s is added.
        if let last = lowercase.last, !PluralRules.specialEndings.contains(last) {
            return word + restoringCase(of: [bytes[bytes.count - 1]], in: [UInt8(ascii: "s")])
        }
        for rule in PluralRules.all {
            guard let match = rule.match(lowercase) else { continue }
            let matched = bytes[match.start...]
            let kept = rule.keepsMatch ? matched : matched.prefix(match.kept)
            let ending = Array(kept) + Array(rule.added.utf8)
            // An empty match takes the case of the letter before it.
            let pattern = matched.isEmpty ? bytes[(match.start - 1)...] : matched
            return String(decoding: bytes[..<match.start], as: UTF8.self)
                + restoringCase(of: Array(pattern), in: ending)
        }
        return word
    }

    /// A word in the case of a pattern: as it is when they are equal, all lower, all upper, or with a capital.
    private static func restoringCase(of pattern: [UInt8], in word: [UInt8]) -> String {
        let result: [UInt8]
        if pattern == word {
            result = word
        } else if pattern == pattern.map(lowercased) {
            result = word.map(lowercased)
        } else if pattern == pattern.map(uppercased) {
            result = word.map(uppercased)
        } else if let first = pattern.first, first == uppercased(first) {
            result = word.prefix(1).map(uppercased) + word.dropFirst().map(lowercased)
        } else {
            result = word.map(lowercased)
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte }
    private static func uppercased(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte }
}

/// One rule for plurals: which endings it fits, and what it makes of them.
struct PluralRule: Sendable {
    /// A letter of an ending: one of some, or none of some.
    private struct Letter: Sendable {
        /// A bit for each byte from `_` to DEL, in which all lower case letters are.
        let bits: UInt32
        let isNegated: Bool

        init(_ set: [UInt8], isNegated: Bool) {
            bits = set.reduce(0) { $0 | Self.bit(of: $1) }
            self.isNegated = isNegated
        }

        private static func bit(of byte: UInt8) -> UInt32 { byte >> 5 == 3 ? 1 << UInt32(byte & 31) : 0 }

        func matches(_ byte: UInt8) -> Bool { (bits & Self.bit(of: byte) != 0) != isNegated }
    }

    /// An ending: what stays of it and what goes.
    private struct Ending: Sendable {
        private let letters: [Letter]
        let keptCount: Int
        let isWholeWord: Bool

        init(kept: [Letter], dropped: [Letter], isWholeWord: Bool) {
            letters = kept + dropped
            keptCount = kept.count
            self.isWholeWord = isWholeWord
        }

        var count: Int { letters.count }

        func canEnd(in byte: UInt8) -> Bool { letters.last?.matches(byte) ?? true }

        /// Hot path of the start: the schema's names are tried against all endings, and most fail at the last letter.
        func matches(_ word: [UInt8]) -> Bool {
            let start = word.count - letters.count
            guard isWholeWord ? start == 0 : start >= 0 else { return false }
            for index in letters.indices.reversed() where !letters[index].matches(word[start + index]) { return false }
            return true
        }
    }

    private let endings: [Ending]
    let added: String
    /// True if the word stays as it is.
    let keepsMatch: Bool

    /// A rule for words that end in one of `stems` followed by one of `dropped`: the stem stays, `added` follows.
    ///
    /// Classes of letters are written as in regular expressions; a stem that begins with `^` is the whole word.
    init(_ stems: [String], dropping dropped: [String] = [""], adding added: String) {
        endings = stems.flatMap { stem in
            let isWholeWord = stem.hasPrefix("^")
            let letters = Self.letters(isWholeWord ? String(stem.dropFirst()) : stem)
            return dropped.map { Ending(kept: letters, dropped: Self.letters($0), isWholeWord: isWholeWord) }
        }
        .sorted { $0.count > $1.count }
        self.added = added
        keepsMatch = false
    }

    /// A rule for the endings of two rules that add the same.
    init(joining first: PluralRule, _ second: PluralRule) {
        endings = (first.endings + second.endings).sorted { $0.count > $1.count }
        added = first.added
        keepsMatch = false
    }

    /// A rule for words with such an ending that are their own plurals.
    init(unchanged stems: [String]) {
        endings = stems.map { Ending(kept: Self.letters($0), dropped: [], isWholeWord: false) }
        added = ""
        keepsMatch = true
    }

    /// Where the longest fitting ending of a word in lower case starts, and how much of it stays.
    func match(_ word: [UInt8]) -> (start: Int, kept: Int)? {
        for ending in endings where ending.matches(word) { return (word.count - ending.count, ending.keptCount) }
        return nil
    }

    /// Returns whether it fits some word that ends in that byte of a word in lower case.
    func canEnd(in byte: UInt8) -> Bool { endings.contains { $0.canEnd(in: byte) } }

    private static func letters(_ pattern: String) -> [Letter] {
        var letters: [Letter] = []
        var set: [UInt8]?
        var isNegated = false
        for byte in pattern.utf8 {
            switch (byte, set) {
            case (UInt8(ascii: "["), nil): (set, isNegated) = ([], false)
            case (UInt8(ascii: "]"), .some(let members)):
                letters.append(Letter(members, isNegated: isNegated))
                set = nil
            case (UInt8(ascii: "^"), .some(let members)) where members.isEmpty: isNegated = true
            case (_, .some): set?.append(byte)
            default: letters.append(Letter([byte], isNegated: false))
            }
        }
        return letters
    }
}
