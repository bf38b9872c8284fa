/// A text ready to be matched: its code points, and what is asked about places between them.
struct PatternText {
    let scalars: [UInt32]
    private var words: [Bool] = []
    private var unicodeWords: [Bool] = []

    init(_ text: String) {
        scalars = text.unicodeScalars.map(\.value)
    }

    var count: Int { scalars.count }

    /// Looks up which code points are parts of words, if the program will ask.
    mutating func prepare(for program: PatternProgram, _ steps: inout PatternSteps) {
        steps.take(count)
        if program.asksForWords {
            steps.take(count)
            words = wordParts(JavaCodePoints.isWord)
        }
        if program.asksForUnicodeWords {
            steps.take(count * 4)
            unicodeWords = wordParts(ScalarSet.words(isUnicode: true).contains)
        }
    }

    /// Java counts a mark as part of a word when a letter or digit carries it.
    private func wordParts(_ isWord: (UInt32) -> Bool) -> [Bool] {
        var isCarried = false
        return scalars.map { value in
            let isMark = value >= 0x80 && ScalarProperty.category(.nonspacingMarks).contains(value)
            isCarried = JavaCodePoints.isLetterOrDigit(value) || isMark && isCarried
            return isWord(value) || isMark && isCarried
        }
    }

    /// Returns whether a condition holds at a place from 0 to `count`.
    func holds(_ assertion: PatternAssertion, at place: Int) -> Bool {
        switch assertion {
        case .textStart: place == 0
        case .textEnd: place == count
        case .lastLineEnd(let onlyNewline): isLastLineEnd(place, onlyNewline)
        case .lineStart(let onlyNewline): isLineStart(place, onlyNewline)
        case .lineEnd(let onlyNewline): place == count || isBeforeBreak(place, onlyNewline)
        case .wordBoundary(let isUnicode): isWordBoundary(place, isUnicode ? unicodeWords : words)
        case .noWordBoundary(let isUnicode): !isWordBoundary(place, isUnicode ? unicodeWords : words)
        }
    }

    private func isWordBoundary(_ place: Int, _ words: [Bool]) -> Bool {
        let left = place > 0 && words[place - 1]
        let right = place < words.count && words[place]
        return left != right
    }

    /// Returns whether a line break begins here. Not between `\r` and `\n`.
    private func isBeforeBreak(_ place: Int, _ onlyNewline: Bool) -> Bool {
        guard place < count else { return false }
        let value = scalars[place]
        if onlyNewline { return value == 0x0A }
        if value == 0x0A, place > 0, scalars[place - 1] == 0x0D { return false }
        return JavaCodePoints.isLineBreak(value)
    }

    private func isLastLineEnd(_ place: Int, _ onlyNewline: Bool) -> Bool {
        switch count - place {
        case 0: true
        case 1: isBeforeBreak(place, onlyNewline)
        case 2: !onlyNewline && scalars[place] == 0x0D && scalars[place + 1] == 0x0A
        default: false
        }
    }

    /// Java finds no line behind the last line break, and none in the empty text.
    private func isLineStart(_ place: Int, _ onlyNewline: Bool) -> Bool {
        guard place < count else { return false }
        guard place > 0 else { return true }
        let before = scalars[place - 1]
        if onlyNewline { return before == 0x0A }
        if before == 0x0D, scalars[place] == 0x0A { return false }
        return JavaCodePoints.isLineBreak(before)
    }
}
