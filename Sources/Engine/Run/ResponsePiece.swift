import GraphQL
import JSON

/// A part of a response as far as it is written, with what belongs into its holes.
struct ResponsePiece: Sendable {
    var writer: ResponseWriter
    /// By the numbers of the holes.
    private(set) var awaited: [Awaited] = []
    /// The record of a mutation as an event tells of it, where it was taken down.
    var event: JSONObject?

    /// What belongs into a hole.
    enum Awaited: Sendable {
        /// A field that something computes, with the object that it is a field of.
        case field(ComputedField, source: JSONObject?)
        /// A value that has such fields somewhere inside.
        case value(JSONValue, ValuePlan, parent: String)

        fileprivate var type: TypeUse {
            switch self {
            case .field(let field, _): field.plan.type
            case .value(_, let plan, _): plan.type
            }
        }
    }

    /// Leaves a hole where the writer is.
    mutating func await(_ awaited: Awaited) {
        writer.leaveHole(self.awaited.count, awaited.type)
        self.awaited.append(awaited)
    }

    /// A hole, and what belongs there.
    struct Hole: Sendable {
        let place: ResponseWriter.Hole
        let awaited: Awaited
    }

    /// The hole, where there is one alone.
    var onlyHole: Hole? {
        guard let place = writer.onlyHole, awaited.indices.contains(place.number) else { return nil }
        return Hole(place: place, awaited: awaited[place.number])
    }

    /// Takes the holes out, to be filled.
    mutating func takeHoles() -> [Hole] {
        writer.takeHoles().map { Hole(place: $0, awaited: awaited[$0.number]) }
    }

    /// Puts the values of all holes in, in their order, with the errors that came of them.
    mutating func fill(_ holes: [Hole], with values: [HoleValues.Value]) {
        writer.fill(holes.map(\.place), with: values.map(\.bytes))
        for value in values { writer.add(value.errors) }
    }
}
