import Cloud
import JSON

/// Objects in the members of a call, which have been checked against their shapes.
extension JSONValue {
    /// The texts of a list; none where there is none.
    func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }

    /// An object as the members of a call; none where it is no object.
    var input: CallInput { CallInput(object ?? JSONObject()) }
}
