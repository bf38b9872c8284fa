import Blueprint
import Project

/// `index('field')` in a callback of `.secondaryIndexes`
final class IndexBuilder: Builder {
    enum QueryField {
        case standard, none
        case named(String)
    }

    enum Projection {
        case keysOnly
        case include([String])
    }

    let field: PlacedText
    @Late var sortFields: [PlacedText] = []
    var name: String?
    var queryField = QueryField.standard
    @Late var projection: Projection?

    init(field: PlacedText) {
        self.field = field
    }

    override var label: String { "index(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $sortFields.read()
        try $projection.read()
        return []
    }

    static let surface = BuilderSurface([
        .modifier("sortKeys") { (index: IndexBuilder, arguments) throws(TypeScriptError) in
            index.$sortFields.keep { () throws(TypeScriptError) in try arguments.texts(0) }
        },
        .modifier("name") { (index: IndexBuilder, arguments) throws(TypeScriptError) in
            index.name = try arguments.filledText(0)
        },
        .modifier("queryField") { (index: IndexBuilder, arguments) throws(TypeScriptError) in
            index.queryField =
                arguments.isNull(0) ? .none : try arguments.filledText(0).map { .named($0) } ?? .standard
        },
        .modifier("projection") { (index: IndexBuilder, arguments) throws(TypeScriptError) in
            index.$projection.keep { () throws(TypeScriptError) in try projection(of: arguments) }
        },
    ])

    private static func projection(of arguments: BuilderArguments) throws(TypeScriptError) -> Projection? {
        let kind = try arguments.text(0)
        switch kind.text {
        case "ALL": return nil
        case "KEYS_ONLY": return .keysOnly
        case "INCLUDE": return .include(arguments.count > 1 ? try arguments.texts(1).map(\.text) : [])
        default: throw arguments.error("expected ALL, KEYS_ONLY or INCLUDE", at: kind.position)
        }
    }
}
