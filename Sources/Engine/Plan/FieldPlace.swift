import GraphQL
import JSON

/// Where a field stands in a response, and when: what an operation says of it, whatever gives it its value.
struct FieldPlace: Sendable {
    let name: String
    let responseName: String
    /// The response name as JSON, between the comma before it and the colon behind it.
    let key: [UInt8]
    /// Empty when it is part of every request; otherwise of those that meet one of them.
    let inclusions: [Inclusion]
    let type: TypeUse
    let position: Position
    /// The number of its check; none for what everybody may read, such as `__typename`.
    let check: Int?

    init(_ group: CollectFields.Group, type: TypeUse, check: Int?) {
        name = group.fields.first?.field.name.text ?? ""
        responseName = group.responseName
        var key = [UInt8(ascii: ",")]
        JSONWriter.writeKey(responseName, to: &key)
        self.key = key
        let inclusions = group.fields.map(\.inclusion)
        self.inclusions = inclusions.contains(.always) ? [] : inclusions
        self.type = type
        position = group.fields.first?.field.position ?? .none
        self.check = check
    }
}

/// The plan of a field: its place, and where its value comes from.
///
/// A class, because a row walks over many of them: to copy one is to count one reference.
protocol PlacedField: AnyObject {
    var place: FieldPlace { get }
}

extension PlacedField {
    @inline(__always) var name: String { place.name }
    @inline(__always) var responseName: String { place.responseName }
    @inline(__always) var key: [UInt8] { place.key }
    @inline(__always) var inclusions: [Inclusion] { place.inclusions }
    @inline(__always) var type: TypeUse { place.type }
    @inline(__always) var position: Position { place.position }
    @inline(__always) var check: Int? { place.check }

    @inline(__always)
    func isMet(_ variables: VariableValues) -> Bool {
        place.inclusions.isEmpty || place.inclusions.contains { $0.isMet(variables) }
    }
}
