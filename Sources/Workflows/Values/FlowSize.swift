import JSON

/// How large a value is as a text, looked at no further than to a bound: a template may name a long value very often.
enum FlowSize {
    /// The bytes of a value's text; nil: there are more than the bound, or it is nested too deep.
    static func bytes(
        of value: JSONValue, max: Int = WorkflowLimits.dataBytesMax, nesting: Int = WorkflowLimits.dataNestingMax
    ) -> Int? {
        var left = max
        return spend(value, &left, nesting) ? max - left : nil
    }

    private static func spend(_ value: JSONValue, _ left: inout Int, _ nesting: Int) -> Bool {
        guard nesting > 0, left >= 0 else { return false }
        switch value {
        case .null, .bool(true): left -= 4
        case .bool(false): left -= 5
        case .integer(let number): left -= number.description.utf8.count
        case .double: left -= 8
        case .largeInteger(let digits): left -= digits.utf8.count
        case .string(let text): left -= text.utf8.count + 2
        case .array(let elements):
            left -= 2
            for element in elements {
                left -= 1
                guard spend(element, &left, nesting - 1) else { return false }
            }
        case .object(let object):
            left -= 2
            for member in object.members {
                left -= member.key.utf8.count + 4
                guard spend(member.value, &left, nesting - 1) else { return false }
            }
        }
        return left >= 0
    }
}

extension JSONValue {
    /// The value itself, where it is no larger than a state's data may be.
    func checked(of name: String) throws(FlowFault) -> JSONValue {
        guard FlowSize.bytes(of: self) != nil else { throw .tooLarge(of: name) }
        return self
    }

    func checked(_ what: String) throws(FlowFault) -> JSONValue {
        guard FlowSize.bytes(of: self) != nil else { throw .tooLarge(what) }
        return self
    }
}
