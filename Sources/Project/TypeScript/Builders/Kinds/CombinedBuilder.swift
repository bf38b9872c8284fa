import Blueprint

/// `a.combine([...])`
final class CombinedBuilder: Builder {
    let schemas: [PlacedGiven]

    init(schemas: [PlacedGiven]) {
        self.schemas = schemas
    }

    override var label: String { "a.combine(...)" }
    override var surface: BuilderSurface { Self.surface }

    static let surface = BuilderSurface([], properties: ["schemas"])
}
