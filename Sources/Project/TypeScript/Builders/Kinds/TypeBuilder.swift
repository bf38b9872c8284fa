import Blueprint

/// `a.customType({...})`
final class TypeBuilder: Builder {
    let fields: [NamedPart]

    init(fields: [NamedPart]) {
        self.fields = fields
    }

    override var label: String { "a.customType(...)" }
}
