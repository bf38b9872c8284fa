import Blueprint
import JSON
import Patterns

extension FieldValidation {
    /// Returns whether a value that is not null passes. A pattern that is none is met by nothing. `steps` is what all patterns of
    /// a mutation may cost together.
    func accepts(_ value: JSONValue, _ patterns: [ByteText: Pattern], _ steps: inout PatternSteps) -> Bool {
        switch kind {
        case .gt: compares(value) { $0 > $1 }
        case .lt: compares(value) { $0 < $1 }
        case .gte: compares(value) { $0 >= $1 }
        case .lte: compares(value) { $0 <= $1 }
        case .minLength: length(of: value).map { $0 >= limit } ?? false
        case .maxLength: length(of: value).map { $0 <= limit } ?? false
        case .startsWith: value.string.map { $0.utf8.starts(with: self.value.utf8) } ?? false
        case .endsWith: value.string.map { $0.utf8.reversed().starts(with: self.value.utf8.reversed()) } ?? false
        case .matches: value.string.map { patterns[self.value]?.matches($0, &steps) ?? false } ?? false
        }
    }

    private func compares(_ value: JSONValue, _ isRight: (Double, Double) -> Bool) -> Bool {
        guard let number = value.number, let limit = Double(self.value) else { return false }
        return isRight(number, limit)
    }

    private var limit: Int { Int(value) ?? 0 }

    /// As Java counts: in units of UTF-16.
    private func length(of value: JSONValue) -> Int? { value.string?.utf16.count }

    /// What the caller is told.
    func message(for field: String, of model: String) -> String {
        if let errorMessage, !errorMessage.isEmpty { return errorMessage }
        let rule =
            switch kind {
            case .gt: "be greater than"
            case .lt: "be less than"
            case .gte: "be greater than or equal to"
            case .lte: "be less than or equal to"
            case .minLength: "have a minimum length of"
            case .maxLength: "have a maximum length of"
            case .startsWith: "start with"
            case .endsWith: "end with"
            case .matches: "match"
            }
        return "Field \(field) of type \(model) must \(rule) \(value)"
    }
}
