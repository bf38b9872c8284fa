import JSON

/// The kind of a value.
package indirect enum ConfigurationKind: Sendable {
    case text
    /// A text of a form: what it is called, what is expected, and whether a text has it.
    case form(String, expectation: String, admits: @Sendable (String) -> Bool)
    /// The same, where a message says why a text is refused.
    case checked(String, expectation: String, fault: @Sendable (String) -> String?)
    /// The same as a form, never shown.
    case secret(String, expectation: String, admits: @Sendable (String) -> Bool)
    case boolean
    /// A number, or the word that stands for one.
    case integer(ClosedRange<Int64>, or: String? = nil)
    case choice([String])
    /// A file or folder. In a file it is relative to that file.
    case path
    /// A file, `:memory:`, or the URL of a database on a server. Its password is never shown.
    case databasePath
    case url
    case pathOrURL
    /// `HOST:PORT`.
    case address
    /// A point in time, as in RFC 3339.
    case timestamp
    /// A regular expression that texts match as a whole.
    case pattern
    /// The URL of a mail server. Its password is never shown.
    case mailServer
    /// An address of mail, with or without a name.
    case mailParty
    case list(ConfigurationKind)
    case object([ConfigurationField])
    /// An object whose keys are the user's own names.
    case map(ConfigurationKind)
    case either(ConfigurationKind, ConfigurationKind)

    /// The expectation, for messages: "an integer from 0 to 65535".
    package var expectation: String {
        switch self {
        case .text: "a string"
        case .form(_, let expectation, _), .checked(_, let expectation, _), .secret(_, let expectation, _): expectation
        case .boolean: "true or false"
        case .integer(let range, _):
            range.upperBound == .max
                ? "an integer from \(range.lowerBound) up"
                : "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let names): Self.alternatives(names.map { "\"\($0)\"" })
        case .path: "the path of a file or folder"
        case .databasePath: "the path of a file, \":memory:\", or a URL such as \"postgres://app@db.example.com/app\""
        case .url: "a URL that starts with http:// or https://"
        case .pathOrURL: "the path of a file or a URL that starts with http:// or https://"
        case .address: "an address such as \"127.0.0.1:20002\" or \"[::1]:20002\""
        case .timestamp: "a time such as \"2027-01-01T00:00:00Z\""
        case .pattern: "a regular expression"
        case .mailServer:
            "a mail server such as \"smtp://user:password@mail.example.com:587\" or \"smtps://mail.example.com\""
        case .mailParty: "an address such as \"app@example.com\" or \"An App <app@example.com>\""
        case .list: "a list"
        case .object(let fields): "an object with \(Self.alternatives(fields.map(\.name), last: "and"))"
        case .map: "an object"
        case .either(let first, let second): "\(first.expectation), or \(second.expectation)"
        }
    }

    /// The type's name in the reference.
    package var name: String {
        switch self {
        case .text: "string"
        case .form(let name, _, _), .checked(let name, _, _), .secret(let name, _, _): name
        case .boolean: "boolean"
        case .integer(_, let word): "integer\(word.map { " or `\($0)`" } ?? "")"
        case .choice(let names): names.map { "`\($0)`" }.joined(separator: ", ")
        case .path: "path"
        case .databasePath: "path, `:memory:` or `postgres://` URL"
        case .url: "URL"
        case .pathOrURL: "path or URL"
        case .address: "`HOST:PORT`"
        case .timestamp: "time"
        case .pattern: "regular expression"
        case .mailServer: "`smtp://` or `smtps://` URL"
        case .mailParty: "mail address"
        case .list(let element): "list of \(element.name)"
        case .object(let fields): "{\(fields.map(\.name).joined(separator: ", "))}"
        case .map(let element): "{name: \(element.name)}"
        case .either(let first, let second): "\(first.name) or \(second.name)"
        }
    }

    /// True if a part of such a value is never shown.
    var holdsSecrets: Bool {
        switch self {
        case .mailServer, .secret: true
        case .list(let element), .map(let element): element.holdsSecrets
        case .object(let fields): fields.contains { $0.isSecret || $0.kind.holdsSecrets }
        case .either(let first, let second): first.holdsSecrets || second.holdsSecrets
        default: false
        }
    }

    /// Returns whether a value is so far of this kind that a message about it shows nothing of a secret.
    func mayBeShown(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.map, .object(let object)): object.members.allSatisfy { $0.value.string != nil }
        case (.map, _), (.secret, _): false
        default: value.string != nil
        }
    }

    private static func alternatives(_ names: [String], last word: String = "or") -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}
