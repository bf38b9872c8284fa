import JSON

/// An event as patterns see it: a point in the name of a member leads into an object.
///
///     {"state.status": "running", "state": {"since": 1}}    {"state": {"status": "running", "since": 1}}
///
/// It is made once for an event, however many rules look at it. What that takes is counted, as what patterns look at is.
package struct EventSubject: Sendable {
    let value: JSONValue

    package init(_ event: JSONValue, _ steps: MatchingSteps) throws(EventPatternError) {
        value = try Self.hasPoint(event, steps) ? try Self.unfolded(event, steps) : event
    }

    private static let point = UInt8(ascii: ".")

    /// Nearly no event has one.
    private static func hasPoint(_ value: JSONValue, _ steps: MatchingSteps) throws(EventPatternError) -> Bool {
        switch value {
        case .object(let object):
            for member in object.members {
                try steps.spend(nameSteps + member.key.utf8.count)
                if member.key.utf8.contains(point) { return true }
                if try hasPoint(member.value, steps) { return true }
            }
        case .array(let elements):
            try steps.spend(elements.count)
            for element in elements where try hasPoint(element, steps) { return true }
        default: break
        }
        return false
    }

    private static func unfolded(_ value: JSONValue, _ steps: MatchingSteps) throws(EventPatternError) -> JSONValue {
        switch value {
        case .array(let elements):
            try steps.spend(elementSteps * elements.count)
            var unfolded: [JSONValue] = []
            for element in elements { unfolded.append(try Self.unfolded(element, steps)) }
            return .array(unfolded)
        case .object(let object):
            var unfolded = JSONObject()
            for member in object.members {
                let names = member.key.parts(separatedBy: ".")
                try steps.spend(memberSteps * names.count + member.key.utf8.count)
                // A name with more parts than a pattern can have is looked for by none.
                guard names.count <= EventPatternLimits.nestingMax else { continue }
                let inner = names.dropFirst().reversed().reduce(try Self.unfolded(member.value, steps)) {
                    .object(JSONObject([($1, $0)]))
                }
                let name = names.first ?? ""
                let old = unfolded[name]
                unfolded.set(
                    name, to: try old.map { old throws(EventPatternError) in try merged(old, inner, steps) } ?? inner)
            }
            return .object(unfolded)
        default: return value
        }
    }

    /// Two values of one name: objects come together, and of others either will do. The first one is copied for that.
    private static func merged(
        _ one: JSONValue, _ other: JSONValue, _ steps: MatchingSteps
    ) throws(EventPatternError) -> JSONValue {
        if case .object(var members) = one, case .object(let others) = other {
            try steps.spend(copySteps * members.count + memberSteps * others.count)
            for member in others.members {
                let old = members[member.key]
                members.set(
                    member.key,
                    to: try old.map { old throws(EventPatternError) in try merged(old, member.value, steps) }
                        ?? member.value)
            }
            return .object(members)
        }
        let (ones, others) = (one.array ?? [one], other.array ?? [other])
        try steps.spend(elementSteps * (ones.count + others.count))
        return .array(ones + others)
    }

    // MARK: What things cost

    /// A name in which a point is looked for.
    private static let nameSteps = 4
    /// An element of a list that is copied.
    private static let elementSteps = 4
    /// A member of an object that is copied with it.
    private static let copySteps = 8
    /// A member that is put into an object.
    private static let memberSteps = 40
}
