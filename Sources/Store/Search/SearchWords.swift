/// Cuts text into the words that a search compares, as OpenSearch's standard analyzer does: at the boundaries of
/// Unicode's text segmentation (UAX 29), in lower case.
///
///     "Don't panic: 3.5 €, foo_bar 日本"  ▶  don't  panic  3.5  foo_bar  日  本
enum SearchWords {
    /// Stands between the elements of a list, so that no phrase reaches from one into the next. No word has it.
    private static let boundary = "\u{E000}"

    /// Characters between two questions whether to go on.
    private static let charactersPerQuestion = 1_000

    /// The words of a text.
    static func words(of text: String) -> [String] {
        words(of: text, allows: { _ in true }) ?? []
    }

    /// The same; nil when `allows`, which is told how many characters were read, ends the work.
    static func words(of text: String, allows: (Int) -> Bool) -> [String]? {
        var words: [String] = []
        return append(text, to: &words, allows: allows) ? words : nil
    }

    /// The words of several texts as they stand in the index; nil when `allows`, which is told how many characters were
    /// read, ends the work.
    static func indexed(_ texts: [String], allows: (Int) -> Bool) -> String? {
        var words: [String] = []
        for text in texts {
            if !words.isEmpty { words.append(boundary) }
            guard append(text, to: &words, allows: allows) else { return nil }
        }
        return words.joined(separator: " ")
    }

    private enum Kind {
        case letter, digit, mark, alone, other
    }

    private static func append(_ text: String, to words: inout [String], allows: (Int) -> Bool) -> Bool {
        var count = 0
        var word = String.UnicodeScalarView()
        var last = Kind.other
        // A sign such as an apostrophe, which belongs to the word if it goes on in the same kind.
        var pending: Unicode.Scalar?
        func finish() {
            if !word.isEmpty { words.append(String(word).lowercased()) }
            word = String.UnicodeScalarView()
            pending = nil
        }
        for scalar in text.unicodeScalars {
            count += 1
            if count == charactersPerQuestion {
                guard allows(count) else { return false }
                count = 0
            }
            let kind = kind(of: scalar)
            switch kind {
            case .letter, .digit:
                if let sign = pending {
                    pending = nil
                    if last == kind, isJoining(sign, kind) { word.append(sign) } else { finish() }
                }
                word.append(scalar)
                last = kind
            case .mark:
                if word.isEmpty || pending != nil { finish() } else { word.append(scalar) }
            case .alone:
                finish()
                words.append(String(scalar))
                last = .other
            case .other:
                if pending != nil || word.isEmpty || !(isJoining(scalar, .letter) || isJoining(scalar, .digit)) {
                    finish()
                } else {
                    pending = scalar
                }
            }
        }
        finish()
        return allows(count)
    }

    private static func isJoining(_ sign: Unicode.Scalar, _ kind: Kind) -> Bool {
        switch sign {
        case "'", "’", ".", "․", "﹒", "＇", "．": true
        case ":", "·", "‧", "︓", "﹕", "：": kind == .letter
        case ",", ";", "،", "，", "；": kind == .digit
        default: false
        }
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.isASCII {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": return .letter
            case "0"..."9": return .digit
            default: return .other
            }
        }
        switch scalar.properties.generalCategory {
        case .decimalNumber: return .digit
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .connectorPunctuation:
            // Ideographs and Hiragana are words by themselves.
            let isHiragana = (0x3040...0x309F).contains(scalar.value)
            return scalar.properties.isIdeographic || isHiragana ? .alone : .letter
        default: return .other
        }
    }
}
