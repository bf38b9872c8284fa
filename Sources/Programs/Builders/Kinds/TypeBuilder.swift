import Blueprint
import Project

/// `a.customType({...})`
final class TypeBuilder: Builder {
    @Late var fields: [NamedPart] = []

    init(_ arguments: BuilderArguments) {
        super.init()
        $fields.keep { () throws(TypeScriptError) in try arguments.parts(0) }
    }

    override var label: String { "a.customType(...)" }
    override var surface: BuilderSurface { Self.surface }

    private static let surface = BuilderSurface([], isOpen: true)

    override func read() throws(TypeScriptError) -> [Builder] {
        try $fields.read()
        return fields.compactMap(\.builder)
    }
}
