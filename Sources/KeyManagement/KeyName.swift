import Cloud
import Crypto
import JSON

/// The name of a key, as calls give it: `alias/mine`, an id, or the ARN of either.
struct KeyName: Sendable {
    /// Without the slash: `mine`; nil: it is named by its id.
    let alias: String?
    /// As it was named, without what an ARN has before it.
    let text: String

    private static let aliasStart = "alias/"
    private static let keyStart = "key/"
    private static let multiRegionStart = "mrk-"
    private static let aliasForm = MemberPattern("[a-zA-Z0-9/_-]+", lettersAnd: "/_-")

    /// - Parameter start: what the ARNs of this server's keys begin with.
    init(_ said: String, arnsBegin start: String) throws(CloudError) {
        var name = said
        if said.utf8.starts(with: "arn:".utf8) {
            guard said.utf8.starts(with: start.utf8) else { throw Self.missing(said) }
            name = String(said.utf8.dropFirst(start.utf8.count)) ?? ""
            if name.utf8.starts(with: Self.keyStart.utf8) {
                name = String(name.utf8.dropFirst(Self.keyStart.utf8.count)) ?? ""
            } else if !name.utf8.starts(with: Self.aliasStart.utf8) {
                throw Self.missing(said)
            }
        }
        text = name
        guard name.utf8.starts(with: Self.aliasStart.utf8) else {
            guard Self.isID(name) else { throw CloudError("NotFoundException", "Invalid keyId \(said)") }
            alias = nil
            return
        }
        let alias = String(name.utf8.dropFirst(Self.aliasStart.utf8.count)) ?? ""
        guard !alias.isEmpty, alias.utf8.count <= KeyLimits.aliasCharactersMax, Self.aliasForm.admits(alias) else {
            throw CloudError("NotFoundException", "Alias \(start)\(name) is not found.")
        }
        self.alias = alias
    }

    private static func missing(_ said: String) -> CloudError {
        CloudError("NotFoundException", "Key '\(said)' does not exist")
    }

    /// A UUID, or the id of a key of several regions.
    private static func isID(_ text: String) -> Bool {
        if text.utf8.starts(with: multiRegionStart.utf8) {
            let rest = text.utf8.dropFirst(multiRegionStart.utf8.count)
            return rest.count == 32 && rest.allSatisfy(\.isLowercaseHexadecimal)
        }
        return UUIDText.isOne(text)
    }
}
