import Blueprint
import Project

/// `a.enum([...])`
final class EnumBuilder: Builder {
    @Late var values: [PlacedText] = []

    init(_ arguments: BuilderArguments) {
        super.init()
        $values.keep { () throws(TypeScriptError) in try arguments.texts(0) }
        shown = ["values": arguments.value(0)]
    }

    override var label: String { "a.enum(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $values.read()
        return []
    }

    static let surface = BuilderSurface([], properties: ["values"])
}
