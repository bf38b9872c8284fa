import JSON

/// What a name of a template stands for: Java's values, as far as a template can meet them.
///
/// Lists and maps are shared by all who have them, as Java's are: `#set($b = $a)` gives the same one a second name.
enum TemplateValue {
    case null
    case bool(Bool)
    /// Java's `Integer`, `Long` and, where that overflows, `BigInteger`.
    case integer(Int32)
    case long(Int64)
    case large(Int128)
    case double(Double)
    case text(String)
    /// A character that was taken out of a text.
    case character(UInt16)
    case list(TemplateList)
    case map(TemplateMap)
    /// The keys, values or entries of a map, which follow it.
    case view(TemplateView)
    case entry(TemplateEntry)
    case iterator(TemplateIterator)
    /// `$foreach`
    case loop(TemplateLoop)
    /// What `#define` gave a name.
    case block([TemplateNode])
    /// `$util` and `$extensions`, whose functions are found when a template is read.
    case library

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension TemplateValue {
    init(_ integer: Int64) {
        self = Int32(exactly: integer).map { .integer($0) } ?? .long(integer)
    }

    /// Where a list or a map stands, or the parts of one that it is.
    var isContainer: Bool {
        switch self {
        case .list, .map, .view, .entry, .iterator, .loop: true
        default: false
        }
    }

    /// Java's class, for messages.
    var className: String {
        switch self {
        case .null: "null"
        case .bool: "java.lang.Boolean"
        case .integer: "java.lang.Integer"
        case .long: "java.lang.Long"
        case .large: "java.math.BigInteger"
        case .double: "java.lang.Double"
        case .text: "java.lang.String"
        case .character: "java.lang.Character"
        case .list: "java.util.ArrayList"
        case .map: "java.util.LinkedHashMap"
        case .view(let view): view.part == .values ? "java.util.Collection" : "java.util.Set"
        case .entry: "java.util.Map$Entry"
        case .iterator: "java.util.Iterator"
        case .loop: "ForeachScope"
        case .block: "Block"
        case .library: "Utility"
        }
    }
}
