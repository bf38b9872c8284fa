import JSON
import Network
import Store

/// Shows a configuration to people: each key, its value, and where the value came from. Secrets are masked.
package enum ConfigurationListing {
    private static let mask: JSONValue = "********"

    /// The lines that `serve --print-config` prints.
    package static func text(of settings: [ConfigurationResolver.Setting]) -> String {
        let rows = settings.map {
            (key: $0.key.path, value: JSONWriter.text(of: masked($0.value, $0.key.kind)), origin: $0.origin.description)
        }
        let keyWidth = rows.map(\.key.count).max() ?? 0
        let valueWidth = min(rows.map(\.value.count).max() ?? 0, 40)
        return rows.map { row in
            "\(padded(row.key, to: keyWidth))  \(padded(row.value, to: valueWidth))  \(row.origin)"
        }.joined(separator: "\n")
    }

    /// A value as people may see it, and whether nothing is left of it then.
    static func shown(_ setting: ConfigurationResolver.Setting) -> (value: JSONValue, isMasked: Bool) {
        let value = masked(setting.value, setting.key.kind)
        return (value, value == mask)
    }

    private static func masked(_ value: JSONValue, _ kind: ConfigurationKind) -> JSONValue {
        switch (kind, value) {
        case (.list(let element), .array(let elements)):
            return .array(elements.map { masked($0, element) })
        case (.map(let element), .object(let object)):
            return .object(JSONObject(object.members.map { ($0.key, masked($0.value, element)) }))
        case (.object(let fields), .object(let object)):
            return .object(
                JSONObject(
                    object.members.map { member in
                        guard let field = fields.first(where: { $0.name == member.key }) else {
                            return (member.key, mask)
                        }
                        let isWellKnown = member.value == .string(AuthSettings.wellKnownKey)
                        let isMasked = field.isSecret && !isWellKnown
                        return (member.key, isMasked ? mask : masked(member.value, field.kind))
                    }))
        case (.either(_, let second), .object): return masked(value, second)
        case (.secret, .string): return mask
        case (.databasePath, .string(let text)) where ServerPlace.isURL(text):
            return (try? ServerPlace(text)).map { .string($0.shownURL) } ?? mask
        case (.mailServer, .string(let text)): return (try? MailURL(text)).map { .string($0.description) } ?? mask
        default: return value
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
