import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How the owner of a record is shown: by what follows the last `::`, such as the username of `sub::username`.
package enum OwnerText {
    private static let colon = UInt8(ascii: ":")

    /// The part of a text that is shown. Hot path: runs for each record of a page.
    @inline(__always)
    package static func shown(_ owner: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let first = owner.baseAddress else { return owner }
        var start = 0
        var place = 0
        while let colon = memchr(first + place, Int32(Self.colon), owner.count - place) {
            place = UnsafeRawPointer(colon) - first + 1
            guard place < owner.count, owner[place] == Self.colon else { continue }
            place += 1
            start = place
        }
        return UnsafeRawBufferPointer(rebasing: owner[start...])
    }

    /// The text as it is shown.
    package static func shown(_ owner: String) -> String {
        var owner = owner
        return owner.withUTF8 { String(decoding: shown(UnsafeRawBufferPointer($0)), as: UTF8.self) }
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
