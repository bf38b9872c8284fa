/// Makes PostgreSQL's text of a statement that is written for SQLite.
///
/// Rooms write statements that both engines take. The rest has another name or another form there, which single words decide:
///
/// - parameters: `?` and `?3` become `$1` and `$3`
/// - types: `TEXT`, `INTEGER`, `BLOB` and `REAL`; texts are ordered by their bytes, as SQLite orders them
/// - words that PostgreSQL does not have: `STRICT`, `WITHOUT ROWID`, `BEGIN IMMEDIATE`
/// - `AUTOINCREMENT`: an identity column. Whoever puts a row in holds the turn of its room, so the numbers come in the order of the commits
/// - `user`: a word of its language there, a column here
/// - bytes: `x'00'`
/// - `sum(…)`: a whole number here, `numeric` there
///
/// All of our statements have keywords in capital letters and columns in small ones, so a word alone decides.
struct ServerText {
    private let bytes: [UInt8]
    private var place = 0
    private var text: [UInt8] = []
    /// The numbers of the parameters that are arrays.
    private let arrays: [Int]
    /// The numbers of the parameters behind LIMIT and OFFSET.
    private(set) var countNumbers: Set<Int> = []
    /// The depth of the last LIMIT or OFFSET, until the parentheses around it end. At a depth of 0 it is the statement's own.
    private var countDepth: Int?
    /// The largest number that a parameter has had.
    private var parameterCount = 0
    private var lastWord: ArraySlice<UInt8> = []
    private var depth = 0
    /// How deep the parentheses of sums are.
    private var sums: [Int] = []

    /// The statement. With arrays it asks the question of the one that was given many times: each array has a value for each time, and the last
    /// column says of which time a row is, counted from 1.
    ///
    ///     SELECT … WHERE key = ? LIMIT ?
    ///     ─▶ SELECT answer.*, question.number FROM unnest($1) WITH ORDINALITY AS question(value1, number)
    ///        CROSS JOIN LATERAL (SELECT … WHERE key = question.value1 LIMIT $2) AS answer
    var string: String {
        let one = String(decoding: text, as: UTF8.self)
        guard !arrays.isEmpty else { return one }
        let given = arrays.map { "$\($0)" }.joined(separator: ", ")
        let names = arrays.map { "value\($0), " }.joined()
        // With a count it stays a question of its own, whose rows keep their order. No join is made of it.
        return
            "SELECT answer.*, \(Self.question).number FROM unnest(\(given)) WITH ORDINALITY AS \(Self.question)(\(names)number) "
            + "CROSS JOIN LATERAL (\(one)\(countDepth == 0 ? "" : " OFFSET 0")) AS answer"
    }

    /// No table of ours has this name.
    private static let question = #""question of many""#

    /// - Parameter arrays: the numbers of the parameters that are arrays.
    init(_ sql: String, manyTimesFor arrays: [Int] = []) {
        self.arrays = arrays
        bytes = Array(sql.utf8)
        text.reserveCapacity(bytes.count + 64)
        while place < bytes.count { step() }
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
            if let count = countDepth, depth < count { countDepth = nil }
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
        text += (arrays.contains(number) ? "\(Self.question).value\(number)" : "$\(number)").utf8
        if countDepth != nil { countNumbers.insert(number) }
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
        } else if isWord("AUTOINCREMENT") {
            text += "GENERATED BY DEFAULT AS IDENTITY".utf8
        } else if isWord("STRICT") || isWord("IMMEDIATE") || isWord("WITHOUT") {
            takeBack()
        } else if isWord("ROWID"), lastWord.elementsEqual("WITHOUT".utf8) {
            takeBack()
        } else {
            if isWord("LIMIT") || isWord("OFFSET") { countDepth = depth }
            text += word
        }
    }

    /// Takes back the blanks, and the comma, before a word that is left out.
    private mutating func takeBack() {
        while let last = text.last, last <= UInt8(ascii: " ") || last == UInt8(ascii: ",") { text.removeLast() }
    }
}
