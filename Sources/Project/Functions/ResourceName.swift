import JSON

/// Names of resources, from what a project calls them.
package enum ResourceName {
    /// The letters and digits of a text's first bytes, and some signs; a hyphen is in the place of every other byte.
    package static func of(_ text: String, bytesMax: Int, signs: String = "-_") -> String {
        let bytes = text.utf8.prefix(bytesMax).map { byte in
            byte.isAlphanumeric || signs.utf8.contains(byte) ? byte : UInt8(ascii: "-")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A name that no other has, by a number behind it: stacks may each have one of the same name.
    ///
    /// - Parameter ending: an end of the name that stays behind the number.
    package static func unused(_ name: String, before ending: String = "", among others: [String]) -> String {
        guard others.contains(name) else { return name }
        let bare = name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
        var number = 2
        while others.contains("\(bare)-\(number)\(ending)") { number += 1 }
        return "\(bare)-\(number)\(ending)"
    }
}
