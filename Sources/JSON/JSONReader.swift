/// Reads a JSON text, strictly after RFC 8259, into a value.
///
/// Three decisions that the standard leaves open: a byte order mark is skipped; of members with the same key the last one wins;
/// a lone surrogate escape (`"\ud800"`, which JavaScript sends when it cuts an emoji in two) becomes U+FFFD, since
/// no UTF-8 text can hold it and refusing it would refuse the whole request; `JSONLimits.refusesLoneSurrogates` says otherwise.
package enum JSONReader {
    /// The value of a text.
    package static func value(of text: [UInt8], limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
        try value(of: text.span, limits: limits)
    }

    /// The value of a text.
    package static func value(of text: Span<UInt8>, limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
        try text.withUnsafeBytes { bytes throws(JSONError) in try value(of: bytes, limits: limits) }
    }

    /// The value of a text.
    package static func value(of text: String, limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
        var text = text
        // The standard library's function cannot say which error it passes on.
        let outcome = text.withUTF8 { bytes in
            Result { () throws(JSONError) in try value(of: UnsafeRawBufferPointer(bytes), limits: limits) }
        }
        return try outcome.get()
    }

    /// The members of an object, of which one is left as it is written when it is a string: `left` is where its
    /// characters stand, escapes included. Whoever has seen the same bytes before need not read them again; everybody
    /// else must, by `string(of:at:)`, since they have not been checked.
    package static func members(
        of text: [UInt8], leaving name: StaticString, limits: JSONLimits = .standard
    ) throws(JSONError) -> (members: JSONObject, left: Range<Int>?) {
        try text.span.withUnsafeBytes { bytes throws(JSONError) in
            var parser = JSONParser(bytes, limits: limits)
            return try parser.document(leaving: name)
        }
    }

    /// The string whose characters stand there, as `members(of:leaving:)` has found it.
    package static func string(of text: [UInt8], at range: Range<Int>) throws(JSONError) -> String {
        try text.span.withUnsafeBytes { bytes throws(JSONError) in
            var parser = JSONParser(bytes, limits: .standard)
            return try parser.string(at: range)
        }
    }

    /// The value of a text. The bytes are not kept.
    package static func value(
        of bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes, limits: limits)
        return try parser.document()
    }
}
