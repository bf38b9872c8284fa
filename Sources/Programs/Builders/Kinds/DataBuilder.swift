import Blueprint
import GraphQL
import Project

/// `defineData({...})`
final class DataBuilder: Builder {
    @Late var options = DataOptions()
    let position: Position

    init(_ arguments: BuilderArguments) {
        position = arguments.position
        super.init()
        $options.keep { () throws(TypeScriptError) in try DataOptions(arguments) }
    }

    override var label: String { "defineData(...)" }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $options.read()
        return options.builders
    }
}
