import Blueprint
import Project

/// `a.combine([...])`
final class CombinedBuilder: Builder {
    @Late var schemas: [PlacedGiven] = []

    init(_ arguments: BuilderArguments) throws(TypeScriptError) {
        let first = try arguments.elements(0)
        super.init()
        $schemas.keep { () throws(TypeScriptError) in
            let last = try arguments.elements(0)
            // Amplify tells those of the call alone that they belong together.
            guard last.count == first.count, zip(first, last).allSatisfy({ $0.value.builder === $1.value.builder })
            else {
                throw arguments.error(
                    "the list of schemas is changed after `a.combine` was called with it", at: arguments.position)
            }
            return last
        }
        shown = ["schemas": arguments.value(0)]
    }

    override var label: String { "a.combine(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $schemas.read()
        return schemas.compactMap(\.value.builder)
    }

    static let surface = BuilderSurface([], properties: ["schemas"])
}
