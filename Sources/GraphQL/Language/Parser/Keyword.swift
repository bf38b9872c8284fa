import Glibc

/// The words that mean something in some places of a document. Nowhere are they reserved.
enum Keyword {
    case query, mutation, subscription, fragment
    case schema, scalar, type, interface, union, `enum`, input, directive, extend
    case on, implements, repeatable
    case `true`, `false`, null

    /// How many bytes the word has: enough to rule most names out.
    @inline(__always)
    var length: Int {
        switch self {
        case .on: 2
        case .type, .enum, .true, .null: 4
        case .query, .input, .union, .false: 5
        case .schema, .scalar, .extend: 6
        case .mutation, .fragment: 8
        case .interface, .directive: 9
        case .implements, .repeatable: 10
        case .subscription: 12
        }
    }
}

extension Keyword {
    /// The keyword that the bytes of a name are.
    ///
    /// Hot path: decided by length and bytes, without a string.
    @inline(never)
    static func spelled(_ bytes: UnsafeBufferPointer<UInt8>) -> Keyword? {
        switch bytes.count {
        case 2: return bytes.says("on") ? .on : nil
        case 4:
            if bytes.says("type") { return .type }
            if bytes.says("enum") { return .enum }
            if bytes.says("true") { return .true }
            return bytes.says("null") ? .null : nil
        case 5:
            if bytes.says("query") { return .query }
            if bytes.says("input") { return .input }
            if bytes.says("union") { return .union }
            return bytes.says("false") ? .false : nil
        case 6:
            if bytes.says("schema") { return .schema }
            if bytes.says("scalar") { return .scalar }
            return bytes.says("extend") ? .extend : nil
        case 8:
            if bytes.says("mutation") { return .mutation }
            return bytes.says("fragment") ? .fragment : nil
        case 9:
            if bytes.says("interface") { return .interface }
            return bytes.says("directive") ? .directive : nil
        case 10:
            if bytes.says("implements") { return .implements }
            return bytes.says("repeatable") ? .repeatable : nil
        case 12: return bytes.says("subscription") ? .subscription : nil
        default: return nil
        }
    }
}

extension Parser {
    /// The keyword that the current token, a name, is.
    @inline(__always)
    var keyword: Keyword? { Keyword.spelled(tokenBytes) }

    /// Returns whether the current token is that keyword.
    @inline(__always)
    func isKeyword(_ wanted: Keyword) -> Bool {
        // One condition after the other: joined by operators, each takes a copy of the whole parser.
        let token = lexer.token
        guard token.kind == .name, token.end &- token.start == wanted.length else { return false }
        return keyword == wanted
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes are those of a text of the same length. The compiler makes it one comparison of numbers.
    @inline(__always)
    fileprivate func says(_ text: StaticString) -> Bool {
        guard let start = baseAddress else { return text.utf8CodeUnitCount == 0 }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
