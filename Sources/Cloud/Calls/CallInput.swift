import Crypto
import JSON

/// The members of a call, which have been checked against their shapes.
package struct CallInput: Sendable {
    package let members: JSONObject

    package init(_ members: JSONObject) { self.members = members }

    /// A text; nil where it was not sent.
    package func text(_ name: String) -> String? { members[name]?.string }

    /// A text whose shape requires it.
    package func demanded(_ name: String) -> String { text(name) ?? "" }

    /// A text that is not empty; nil where none was sent.
    package func given(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    package func flag(_ name: String) -> Bool? { members[name]?.bool }

    package func integer(_ name: String) -> Int64? { members[name]?.integer }

    package func object(_ name: String) -> JSONObject? { members[name]?.object }

    package func list(_ name: String) -> [JSONValue]? { members[name]?.array }

    package func texts(_ name: String) -> [String]? { members[name]?.array?.compactMap(\.string) }

    package func bytes(_ name: String) -> [UInt8]? { text(name).flatMap { Base64.bytes(of: $0.utf8, .standard) } }

    /// Anything but null; nil where it was not sent.
    package func value(_ name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }

    package var json: JSONValue { .object(members) }
}
