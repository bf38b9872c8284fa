import JSON

/// An event as patterns see it: a point in the name of a member leads into an object.
///
///     {"state.status": "running", "state": {"since": 1}}    {"state": {"status": "running", "since": 1}}
///
/// It is made once for an event, however many rules look at it.
package struct EventSubject: Sendable {
    let value: JSONValue

    package init(_ event: JSONValue) {
        value = Self.hasPoint(event) ? Self.unfolded(event) : event
    }

    private static let point = UInt8(ascii: ".")

    /// Nearly no event has one.
    private static func hasPoint(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let object): object.members.contains { $0.key.utf8.contains(point) || hasPoint($0.value) }
        case .array(let elements): elements.contains(where: hasPoint)
        default: false
        }
    }

    private static func unfolded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(unfolded))
        case .object(let object):
            var unfolded = JSONObject()
            for member in object.members {
                let names = member.key.parts(separatedBy: ".")
                // A name with more parts than a pattern can have is looked for by none.
                guard names.count <= EventLimits.patternNestingMax else { continue }
                let inner = names.dropFirst().reversed().reduce(Self.unfolded(member.value)) {
                    .object(JSONObject([($1, $0)]))
                }
                let name = names.first ?? ""
                unfolded.set(name, to: unfolded[name].map { merged($0, inner) } ?? inner)
            }
            return .object(unfolded)
        default: return value
        }
    }

    /// Two values of one name: objects come together, and of others either will do.
    private static func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        if case .object(var members) = one, case .object(let others) = other {
            for member in others.members {
                members.set(member.key, to: members[member.key].map { merged($0, member.value) } ?? member.value)
            }
            return .object(members)
        }
        return .array((one.array ?? [one]) + (other.array ?? [other]))
    }
}
