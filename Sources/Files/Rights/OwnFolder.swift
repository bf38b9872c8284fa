import JSON

/// The folder that an identity has below another one, named by its id.
enum OwnFolder {
    /// Returns whether the key stands in it, or is it with its slash. Nobody owns a folder without a name.
    static func holds(_ key: String, below folder: some StringProtocol, of identity: String) -> Bool {
        let key = key.utf8
        guard !identity.isEmpty, !identity.utf8.contains(UInt8(ascii: "/")), key.starts(with: folder.utf8) else {
            return false
        }
        let rest = key.dropFirst(folder.utf8.count)
        guard rest.starts(with: identity.utf8) else { return false }
        return rest.dropFirst(identity.utf8.count).first == UInt8(ascii: "/")
    }
}
