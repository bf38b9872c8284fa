import Access
import JSON

/// Reads the conditions of a form's policy.
struct ConditionReader {
    private(set) var conditions: [FormPolicy.Condition] = []
    private(set) var lengths: ClosedRange<Int>?

    /// An object with exact values, or a list: `["eq", "$key", "a"]`, `["starts-with", "$key", "a/"]`,
    /// `["content-length-range", 1, 10]`.
    mutating func read(_ value: JSONValue) throws(FileError) {
        if let object = value.object {
            guard !object.isEmpty else { throw Self.invalid }
            for member in object.members {
                guard let text = member.value.string else { throw Self.invalid }
                try add(.equals(name: member.key.inLowerCaseASCII, value: text))
            }
            return
        }
        guard let list = value.array, list.count == 3, let kind = list[0].string else { throw Self.invalid }
        let operation = kind.inLowerCaseASCII
        if operation == "content-length-range" {
            guard let least = Self.number(list[1]), let most = Self.number(list[2]), least <= most, lengths == nil
            else {
                throw Self.invalid
            }
            lengths = least...most
            return
        }
        guard let variable = list[1].string, variable.hasPrefix("$"), let text = list[2].string else {
            throw Self.invalid
        }
        let name = String(Substring(variable.utf8.dropFirst())).inLowerCaseASCII
        switch operation {
        case "eq": try add(.equals(name: name, value: text))
        case "starts-with": try add(.begins(name: name, with: text))
        default: throw Self.invalid
        }
    }

    private mutating func add(_ condition: FormPolicy.Condition) throws(FileError) {
        guard conditions.count < FileLimits.formConditionsMax, !condition.name.isEmpty else { throw Self.invalid }
        conditions.append(condition)
    }

    private static func number(_ value: JSONValue) -> Int? {
        if let number = value.integer { return number >= 0 ? Int(exactly: number) : nil }
        return value.string?.plainNumber.flatMap { Int(exactly: $0) }
    }

    private static let invalid = FormPolicy.invalid(
        "Invalid Condition: it must be an object with members or a list of three")
}
