import Blueprint
import GraphQL
import JSON

/// Where in the schema's files things stand.
struct SchemaPlaces: Sendable {
    private let maps: [LineMap]
    private let names: [String]

    init(_ sources: [Source]) {
        maps = sources.map { LineMap($0) }
        names = sources.map { $0.name ?? "" }
    }

    /// The place of a position; null for what no file holds.
    func place(_ position: Position) -> JSONValue {
        guard position.isKnown, maps.indices.contains(position.source),
            let location = maps[position.source].location(of: position)
        else { return .null }
        return [
            "file": .string(names[position.source]), "line": .integer(Int64(location.line)),
            "column": .integer(Int64(location.column)),
        ]
    }
}
