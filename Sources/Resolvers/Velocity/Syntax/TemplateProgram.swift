/// A mapping template, read once and run by any thread.
struct TemplateProgram: Sendable {
    let nodes: [TemplateNode]
    /// How many values its names need.
    let slots: Int
    /// What it was read from, for the places of faults.
    let source: [UInt8]
    /// Set when the template is nothing but `$util.toJson(…)`: what is between the parentheses is its value, and need not be
    /// written and read again.
    let whole: TemplateExpression?

    init(reading text: String) throws(TemplateFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= VelocityLimits.templateBytesMax else {
            throw TemplateFault("A template has at most \(VelocityLimits.templateBytesMax) bytes.", at: 0)
        }
        var parser = TemplateParser(bytes)
        nodes = try parser.template()
        slots = parser.names.count
        source = bytes
        whole = Self.whole(nodes)
    }

    private static func whole(_ nodes: [TemplateNode]) -> TemplateExpression? {
        var found: TemplateExpression?
        for node in nodes {
            switch node {
            case .text(let bytes):
                guard bytes.allSatisfy(TemplateLexer.isSpace) else { return nil }
            case .reference(let reference):
                guard found == nil, reference.prefix.some.isEmpty, let argument = reference.jsonArgument else {
                    return nil
                }
                found = argument
            default:
                return nil
            }
        }
        return found
    }

    /// Line and column of a byte.
    func place(of offset: Int) -> ResolverPlace { Self.place(of: offset, in: source) }

    static func place(of offset: Int, in source: [UInt8]) -> ResolverPlace {
        let before = source[..<min(offset, source.count)]
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return ResolverPlace(line: line, column: 1 + before[start...].count { $0 & 0xC0 != 0x80 })
    }
}
