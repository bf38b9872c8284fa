import GraphQL
import JSON

/// The names behind the response names of a selection: events have fields by their names, responses by aliases.
final class EventShape: Sendable {
    struct Member: Sendable {
        let responseName: String
        let name: String
        let shape: EventShape?
    }

    let members: [Member]
    /// Whether any name differs, here or below.
    let isRenamed: Bool

    init(_ selectionSets: [SelectionSet], in document: ExecutableDocument) {
        var members: [Member] = []
        var below: [ByteText: [SelectionSet]] = [:]
        var names: [(response: String, name: String)] = []
        var visited: Set<ByteText> = []
        func collect(_ selectionSet: SelectionSet) {
            for selection in selectionSet {
                switch selection {
                case .field(let field):
                    let response = field.responseName
                    if below[response] == nil {
                        names.append((response, field.name.text))
                        below[response] = []
                    }
                    if !field.selectionSet.isEmpty { below[response]?.append(field.selectionSet) }
                case .inlineFragment(let fragment): collect(fragment.selectionSet)
                case .fragmentSpread(let spread):
                    // Validation has seen to it that there are no cycles.
                    guard visited.add(spread.name.text) else { continue }
                    collect(document.fragments[spread.name.text]?.selectionSet ?? [])
                }
            }
        }
        for selectionSet in selectionSets { collect(selectionSet) }
        for (response, name) in names {
            let selections = below[response] ?? []
            let shape = selections.isEmpty ? nil : EventShape(selections, in: document)
            members.append(Member(responseName: response, name: name, shape: shape))
        }
        self.members = members
        isRenamed = members.contains { $0.responseName != $0.name || $0.shape?.isRenamed == true }
    }
}

/// The value of an event.
enum EventValue {
    /// The value of a response's bytes by field names.
    static func value(of bytes: [UInt8], _ shape: EventShape) -> JSONValue? {
        (try? JSONReader.value(of: bytes)).map { value($0, shape) }
    }

    /// A value of a response by field names.
    static func value(_ value: JSONValue, _ shape: EventShape?) -> JSONValue {
        guard let shape, shape.isRenamed else { return value }
        switch value {
        case .object(let object): return .object(renamed(object, shape))
        case .array(let elements): return .array(elements.map { Self.value($0, shape) })
        default: return value
        }
    }

    private static func renamed(_ object: JSONObject, _ shape: EventShape) -> JSONObject {
        var result = JSONObject()
        for member in shape.members {
            guard let value = object[member.responseName] else { continue }
            let new = Self.value(value, member.shape)
            result.set(member.name, to: result[member.name].map { merged($0, new) } ?? new)
        }
        return result
    }

    /// A field under two names: what each selected of it is there.
    static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        guard case .object(var object) = first, case .object(let other) = second else { return first }
        for member in other where object[member.key] == nil { object.set(member.key, to: member.value) }
        return .object(object)
    }
}
