import CSQLite
import JSON

/// The functions that our statements use besides SQLite's own.
struct SQLFunction: Sendable {
    typealias Call = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    let name: String
    private let argumentCount: Int32
    private let call: Call

    /// The words of a text.
    static let words = SQLFunction(name: "homeport_words", argumentCount: 1) { context, _, arguments in
        guard let text = text(arguments, 0) else { return }
        result(SearchWords.indexed(text), context)
    }

    /// The words of the texts in a list.
    static let listWords = SQLFunction(name: "homeport_list_words", argumentCount: 1) { context, _, arguments in
        guard let text = text(arguments, 0), let elements = (try? JSONReader.value(of: text))?.array else { return }
        result(SearchWords.indexed(elements.compactMap(\.string)), context)
    }

    /// Whether a pattern with `*` and `?` describes a text.
    static let wildcard = SQLFunction(name: "homeport_wildcard", argumentCount: 2) { context, _, arguments in
        match(context, arguments) { text throws(StoreError) in try TextPattern(wildcard: text) }
    }

    /// Whether a regular expression describes a text.
    static let regexp = SQLFunction(name: "homeport_regexp", argumentCount: 2) { context, _, arguments in
        match(context, arguments) { text throws(StoreError) in try TextPattern(regexp: text) }
    }

    private static let all = [words, listWords, wildcard, regexp]

    /// Makes all of them known to a connection. No schema in a file may use them.
    static func register(on connection: OpaquePointer, path: String) throws(StoreError) {
        for function in all {
            let code = sqlite3_create_function_v2(
                connection, function.name, function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function.call, nil, nil, nil)
            guard code == SQLITE_OK else { throw StoreError(code: code, connection: connection, path: path) }
        }
    }

    /// The text of an argument; nil for anything else.
    private static func text(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> String? {
        guard let value = arguments?[index], sqlite3_value_type(value) == SQLITE_TEXT,
            let bytes = sqlite3_value_text(value)
        else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static func result(_ text: String, _ context: OpaquePointer?) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                homeport_sqlite_result_text(context, text.baseAddress, UInt64(text.count))
            }
        }
    }

    /// The pattern is the first argument; SQLite keeps what was made of it for the rows that follow.
    private static func match(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ make: (String) throws(StoreError) -> TextPattern
    ) {
        guard let text = text(arguments, 1) else { return }
        let pattern: TextPattern
        if let kept = sqlite3_get_auxdata(context, 0) {
            pattern = Unmanaged<TextPattern.Kept>.fromOpaque(kept).takeUnretainedValue().pattern
        } else {
            do throws(StoreError) {
                guard let source = Self.text(arguments, 0) else { return }
                pattern = try make(source)
            } catch {
                return sqlite3_result_error(context, error.message, -1)
            }
            sqlite3_set_auxdata(
                context, 0, Unmanaged.passRetained(TextPattern.Kept(pattern)).toOpaque(),
                { kept in if let kept { Unmanaged<TextPattern.Kept>.fromOpaque(kept).release() } })
        }
        guard let isMatch = pattern.describes(text) else { return sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
        sqlite3_result_int(context, isMatch ? 1 : 0)
    }
}
