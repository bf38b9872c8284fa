import Blueprint
import GraphQL

/// `defineData({...})`
final class DataBuilder: Builder {
    let options: DataOptions
    let position: Position

    init(options: DataOptions, position: Position) {
        self.options = options
        self.position = position
    }

    override var label: String { "defineData(...)" }
}
