import JSON

/// A text with markup, as readers without it show it.
enum MarkupText {
    /// Returns whether a text is markup: it has a tag.
    static func isMarkup(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { place in tag(in: bytes, at: place) != nil }
    }

    /// The text without its tags. Links stand behind their words, for a code may be in nothing but them.
    static func plain(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        var link: [UInt8]?
        /// The element whose content is none of the text.
        var hidden: String?
        var place = 0
        while place < bytes.count {
            guard let tag = tag(in: bytes, at: place) else {
                if hidden == nil { plain.append(bytes[place]) }
                place += 1
                continue
            }
            place = tag.end
            if let element = hidden {
                if tag.isEnd, tag.name == element { hidden = nil }
                continue
            }
            switch tag.name {
            case "style", "script", "title": if !tag.isEnd { hidden = tag.name }
            case "a":
                if tag.isEnd {
                    if let link { plain += Array(" (".utf8) + link + Array(")".utf8) }
                    link = nil
                } else {
                    link = attribute("href", in: bytes[tag.content])
                }
            case "br", "p", "div", "tr", "li", "h1", "h2", "h3", "table", "ul", "ol":
                if plain.last != UInt8(ascii: "\n"), !plain.isEmpty { plain.append(UInt8(ascii: "\n")) }
            default: break
            }
        }
        while plain.last == UInt8(ascii: "\n") { plain.removeLast() }
        var result = String(decoding: plain, as: UTF8.self)
        // The sign for the sign comes last, or what is written with it would be read twice.
        for (name, sign) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&"),
        ] {
            result = result.parts(separatedBy: name).joined(separator: sign)
        }
        return result
    }

    private struct Tag {
        let name: String
        let isEnd: Bool
        /// What stands behind the name.
        let content: Range<Int>
        let end: Int
    }

    /// The tag, or the comment, that begins at a place.
    private static func tag(in bytes: [UInt8], at place: Int) -> Tag? {
        guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return nil }
        var start = place + 1
        let isEnd = bytes[start] == UInt8(ascii: "/")
        if isEnd { start += 1 }
        let isDeclaration = start < bytes.count && bytes[start] == UInt8(ascii: "!")
        if isDeclaration { start += 1 }
        let nameEnd = bytes[start...].firstIndex { !$0.isAlphanumeric } ?? bytes.count
        guard isDeclaration || nameEnd > start, let close = bytes[nameEnd...].firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self).lowercased()
        return Tag(name: isDeclaration ? "!" : name, isEnd: isEnd, content: nameEnd..<close, end: close + 1)
    }

    /// The value of an attribute that is written with quotes.
    private static func attribute(_ name: String, in content: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: content, as: UTF8.self)
        for quote in ["\"", "'"] {
            let parts = text.parts(separatedBy: "\(name)=\(quote)")
            guard parts.count > 1 else { continue }
            let value = parts[1].parts(separatedBy: quote)
            if value.count > 1 { return Array(value[0].utf8) }
        }
        return nil
    }
}
