import JSON

/// Which users a list is to have: `attribute = "value"`, or `attribute ^= "beginning"`.
struct UserFilter: Sendable {
    enum Comparison: Sendable {
        case equal
        case begins
    }

    let attribute: String
    let comparison: Comparison
    let value: String

    private static let attributes: Set<ByteText> = [
        "username", "email", "phone_number", "name", "given_name", "family_name", "preferred_username",
        "cognito:user_status", "status", "sub",
    ]

    /// Nil for an empty text, which filters nothing.
    init?(_ text: String) throws(PoolError) {
        var rest = Array(text.utf8)[...]
        func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
        skipBlanks()
        guard !rest.isEmpty else { return nil }
        let isName: (UInt8) -> Bool = {
            ![0x20, 0x09, UInt8(ascii: "="), UInt8(ascii: "^"), UInt8(ascii: "\"")].contains($0)
        }
        let name = rest.prefix(while: isName)
        rest = rest.dropFirst(name.count)
        skipBlanks()
        if rest.first == UInt8(ascii: "^") {
            comparison = .begins
            rest = rest.dropFirst()
        } else {
            comparison = .equal
        }
        guard rest.popFirst() == UInt8(ascii: "=") else { throw Self.fault }
        skipBlanks()
        guard rest.popFirst() == UInt8(ascii: "\"") else { throw Self.fault }
        var value: [UInt8] = []
        while true {
            guard let byte = rest.popFirst() else { throw Self.fault }
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { throw Self.fault }
            value.append(escaped)
        }
        skipBlanks()
        guard rest.isEmpty else { throw Self.fault }
        attribute = String(decoding: name, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
        guard Self.attributes.contains(attribute) else {
            throw .invalidParameter("A filter cannot ask for that attribute.")
        }
    }

    private static let fault = PoolError.invalidParameter("Error while parsing filter.")

    /// The name by which the users that are meant can be looked up; nil where all have to be looked at.
    func lookup(in settings: PoolSettings) -> UserLookup? {
        guard comparison == .equal else { return nil }
        let folded = UserName(value, in: settings).folded
        return switch attribute {
        case "username", "sub": .name(folded)
        case "email": .email(folded)
        case "phone_number": .phone(folded)
        default: nil
        }
    }

    func admits(_ user: User, in settings: PoolSettings) -> Bool {
        switch attribute {
        case "username": isMet(by: fold(user.name, settings), fold(value, settings))
        case "sub": isMet(by: user.sub, value)
        case "email", "phone_number":
            isMet(by: fold(user.attribute(attribute) ?? "", settings), fold(value, settings))
        case "cognito:user_status": isMet(by: user.status.rawValue, value.uppercased())
        case "status": isMet(by: user.isEnabled ? "Enabled" : "Disabled", value)
        default: isMet(by: user.attribute(attribute) ?? "", value)
        }
    }

    private func fold(_ text: String, _ settings: PoolSettings) -> String { UserName(text, in: settings).folded }

    private func isMet(by text: String, _ value: String) -> Bool {
        switch comparison {
        case .equal: ByteText(text) == ByteText(value)
        case .begins: text.utf8.starts(with: value.utf8)
        }
    }
}

/// By what users are found without looking at all of them.
enum UserLookup: Sendable {
    case name(String)
    case email(String)
    case phone(String)
}
