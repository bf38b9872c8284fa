import JSON

/// The name of a table that Amplify has made: `Post-abcdefghijklmnopqrstuvwxyz-dev`.
package struct AmplifyTable: Sendable {
    /// The name of the model, or the one that `@mapsTo` gives it.
    package let model: String
    package let apiID: String
    /// `NONE` in a backend of Gen 2.
    package let environment: String

    private static let apiIDBytes = 26
    /// The name of the table with the log of DataStore's changes: it has no records of its own.
    package static let deltaModel = "AmplifyDataStore"

    /// Nil for a text of another form.
    package init?(_ text: String) {
        let parts = text.parts(separatedBy: "-")
        guard parts.count >= 3, let environment = parts.last else { return nil }
        let apiID = parts[parts.count - 2]
        let model = parts[..<(parts.count - 2)].joined(separator: "-")
        guard apiID.utf8.count == Self.apiIDBytes, !model.isEmpty, !environment.isEmpty,
            apiID.utf8.allSatisfy({
                ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z"))
                    || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
            })
        else { return nil }
        self.model = model
        self.apiID = apiID
        self.environment = environment
    }

    /// The name of a table in a path: that of a folder, or of a file up to its extension.
    package static func found(in path: String) -> String? {
        path.parts(separatedBy: "/").reversed().lazy.compactMap { part -> String? in
            let name = part.parts(separatedBy: ".")[0]
            return AmplifyTable(name) == nil ? nil : name
        }.first
    }
}
