import Blueprint
import Project
import Script

/// What stands in the text of a message until it is sent. A project puts it there by calling a function.
enum TextPlaceholder {
    case code
    case username
    case link

    private static let linkStart = "{##"
    private static let linkEnd = "##}"
    private static let usualLink = "Verify Email"

    private var text: String {
        switch self {
        case .code: "{####}"
        case .username: "{username}"
        case .link: Self.linkStart
        }
    }

    func isIn(_ message: String) -> Bool { message.contains(bytesOf: text) }

    /// The function that gives it. A link may be given its own text.
    func function(_ realm: Realm) -> ProgramValue {
        let text = text
        let isLink = self == .link
        return .object(
            realm.function("", length: 0) { call in
                guard isLink else { return call.realm.value(text) }
                var label = Self.usualLink
                if case .text(let given) = call[0], !given.string.isEmpty { label = given.string }
                return call.realm.value(Self.linkStart + label + Self.linkEnd)
            })
    }
}
