/// Makes PostgreSQL's text of a statement that is written for SQLite.
///
/// Rooms write statements that both engines take. The rest has another name or another form there, which single words decide:
///
/// - parameters: `?` and `?3` become `$1` and `$3`
/// - types: `TEXT`, `INTEGER`, `BLOB` and `REAL`; texts are ordered by their bytes, as SQLite orders them
/// - words that PostgreSQL does not have: `STRICT`, `WITHOUT ROWID`, `AUTOINCREMENT`, `BEGIN IMMEDIATE`
/// - `user`: a word of its language there, a column here
/// - bytes: `x'00'`
/// - `sum(…)`: a whole number here, `numeric` there
///
/// All of our statements have keywords in capital letters and columns in small ones, so a word alone decides.
struct ServerText {
    private let bytes: [UInt8]
    private var place = 0
    private var text: [UInt8] = []
    /// The largest number that a parameter has had.
    private var parameterCount = 0
    private var lastWord: ArraySlice<UInt8> = []
    private var depth = 0
    /// How deep the parentheses of sums are.
    private var sums: [Int] = []

    static func text(of sql: String) -> String {
        var translation = ServerText(sql)
        while translation.place < translation.bytes.count { translation.step() }
        return String(decoding: translation.text, as: UTF8.self)
    }

    private init(_ sql: String) {
        bytes = Array(sql.utf8)
        text.reserveCapacity(bytes.count + 64)
    }

    private func byte(_ ahead: Int = 0) -> UInt8? { place + ahead < bytes.count ? bytes[place + ahead] : nil }

    private mutating func step() {
        guard let byte = byte() else { return }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): copyQuoted(byte)
        case UInt8(ascii: "?"): parameter()
        case UInt8(ascii: "x") where self.byte(1) == UInt8(ascii: "'"): blob()
        case UInt8(ascii: "("):
            depth += 1
            if lastWord.elementsEqual("sum".utf8) { sums.append(depth) }
            copy(byte)
        case UInt8(ascii: ")"):
            copy(byte)
            if sums.last == depth {
                sums.removeLast()
                text += "::bigint".utf8
            }
            depth -= 1
        case _ where Self.isInWord(byte): word()
        default: copy(byte)
        }
    }

    private mutating func copy(_ byte: UInt8) {
        text.append(byte)
        place += 1
        if byte > UInt8(ascii: " ") { lastWord = [] }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    /// A text or a name between quotes. Two quotes within it are two of these.
    private mutating func copyQuoted(_ quote: UInt8) {
        copy(quote)
        while let byte = byte() {
            copy(byte)
            if byte == quote { break }
        }
    }

    private mutating func parameter() {
        place += 1
        var digits: [UInt8] = []
        while let digit = byte(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), digits.count < 5 {
            digits.append(digit)
            place += 1
        }
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? parameterCount + 1
        parameterCount = max(parameterCount, number)
        text += "$\(number)".utf8
        lastWord = []
    }

    private mutating func blob() {
        place += 1
        text += "'\\x".utf8
        place += 1
        while let byte = byte(), byte != UInt8(ascii: "'") { copy(byte) }
        place += 1
        text += "'::bytea".utf8
        lastWord = []
    }

    private mutating func word() {
        let start = place
        while let byte = byte(), Self.isInWord(byte) { place += 1 }
        let word = bytes[start..<place]
        put(word)
        lastWord = word
    }

    private mutating func put(_ word: ArraySlice<UInt8>) {
        func isWord(_ other: String) -> Bool { word.elementsEqual(other.utf8) }
        if isWord("TEXT") {
            text += (lastWord.elementsEqual("AS".utf8) ? "text" : #"text COLLATE "C""#).utf8
        } else if isWord("INTEGER") {
            text += "bigint".utf8
        } else if isWord("BLOB") {
            text += "bytea".utf8
        } else if isWord("REAL") {
            text += "double precision".utf8
        } else if isWord("user") {
            text += #""user""#.utf8
        } else if isWord("STRICT") || isWord("AUTOINCREMENT") || isWord("IMMEDIATE") || isWord("WITHOUT") {
            takeBack()
        } else if isWord("ROWID"), lastWord.elementsEqual("WITHOUT".utf8) {
            takeBack()
        } else {
            text += word
        }
    }

    /// Takes back the blanks, and the comma, before a word that is left out.
    private mutating func takeBack() {
        while let last = text.last, last <= UInt8(ascii: " ") || last == UInt8(ascii: ",") { text.removeLast() }
    }
}
