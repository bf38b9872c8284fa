import JSON

/// Names of resources, from what a project calls them.
enum ResourceName {
    /// The letters and digits of a text's first bytes, and some signs; a hyphen is in the place of every other byte.
    static func of(_ text: String, bytesMax: Int, signs: String = "-_") -> String {
        let bytes = text.utf8.prefix(bytesMax).map { byte in
            byte.isAlphanumeric || signs.utf8.contains(byte) ? byte : UInt8(ascii: "-")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
