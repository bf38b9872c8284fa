import Cloud
import JSON

/// Objects in the members of a call, which have been checked against their shapes.
extension JSONValue {
    /// The texts of a list; none where there is none.
    func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }

    /// A text that is not empty; nil where none was sent.
    func textIfAny(_ name: String) -> String? {
        guard let text = self[name]?.string, !text.isEmpty else { return nil }
        return text
    }
}
