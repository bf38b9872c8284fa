import Blueprint
import JSON

/// How the owner of a record is shown: by what follows the last `::`, such as the username of `sub::username`.
package enum OwnerText {
    /// The text as it is shown.
    package static func shown(_ owner: String) -> String {
        owner.parts(separatedBy: AccessRule.claimSeparator).last ?? owner
    }

    /// The value as it is shown: a text, or a list of texts.
    package static func shown(_ owner: JSONValue) -> JSONValue {
        switch owner {
        case .string(let text): .string(shown(text))
        case .array(let owners): .array(owners.map { $0.string.map { .string(shown($0)) } ?? $0 })
        default: owner
        }
    }
}
