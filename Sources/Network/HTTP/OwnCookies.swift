/// Cookies that are this server's own: the operator's of the console, and the browser's of the sign-in pages.
///
/// The app's functions share the server's origin with them, and must not share them: no function is told of one, and none can set one.
/// Their names are `homeport` and all that begin with `homeport-`, also behind a prefix that browsers know (`__Host-`, `__Secure-`).
package enum OwnCookies {
    private static let name = Array("homeport".utf8)
    private static let prefixes = ["__host-", "__secure-"].map { Array($0.utf8) }

    /// Header fields as functions are told of them: without the server's own cookies.
    package static func hidden(in fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        guard fields.contains(where: isCookieField) else { return fields }
        return fields.compactMap { field in
            isCookieField(field) ? value(of: field.value).map { (field.name, $0) } : field
        }
    }

    /// The value of a `Cookie` header without the server's own; nil: nothing is left of it.
    package static func value(of header: String) -> String? {
        let pairs = header.utf8.split(separator: UInt8(ascii: ";")).map { Array($0) }
        let left = pairs.filter { !isOwn($0) }
        guard left.count < pairs.count else { return header }
        let texts = left.map { String(decoding: $0.drop(while: HTTPCharacters.isBlank), as: UTF8.self) }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Returns whether a `Set-Cookie` header sets one.
    package static func isSet(by header: String) -> Bool {
        isOwn(Array(header.utf8.prefix { $0 != UInt8(ascii: ";") }))
    }

    /// Whether a pair of name and value is one. A cookie without a name is sent back as its value alone, so what stands behind a first `=`
    /// is a name as well.
    private static func isOwn(_ pair: [UInt8]) -> Bool {
        var name = pair.drop { HTTPCharacters.isBlank($0) || $0 == UInt8(ascii: "=") }.map(HTTPCharacters.lowercased)[
            ...]
        name = name.prefix { $0 != UInt8(ascii: "=") }
        while let last = name.last, HTTPCharacters.isBlank(last) { name = name.dropLast() }
        if let prefix = prefixes.first(where: { name.starts(with: $0) }) { name = name.dropFirst(prefix.count) }
        guard name.starts(with: Self.name) else { return false }
        let rest = name.dropFirst(Self.name.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "-")
    }

    private static func isCookieField(_ field: (name: String, value: String)) -> Bool {
        field.name.utf8.count == 6 && field.name.utf8.map(HTTPCharacters.lowercased).elementsEqual("cookie".utf8)
    }
}
