import Blueprint
import JSON

/// A part of what `backend.addOutput` adds that is known only when the app is deployed. A text that nothing else writes stands in its place
/// until somebody says what it is.
package struct DeployedOutput: Sendable {
    /// The names that lead to it.
    let name: String
    let value: FunctionVariable.Value
    /// What is said of it where nothing here stands for it.
    let warning: Diagnostic

    package init(name: String, value: FunctionVariable.Value, warning: Diagnostic) {
        (self.name, self.value, self.warning) = (name, value, warning)
    }

    private static let mark = "\u{0}deployed:"

    package static func placeholder(_ number: Int) -> String { "\(mark)\(number)" }

    private static func number(_ text: String) -> Int? {
        text.utf8.starts(with: mark.utf8) ? Int(text.dropFirst(mark.count)) : nil
    }

    /// A value with texts in the places of such parts. What has none is left out, and is null in a list.
    ///
    /// - Parameter text: what stands in the place of the part of a number.
    static func resolved(_ value: JSONValue, _ text: (Int) -> String?) -> JSONValue? {
        switch value {
        case .string(let written):
            guard let number = number(written) else { return value }
            return text(number).map { .string($0) }
        case .array(let elements): return .array(elements.map { resolved($0, text) ?? .null })
        case .object(let object): return .object(resolved(object, text))
        default: return value
        }
    }

    static func resolved(_ object: JSONObject, _ text: (Int) -> String?) -> JSONObject {
        var result = JSONObject()
        for member in object.members {
            if let value = resolved(member.value, text) { result.set(member.key, to: value) }
        }
        return result
    }
}
