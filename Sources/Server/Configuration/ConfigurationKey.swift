import JSON

/// One thing that can be set: a row of the table from which file, environment, options, listing and reference come.
package struct ConfigurationKey: Sendable {
    /// Where it stands in the file: `auth.userPools.issuer`.
    package let path: String
    package let kind: ConfigurationKind
    /// What holds when nobody says otherwise; null: nothing is set.
    package let defaultValue: JSONValue
    /// The option of `homeport serve` that sets it.
    package let option: String?
    /// What it does, in one sentence for the reference and the help.
    package let summary: String

    init(_ path: String, _ kind: ConfigurationKind, _ defaultValue: JSONValue, option: String? = nil, _ summary: String)
    {
        self.path = path
        self.kind = kind
        self.defaultValue = defaultValue
        self.option = option
        self.summary = summary
    }

    /// The environment variable that sets it: `HOMEPORT_AUTH_USER_POOLS_ISSUER`.
    package var environmentName: String { Self.environmentName(of: path) }

    static func environmentName(of path: String) -> String {
        var name = Array("HOMEPORT_".utf8)
        var previous = UInt8(ascii: ".")
        // Paths are ASCII.
        for byte in path.utf8 {
            if byte == UInt8(ascii: ".") {
                name.append(UInt8(ascii: "_"))
            } else {
                if (0x41...0x5A).contains(byte), (0x61...0x7A).contains(previous) { name.append(UInt8(ascii: "_")) }
                name.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
            }
            previous = byte
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The environment variable that names the configuration file, as `--config` does.
    package static let fileEnvironmentName = "HOMEPORT_CONFIG"

    /// The key of that path.
    static func named(_ path: String) -> ConfigurationKey? {
        all.first { $0.path == path }
    }
}

/// A member of the objects that a key holds in a list or under names of the user's: `auth.apiKeys[].key`.
package struct ConfigurationField: Sendable {
    package let name: String
    package let kind: ConfigurationKind
    package let isRequired: Bool
    /// Whether its value is never shown.
    package let isSecret: Bool
    package let summary: String

    init(
        _ name: String, _ kind: ConfigurationKind, isRequired: Bool = false, isSecret: Bool = false, _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The one member that an object needs, where that is a text: a variable may then hold it alone.
    static func alone(in fields: [ConfigurationField]) -> ConfigurationField? {
        let required = fields.filter(\.isRequired)
        guard let field = required.first, required.count == 1, case .text = field.kind else { return nil }
        return field
    }
}
