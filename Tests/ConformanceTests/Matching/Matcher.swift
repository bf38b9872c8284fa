import JSON

/// Where an answer differs from what a case expects.
struct Mismatch: Error, Equatable, CustomStringConvertible {
    let path: JSONPath
    let expected: String
    let got: String

    var description: String { "\(path): expected \(expected), got \(got)" }

    init(_ path: JSONPath, _ expected: String, _ got: String) {
        (self.path, self.expected, self.got) = (path, Self.short(expected), Self.short(got))
    }

    init(_ path: JSONPath, expected: JSONValue, got: JSONValue?) {
        self.init(path, JSONWriter.text(of: expected), got.map { JSONWriter.text(of: $0) } ?? "nothing")
    }

    private static func short(_ text: String) -> String {
        text.count > 400 ? "\(text.prefix(400))…" : text
    }
}

/// Compares what came with what a case expects, where an object with one member such as `{"$regex": "..."}` stands for
/// all values of a kind.
struct Matcher {
    /// What earlier steps have kept.
    let saved: [String: JSONValue]

    init(_ saved: [String: JSONValue] = [:]) { self.saved = saved }

    /// Throws at the first difference.
    ///
    /// - Parameter isExact: an object may have no other members than the expected ones. It changes on the way down: `data`
    ///   is compared exactly, while of the entries of `errors` only the members that are named.
    func check(
        _ got: JSONValue?, _ expected: JSONValue, at path: JSONPath = JSONPath(), isExact: Bool = false
    ) throws(Mismatch) {
        switch expected {
        case .object(let object):
            if object.count == 1, let member = object.members.first, let rule = Rule(rawValue: member.key) {
                return try check(got, rule, member.value, expected, at: path, isExact: isExact)
            }
            try check(got, object, at: path, isExact: isExact)
        case .array(let elements):
            guard let found = got?.array, found.count == elements.count else {
                throw Mismatch(path, expected: expected, got: got)
            }
            for (index, element) in elements.enumerated() {
                try check(found[index], element, at: path.appending(index), isExact: isExact)
            }
        case .integer, .double, .largeInteger:
            guard let got, Self.isEqual(got, expected) else { throw Mismatch(path, expected: expected, got: got) }
        case .null, .bool, .string:
            guard got == expected else { throw Mismatch(path, expected: expected, got: got) }
        }
    }

    private func check(_ got: JSONValue?, _ expected: JSONObject, at path: JSONPath, isExact: Bool) throws(Mismatch) {
        guard let found = got?.object else { throw Mismatch(path, expected: .object(expected), got: got) }
        for member in expected {
            let place = path.appending(member.key)
            guard let value = found[member.key] else {
                // Where it is not exact, what is null may be left out.
                if (member.value.isNull && !isExact) || member.value["$any"] == true { continue }
                throw Mismatch(place, expected: member.value, got: nil)
            }
            let isExactBelow = member.key == "data" ? true : member.key == "errors" ? false : isExact
            try check(value, member.value, at: place, isExact: isExactBelow)
        }
        guard isExact else { return }
        for member in found where expected[member.key] == nil {
            throw Mismatch(path.appending(member.key), "nothing", JSONWriter.text(of: member.value))
        }
    }

    func matches(_ got: JSONValue, _ expected: JSONValue, isExact: Bool = false) -> Bool {
        do throws(Mismatch) {
            try check(got, expected, isExact: isExact)
            return true
        } catch {
            return false
        }
    }

    /// `1` and `1.0` are the same number.
    private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if left == right { return true }
        guard let left = left.number, let right = right.number else { return false }
        return left == right
    }
}

extension Matcher {
    /// What stands for all values of a kind.
    private enum Rule: String {
        case any = "$any"
        case type = "$type"
        case regex = "$regex"
        case reference = "$ref"
        case length = "$len"
        case not = "$not"
        case greater = "$gt"
        case unordered = "$unordered"
        case contains = "$contains"
        case oneOf = "$oneOf"
        case json = "$json"
    }

    private func check(
        _ got: JSONValue?, _ rule: Rule, _ argument: JSONValue, _ expected: JSONValue, at path: JSONPath, isExact: Bool
    ) throws(Mismatch) {
        if rule == .reference {
            let name = argument.string ?? ""
            guard let value = saved[name] else {
                throw Mismatch(path, "what was kept as \(name)", "nothing that was kept")
            }
            return try check(got, value, at: path, isExact: isExact)
        }
        guard let got, holds(got, rule, argument, isExact: isExact) else {
            throw Mismatch(path, expected: expected, got: got)
        }
    }

    private func holds(_ got: JSONValue, _ rule: Rule, _ argument: JSONValue, isExact: Bool) -> Bool {
        switch rule {
        case .any: true
        case .type: argument.string == Self.typeName(of: got)
        case .regex: Self.isFound(argument.string, in: got.string)
        case .reference: false
        case .length: Self.length(of: got).map(Int64.init) == argument.integer
        case .not: !matches(got, argument, isExact: isExact)
        case .greater: Self.isGreater(got, than: argument["$ref"]?.string.flatMap { saved[$0] } ?? argument)
        case .unordered:
            got.array?.count == argument.array?.count && isAssignable(argument.array, to: got.array, isExact: isExact)
        case .oneOf: argument.array?.contains { matches(got, $0, isExact: isExact) } ?? false
        case .json:
            (got.string.flatMap { try? JSONReader.value(of: $0) }).map { matches($0, argument, isExact: true) } ?? false
        case .contains: isAssignable(argument.array, to: got.array, isExact: isExact)
        }
    }

    private static func typeName(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .double, .largeInteger: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private static func isFound(_ pattern: String?, in text: String?) -> Bool {
        guard let pattern, let text, let regex = try? Regex(pattern) else { return false }
        // Scalars, since a carriage return and a line feed are one character.
        return text.contains(regex.matchingSemantics(.unicodeScalar))
    }

    private static func length(of value: JSONValue) -> Int? {
        switch value {
        case .string(let text): text.unicodeScalars.count
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: nil
        }
    }

    private static func isGreater(_ value: JSONValue, than other: JSONValue) -> Bool {
        switch (value, other) {
        case (.integer(let left), .integer(let right)): return left > right
        case (.string(let left), .string(let right)): return right.utf8.lexicographicallyPrecedes(left.utf8)
        default:
            guard let left = value.number, let right = other.number else { return false }
            return left > right
        }
    }

    /// Whether each of the expected elements finds one of its own.
    private func isAssignable(_ expected: [JSONValue]?, to got: [JSONValue]?, isExact: Bool) -> Bool {
        guard let expected, let got else { return false }
        guard let first = expected.first else { return true }
        return got.indices.contains { index in
            guard matches(got[index], first, isExact: isExact) else { return false }
            var rest = got
            rest.remove(at: index)
            return isAssignable(Array(expected.dropFirst()), to: rest, isExact: isExact)
        }
    }
}
