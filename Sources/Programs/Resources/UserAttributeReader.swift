import Blueprint
import GraphQL
import Project

/// Reads `userAttributes` of `defineAuth`.
enum UserAttributeReader {
    private static let customPrefix = "custom:"
    /// Longer names Cognito refuses.
    private static let customNameMax = 20

    private enum Kind: String, CaseIterable {
        case text = "String"
        case number = "Number"
        case boolean = "Boolean"
        case dateTime = "DateTime"
    }

    static func read(_ members: MemberReader) -> [AuthResource.UserAttribute] {
        guard let written = members.members("userAttributes") else { return [] }
        var attributes: [AuthResource.UserAttribute] = []
        for name in written.names() {
            if name.hasPrefix(customPrefix) {
                if let attribute = custom(name, written) { attributes.append(attribute) }
            } else if let known = AuthResource.UserAttribute.standardNames.first(where: { $0.written == name }) {
                guard let settings = written.members(name) else { continue }
                attributes.append(
                    AuthResource.UserAttribute(
                        known.name, isRequired: settings.flag("required") ?? false,
                        isMutable: settings.flag("mutable") ?? true))
                settings.finish()
            } else {
                let names = AuthResource.UserAttribute.standardNames.map(\.written)
                written.refuseMember(
                    name,
                    "there is no attribute `\(name)`: there are \(names.joined(separator: ", ")), and custom:NAME",
                    hint: NearestName.of(name, in: names).map { "Did you mean \($0)?" }
                        ?? "Write custom:\(name) for one of your own.")
            }
        }
        return attributes
    }

    private static func custom(_ name: String, _ written: MemberReader) -> AuthResource.UserAttribute? {
        let length = name.utf8.count - customPrefix.utf8.count
        guard length > 0, length <= customNameMax else {
            written.refuseMember(name, "the name of a custom attribute has 1 to \(customNameMax) characters", hint: nil)
            return nil
        }
        guard let settings = written.members(name) else { return nil }
        defer { settings.finish() }
        guard let kind = settings.choice("dataType", Kind.self) else {
            if !settings.has("dataType") {
                settings.refuse("`\(name)` needs `dataType`: \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return nil
        }
        let isMutable = settings.flag("mutable") ?? true
        func attribute(_ kind: AuthResource.UserAttribute.Kind) -> AuthResource.UserAttribute {
            AuthResource.UserAttribute(name, kind, isMutable: isMutable)
        }
        switch kind {
        case .text:
            return attribute(
                .text(minLength: integer("minLen", settings), maxLength: integer("maxLen", settings)))
        case .number: return attribute(.number(min: settings.number("min"), max: settings.number("max")))
        case .boolean: return attribute(.boolean)
        case .dateTime: return attribute(.dateTime)
        }
    }

    /// The longest text that Cognito keeps.
    private static let textLengthMax = 2048

    private static func integer(_ name: String, _ settings: MemberReader) -> Int? {
        guard let number = settings.number(name) else { return nil }
        guard let integer = Int(exactly: number), (0...textLengthMax).contains(integer) else {
            settings.refuse("`\(name)` is a whole number from 0 to \(textLengthMax)", at: name)
            return nil
        }
        return integer
    }
}
