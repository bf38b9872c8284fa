import JSON

/// The table (CSV) that Cognito's import jobs take. A comma in a value has a backslash before it, and there are no quotation marks.
package struct CognitoTable: Sendable {
    private let columns: [String]

    private static let standard = [
        "cognito:username", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale",
        "phone_number", "phone_number_verified", "address", "updated_at", "cognito:mfa_enabled",
    ]

    /// - Parameter custom: the names of attributes of the pool's own, `custom:` before each.
    package init(custom: [String]) {
        columns = Self.standard + custom
    }

    package static func isStandard(_ name: String) -> Bool { standard.contains(name) }

    package var header: [UInt8] { Array((columns.joined(separator: ",") + "\n").utf8) }

    /// A row; nil where a value cannot be written, for the line end in it.
    package func row(_ username: String, _ attributes: JSONObject, hasMessageFactor: Bool) -> [UInt8]? {
        var row: [UInt8] = []
        for (index, column) in columns.enumerated() {
            if index > 0 { row.append(UInt8(ascii: ",")) }
            let value: String =
                switch column {
                case "cognito:username": username
                case "cognito:mfa_enabled": hasMessageFactor ? "TRUE" : "FALSE"
                case "email_verified", "phone_number_verified": attributes[column]?.text == "true" ? "TRUE" : "FALSE"
                case "birthdate": Self.date(attributes[column]?.string ?? "")
                default: attributes[column]?.string ?? ""
                }
            for byte in value.utf8 {
                guard byte != 0x0A, byte != 0x0D else { return nil }
                if byte == UInt8(ascii: ",") { row.append(UInt8(ascii: "\\")) }
                row.append(byte)
            }
        }
        row.append(0x0A)
        return row
    }

    /// `02/01/1985` of `1985-02-01`; any other text as it is.
    private static func date(_ text: String) -> String {
        let parts = text.parts(separatedBy: "-")
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return text }
        return "\(parts[1])/\(parts[2])/\(parts[0])"
    }
}
