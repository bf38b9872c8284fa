import CSQLite

/// SQLite's own functions whose work can be the product of two lengths, in the form that a statement of a person gets: linear, or bounded,
/// and looking at the deadline. SQLite asks for it between the steps of its machine only, and one call of these is one step.
enum ViewFunctions {
    typealias Call = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static let all: [(name: String, argumentCount: Int32, call: Call)] = [
        ("instr", 2, { context, _, arguments in instr(context, arguments) }),
        ("replace", 3, { context, _, arguments in replace(context, arguments) }),
        ("trim", 2, { context, _, arguments in trim(context, arguments, atStart: true, atEnd: true) }),
        ("ltrim", 2, { context, _, arguments in trim(context, arguments, atStart: true, atEnd: false) }),
        ("rtrim", 2, { context, _, arguments in trim(context, arguments, atStart: false, atEnd: true) }),
        ("like", 2, { context, _, arguments in like(context, arguments, hasEscape: false) }),
        ("like", 3, { context, _, arguments in like(context, arguments, hasEscape: true) }),
        ("glob", 2, { context, _, arguments in glob(context, arguments) }),
        ("unhex", 2, { context, _, _ in sqlite3_result_error(context, "unhex() takes one argument here", -1) }),
    ]

    /// What a call may compare at the most: the lengths of a text and of a pattern, multiplied. Some tenths of a second.
    private static let comparisonsMax = 100_000_000

    /// Takes the place of SQLite's own on a connection, whose deadline they look at.
    static func register(on connection: borrowing Connection) throws(StoreError) {
        for function in all {
            let code = sqlite3_create_function_v2(
                connection.handle, function.name, function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                Unmanaged.passUnretained(connection.deadline).toOpaque(), function.call, nil, nil, nil)
            guard code == SQLITE_OK else {
                throw StoreError(code: code, connection: connection.handle, path: connection.path)
            }
        }
    }

    // MARK: Arguments and results

    private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

    /// The bytes of an argument as a text; nil for NULL.
    private static func bytes(_ arguments: Arguments?, _ index: Int) -> UnsafeRawBufferPointer? {
        guard let value = arguments?[index], sqlite3_value_type(value) != SQLITE_NULL,
            let start = sqlite3_value_text(value)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    private static func isBlob(_ arguments: Arguments?, _ index: Int) -> Bool {
        arguments?[index].map { sqlite3_value_type($0) == SQLITE_BLOB } ?? false
    }

    private static func blob(_ arguments: Arguments?, _ index: Int) -> UnsafeRawBufferPointer? {
        guard let value = arguments?[index] else { return nil }
        return UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    }

    private static func deadline(of context: OpaquePointer?) -> Deadline? {
        sqlite3_user_data(context).map { Unmanaged<Deadline>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func interrupt(_ context: OpaquePointer?) { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }

    private static func result(_ bytes: UnsafeRawBufferPointer, _ context: OpaquePointer?) {
        bytes.withMemoryRebound(to: CChar.self) { text in
            homeport_sqlite_result_text(context, text.baseAddress, UInt64(text.count))
        }
    }

    // MARK: Searching

    /// `instr(X, Y)`: the number of the character with which Y begins in X, from 1; of the byte where both are blobs; 0: it is not there.
    private static func instr(_ context: OpaquePointer?, _ arguments: Arguments?) {
        let areBlobs = isBlob(arguments, 0) && isBlob(arguments, 1)
        guard let text = areBlobs ? blob(arguments, 0) : bytes(arguments, 0),
            let part = areBlobs ? blob(arguments, 1) : bytes(arguments, 1), let deadline = deadline(of: context)
        else { return }
        guard let needle = TextNeedle(part, allows: deadline.allows) else { return interrupt(context) }
        var found: Int?
        guard
            needle.places(
                in: text, allows: deadline.allows,
                {
                    found = $0; return false
                })
        else {
            return interrupt(context)
        }
        guard let found else { return sqlite3_result_int64(context, 0) }
        let before = areBlobs ? found : text.prefix(found).count { $0 & 0xC0 != 0x80 }
        sqlite3_result_int64(context, Int64(before + 1))
    }

    /// `replace(X, Y, Z)`
    private static func replace(_ context: OpaquePointer?, _ arguments: Arguments?) {
        guard let text = bytes(arguments, 0), let part = bytes(arguments, 1), let deadline = deadline(of: context)
        else {
            return
        }
        guard !part.isEmpty else { return result(text, context) }
        guard let other = bytes(arguments, 2) else { return }
        guard let needle = TextNeedle(part, allows: deadline.allows) else { return interrupt(context) }
        let bytesMax = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        var made: [UInt8] = []
        var rest = 0
        let isWhole = needle.places(in: text, allows: deadline.allows) { place in
            made += text[rest..<place]
            made += other
            rest = place + part.count
            return made.count <= bytesMax
        }
        guard isWhole else { return interrupt(context) }
        made += text[rest...]
        guard made.count <= bytesMax else { return sqlite3_result_error_toobig(context) }
        made.withUnsafeBytes { result($0, context) }
    }

    // MARK: Trimming

    /// `trim(X, Y)`: X without the characters of Y at its ends.
    private static func trim(_ context: OpaquePointer?, _ arguments: Arguments?, atStart: Bool, atEnd: Bool) {
        guard let text = bytes(arguments, 0), let characters = bytes(arguments, 1), let deadline = deadline(of: context)
        else { return }
        guard deadline.allows(text.count + characters.count) else { return interrupt(context) }
        var unwanted: Set<UInt32> = []
        var place = 0
        while place < characters.count {
            let end = self.end(ofCharacterAt: place, in: characters)
            unwanted.insert(packed(characters[place..<end]))
            place = end
        }
        var (start, end) = (0, text.count)
        while atStart, start < end {
            let next = self.end(ofCharacterAt: start, in: text)
            guard unwanted.contains(packed(text[start..<next])) else { break }
            start = next
        }
        while atEnd, end > start {
            var first = end - 1
            while first > start, end - first < 4, text[first] & 0xC0 == 0x80 { first -= 1 }
            guard unwanted.contains(packed(text[first..<end])) else { break }
            end = first
        }
        result(UnsafeRawBufferPointer(rebasing: text[start..<end]), context)
    }

    private static func end(ofCharacterAt place: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var end = place + 1
        while end < bytes.count, end - place < 4, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The bytes of one character as a number.
    private static func packed(_ character: Slice<UnsafeRawBufferPointer>) -> UInt32 {
        character.reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: Patterns

    /// Returns whether a text may be compared with a pattern. Where not, the statement has its error.
    private static func mayCompare(
        _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer, _ context: OpaquePointer?
    ) -> Bool {
        let lengthMax = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1))
        guard pattern.count <= lengthMax else {
            sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1)
            return false
        }
        let (steps, isTooMuch) = text.count.multipliedReportingOverflow(by: pattern.count)
        guard !isTooMuch, steps <= comparisonsMax else {
            sqlite3_result_error(context, "the text is too long for such a pattern of LIKE or GLOB", -1)
            return false
        }
        guard deadline(of: context)?.allows(steps) ?? false else {
            interrupt(context)
            return false
        }
        return true
    }

    /// `like(pattern, text, escape)`, which `text LIKE pattern` calls.
    private static func like(_ context: OpaquePointer?, _ arguments: Arguments?, hasEscape: Bool) {
        var escape: UInt32 = 0
        if hasEscape {
            guard let bytes = bytes(arguments, 2) else { return }
            let characters = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(2))
            guard let first = characters.first, characters.count == 1 else {
                return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1)
            }
            escape = first.value
        }
        guard let pattern = bytes(arguments, 0), let text = bytes(arguments, 1) else { return }
        guard mayCompare(text, pattern, context) else { return }
        // Both end with a byte that is 0, as all texts of SQLite do.
        let isMatch = sqlite3_strlike(
            pattern.assumingMemoryBound(to: CChar.self).baseAddress,
            text.assumingMemoryBound(to: CChar.self).baseAddress,
            escape)
        sqlite3_result_int(context, isMatch == 0 ? 1 : 0)
    }

    /// `glob(pattern, text)`, which `text GLOB pattern` calls.
    private static func glob(_ context: OpaquePointer?, _ arguments: Arguments?) {
        guard let pattern = bytes(arguments, 0), let text = bytes(arguments, 1) else { return }
        guard mayCompare(text, pattern, context) else { return }
        let isMatch = sqlite3_strglob(
            pattern.assumingMemoryBound(to: CChar.self).baseAddress,
            text.assumingMemoryBound(to: CChar.self).baseAddress)
        sqlite3_result_int(context, isMatch == 0 ? 1 : 0)
    }
}
