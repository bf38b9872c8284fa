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
            guard object.count == 1, let member = object.members.first else {
                throw FormPolicy.invalid(
                    "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.")
            }
            guard let text = member.value.string else { throw Self.invalid }
            return try add(.equals(name: member.key.inLowerCaseASCII, value: text))
        }
        guard let list = value.array, list.count == 3, let kind = list[0].string else { throw Self.invalid }
        let operation = kind.inLowerCaseASCII
        if operation == "content-length-range" {
            guard let least = Self.number(list[1]), let most = Self.number(list[2]) else {
                // A text in the place of a number is no mistake of the form to the service.
                guard list[1].string != nil || list[2].string != nil else { throw Self.invalid }
                return try add(.never(text: Self.shown(list)))
            }
            guard least <= most, lengths == nil else { throw Self.invalid }
            lengths = least...most
            return
        }
        guard let variable = list[1].string, let text = list[2].string else { throw Self.invalid }
        // A name without its mark is that of no field.
        guard variable.hasPrefix("$") else { return try add(.never(text: Self.shown(list))) }
        let name = String(Substring(variable.utf8.dropFirst())).inLowerCaseASCII
        switch operation {
        case "eq": try add(.equals(name: name, value: text))
        case "starts-with": try add(.begins(name: name, with: text))
        default: throw Self.invalid
        }
    }

    private mutating func add(_ condition: FormPolicy.Condition) throws(FileError) {
        guard conditions.count < FileLimits.formConditionsMax else { throw Self.invalid }
        if case .never = condition {} else if condition.name.isEmpty { throw Self.invalid }
        conditions.append(condition)
    }

    /// A condition as the refusal shows it.
    private static func shown(_ list: [JSONValue]) -> String {
        "[\(list.map { JSONWriter.text(of: .string($0.string ?? JSONWriter.text(of: $0))) }.joined(separator: ", "))]"
    }

    private static func number(_ value: JSONValue) -> Int? {
        if let number = value.integer { return number >= 0 ? Int(exactly: number) : nil }
        return value.string?.plainNumber.flatMap { Int(exactly: $0) }
    }

    private static let invalid = FormPolicy.invalid(
        "Invalid Condition: it must be an object with members or a list of three")
}
