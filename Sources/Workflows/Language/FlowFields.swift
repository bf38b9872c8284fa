import JSON

/// The fields of a part of a definition, read by kinds.
struct FlowFields {
    let value: JSONValue
    let place: String

    static let root = FlowPath("$")

    init(_ value: JSONValue, at place: String) { (self.value, self.place) = (value, place) }

    func refusal(_ message: String) -> FlowRefusal { FlowRefusal(message, at: place) }

    func text(_ name: String) throws(FlowRefusal) -> String? {
        guard let value = value[name] else { return nil }
        guard let text = value.string else { throw refusal("'\(name)' is a text, found \(value.kind)") }
        return text
    }

    func demandedText(_ name: String) throws(FlowRefusal) -> String {
        guard let text = try text(name) else { throw refusal("The field '\(name)' is missing") }
        return text
    }

    func whole(_ name: String, _ range: ClosedRange<Int64>) throws(FlowRefusal) -> Int64? {
        guard let value = value[name] else { return nil }
        guard let number = value.integer ?? value.number.flatMap({ Int64(exactly: $0) }), range.contains(number) else {
            throw refusal("'\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A path that is `$` where there is none, and nil where it is null.
    func path(_ name: String) throws(FlowRefusal) -> FlowPath? {
        guard let value = value[name] else { return Self.root }
        if value.isNull { return nil }
        guard let text = value.string else { throw refusal("'\(name)' is no path such as $.order") }
        var reader = FlowPathReader(text)
        guard let path = reader.path(), reader.isAtEnd else {
            throw refusal(
                reader.isTooDeep
                    ? "'\(name)' has more than \(WorkflowLimits.filterNestingMax) filters in each other"
                    : "'\(name)' is no path such as $.order")
        }
        return path
    }

    /// The same of one at which something can be put.
    func reference(_ name: String) throws(FlowRefusal) -> FlowPath? {
        guard let path = try path(name) else { return nil }
        guard path.isReference else { throw refusal("'\(name)' is no path to one place, such as $.order") }
        return path
    }

    func template(_ name: String) throws(FlowRefusal) -> FlowTemplate? {
        guard let value = value[name] else { return nil }
        return try FlowTemplate(value, at: "\(place)/\(name)")
    }

    func number(
        _ name: String, path pathName: String, _ range: ClosedRange<Int64>
    ) throws(FlowRefusal) -> FlowNumber? {
        guard value[pathName] != nil else { return try whole(name, range).map { .fixed($0) } }
        guard value[name] == nil else { throw refusal("'\(name)' and '\(pathName)' cannot both be there") }
        return try path(pathName).map { .path($0) }
    }

    func text(_ name: String, path pathName: String) throws(FlowRefusal) -> FlowText? {
        guard value[pathName] != nil else { return try text(name).map { .fixed($0) } }
        guard value[name] == nil else { throw refusal("'\(name)' and '\(pathName)' cannot both be there") }
        guard let expression = FlowExpression(try demandedText(pathName)) else {
            throw refusal("'\(pathName)' is no path and no call of a function")
        }
        return .expression(expression)
    }

    /// The elements of a list of objects.
    func rules(_ name: String) throws(FlowRefusal) -> [FlowFields] {
        guard let value = value[name] else { return [] }
        guard let list = value.array, list.allSatisfy({ $0.object != nil }) else {
            throw refusal("'\(name)' is a list of objects")
        }
        return list.enumerated().map { FlowFields($1, at: "\(place)/\(name)[\($0)]") }
    }

    /// The errors that a rule is for.
    func errors() throws(FlowRefusal) -> [String] {
        guard let list = value["ErrorEquals"]?.array, !list.isEmpty else {
            throw refusal("'ErrorEquals' is a list with one name at least")
        }
        let names = list.compactMap(\.string)
        guard names.count == list.count else { throw refusal("'ErrorEquals' is a list of texts") }
        guard !names.contains(FlowFault.allName) || names.count == 1 else {
            throw refusal("'States.ALL' stands alone in 'ErrorEquals'")
        }
        return names
    }
}
