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
        guard let text = text(arguments, 0), let deadline = deadline(of: context) else { return }
        result(SearchWords.indexed([text], allows: deadline.allows), context)
    }

    /// The words of the texts in a list.
    static let listWords = SQLFunction(name: "homeport_list_words", argumentCount: 1) { context, _, arguments in
        guard let text = text(arguments, 0), let deadline = deadline(of: context),
            let elements = (try? JSONReader.value(of: text))?.array
        else { return }
        result(SearchWords.indexed(elements.compactMap(\.string), allows: deadline.allows), context)
    }

    /// True if a text has another one in it.
    static let contains = SQLFunction(name: "homeport_contains", argumentCount: 2) { context, _, arguments in
        guard let text = bytes(arguments, 0), let deadline = deadline(of: context) else { return }
        let needle = kept(context, arguments, 1) { bytes throws(StoreError) -> TextNeedle.Kept in
            guard let needle = TextNeedle(bytes, allows: deadline.allows) else { throw StoreError(.interrupted, "") }
            return TextNeedle.Kept(needle)
        }
        guard let needle else { return }
        guard let isPart = needle.needle.isPart(of: text, allows: deadline.allows) else { return interrupt(context) }
        sqlite3_result_int(context, isPart ? 1 : 0)
    }

    /// True if a pattern with `*` and `?` describes a text.
    static let wildcard = SQLFunction(name: "homeport_wildcard", argumentCount: 2) { context, _, arguments in
        match(context, arguments) { text throws(StoreError) in try TextPattern(wildcard: text) }
    }

    /// True if a regular expression describes a text.
    static let regexp = SQLFunction(name: "homeport_regexp", argumentCount: 2) { context, _, arguments in
        match(context, arguments) { text throws(StoreError) in try TextPattern(regexp: text) }
    }

    private static let all = [words, listWords, contains, wildcard, regexp]

    /// Makes all of them known to a connection, whose deadline they look at. No schema in a file may use them.
    static func register(
        on connection: OpaquePointer, path: String, _ deadline: Deadline
    ) throws(StoreError) {
        for function in all {
            let code = sqlite3_create_function_v2(
                connection, function.name, function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                Unmanaged.passUnretained(deadline).toOpaque(), function.call, nil, nil, nil)
            guard code == SQLITE_OK else { throw StoreError(code: code, connection: connection, path: path) }
        }
    }

    // MARK: Arguments

    /// The text of an argument; nil for anything else.
    private static func text(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> String? {
        guard let value = arguments?[index], sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        return bytes(arguments, index).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of an argument as a text; nil for NULL. They are there as long as the call runs.
    private static func bytes(
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int
    ) -> UnsafeRawBufferPointer? {
        guard let value = arguments?[index], sqlite3_value_type(value) != SQLITE_NULL,
            let start = sqlite3_value_text(value)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// What was made of an argument: SQLite keeps it for the rows that follow. Nil when it cannot be made; the statement
    /// has its error then.
    private static func kept<Value: AnyObject>(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int,
        make: (UnsafeRawBufferPointer) throws(StoreError) -> Value
    ) -> Value? {
        let place = Int32(truncatingIfNeeded: index)
        if let kept = sqlite3_get_auxdata(context, place) {
            return Unmanaged<Value>.fromOpaque(kept).takeUnretainedValue()
        }
        guard let bytes = bytes(arguments, index) else { return nil }
        let made: Value
        do throws(StoreError) {
            made = try make(bytes)
        } catch {
            if error.kind == .interrupted {
                interrupt(context)
            } else {
                sqlite3_result_error(context, error.message, -1)
            }
            return nil
        }
        sqlite3_set_auxdata(
            context, place, Unmanaged.passRetained(made as AnyObject).toOpaque(),
            { kept in if let kept { Unmanaged<AnyObject>.fromOpaque(kept).release() } })
        return made
    }

    private static func deadline(of context: OpaquePointer?) -> Deadline? {
        sqlite3_user_data(context).map { Unmanaged<Deadline>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Results

    /// Nil: the time of the statement is over.
    private static func result(_ text: String?, _ context: OpaquePointer?) {
        guard var text else { return interrupt(context) }
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                homeport_sqlite_result_text(context, text.baseAddress, UInt64(text.count))
            }
        }
    }

    private static func interrupt(_ context: OpaquePointer?) { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }

    /// The pattern is the first argument.
    private static func match(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ make: (String) throws(StoreError) -> TextPattern
    ) {
        guard let text = text(arguments, 1), let deadline = deadline(of: context) else { return }
        let kept = kept(context, arguments, 0) { bytes throws(StoreError) in
            TextPattern.Kept(try make(String(decoding: bytes, as: UTF8.self)))
        }
        guard let kept else { return }
        guard let isMatch = kept.pattern.describes(text, allows: deadline.allowsPattern) else {
            return interrupt(context)
        }
        sqlite3_result_int(context, isMatch ? 1 : 0)
    }
}
