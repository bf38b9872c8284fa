import Blueprint

/// `a.enum([...])`
final class EnumBuilder: Builder {
    let values: [PlacedText]

    init(values: [PlacedText]) {
        self.values = values
    }

    override var label: String { "a.enum(...)" }
    override var surface: BuilderSurface { Self.surface }

    static let surface = BuilderSurface([], properties: ["values"])
}
