import JSON

/// Directives that are words to Velocity's grammar.
enum TemplateDirective: String {
    case foreach, define, literal, `break`, stop, `return`
    case include, parse, macro, evaluate

    /// Whether it has a block that `#end` closes.
    var hasBlock: Bool { self == .foreach || self == .define || self == .literal || self == .macro }

    /// Whether a backslash before this word is an escape: it is a directive, of the grammar's own or one of these.
    static func isKnown(_ name: String) -> Bool {
        switch name {
        case "if", "end", "set", "else", "elseif": true
        default: TemplateDirective(rawValue: name) != nil
        }
    }
}
