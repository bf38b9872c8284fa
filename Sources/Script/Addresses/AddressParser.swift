/// Reads an address as the URL standard does, against a base where there is one.
struct AddressParser {
    private let source: [Unicode.Scalar]
    private let base: AddressRecord?
    private var record = AddressRecord()
    private var index = 0

    /// Nothing where the text is no address.
    static func parse(_ text: [UInt16], base: AddressRecord? = nil) -> AddressRecord? {
        var parser = AddressParser(text, base: base)
        return parser.parse()
    }

    private init(_ text: [UInt16], base: AddressRecord?) {
        var scalars = Array(String(decoding: text, as: UTF16.self).unicodeScalars)
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        let first = scalars.firstIndex { $0.value > 0x20 } ?? scalars.count
        source = scalars[first...].filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
        self.base = base
    }

    private var scalar: Unicode.Scalar? { index < source.count ? source[index] : nil }

    private func starts(with text: String) -> Bool {
        source[min(index, source.count)...].starts(with: text.unicodeScalars)
    }

    /// `/`, and in special addresses `\` too.
    private func isSlash(_ scalar: Unicode.Scalar?) -> Bool {
        scalar == "/" || (scalar == "\\" && record.isSpecial)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value | 0x20 >= 0x61 && scalar.value | 0x20 <= 0x7A && scalar.value < 0x80
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x30 && scalar.value <= 0x39 }

    private mutating func parse() -> AddressRecord? {
        guard let scheme = takeScheme() else { return parseRelative() }
        record.scheme = scheme
        if scheme == "file" {
            parseFile()
        } else if record.isSpecial {
            if let base, base.scheme == scheme, !starts(with: "//"), !starts(with: "/\\"), !starts(with: "\\") {
                return parseRelative()
            }
            while isSlash(scalar) { index += 1 }
            guard parseAuthority() else { return nil }
            parsePath()
        } else if starts(with: "//") {
            index += 2
            guard parseAuthority() else { return nil }
            parsePath()
        } else if starts(with: "/") {
            parsePath()
        } else {
            parseOpaquePath()
        }
        return record
    }

    /// `https:`
    private mutating func takeScheme() -> String? {
        guard let first = source.first, Self.isLetter(first) else { return nil }
        var end = 1
        while end < source.count,
            Self.isLetter(source[end]) || Self.isDigit(source[end]) || "+-.".unicodeScalars.contains(source[end])
        {
            end += 1
        }
        guard end < source.count, source[end] == ":" else { return nil }
        index = end + 1
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[..<end])
        return String(text).lowercased()
    }

    /// What has no scheme of its own.
    private mutating func parseRelative() -> AddressRecord? {
        guard let base else { return nil }
        if base.opaquePath != nil {
            guard scalar == "#" else { return nil }
            record = base
            record.fragment = nil
            parseFragment()
            return record
        }
        record.scheme = base.scheme
        if base.scheme == "file" {
            parseFile()
            return record
        }
        if isSlash(scalar) {
            index += 1
            if isSlash(scalar) {
                index += 1
                if record.isSpecial {
                    while isSlash(scalar) { index += 1 }
                }
                guard parseAuthority() else { return nil }
                parsePath()
                return record
            }
            takeAuthority(of: base)
            index -= 1
            parsePath()
            return record
        }
        takeAuthority(of: base)
        parseRelativePath(base)
        return record
    }

    private mutating func takeAuthority(of base: AddressRecord) {
        record.username = base.username
        record.password = base.password
        record.host = base.host
        record.port = base.port
    }

    private mutating func parseRelativePath(_ base: AddressRecord) {
        record.path = base.path
        switch scalar {
        case nil: record.query = base.query
        case "?": parseQuery()
        case "#":
            record.query = base.query
            parseFragment()
        default:
            if !record.path.isEmpty { record.path.removeLast() }
            parsePathParts()
        }
    }

    private mutating func parseFile() {
        record.host = ""
        if isSlash(scalar) {
            index += 1
            if isSlash(scalar) {
                index += 1
                var end = index
                while end < source.count, !isSlash(source[end]), source[end] != "?", source[end] != "#" { end += 1 }
                let host = source[index..<end]
                let known = host.isEmpty ? "" : AddressHost.parse(host, isSpecial: true)
                record.host = known == "localhost" ? "" : known ?? ""
                index = end
                parsePath()
                return
            }
            if let base, base.scheme == "file" { record.host = base.host }
            index -= 1
            parsePath()
            return
        }
        if let base, base.scheme == "file" {
            record.host = base.host
            parseRelativePath(base)
        } else {
            parsePathParts()
        }
    }

    /// `user:password@host:port`
    private mutating func parseAuthority() -> Bool {
        var end = index
        while end < source.count, !isSlash(source[end]), source[end] != "?", source[end] != "#" { end += 1 }
        var rest = source[index..<end]
        index = end
        if let at = rest.lastIndex(of: "@") {
            let information = rest[..<at]
            rest = rest[(at + 1)...]
            if rest.isEmpty { return false }
            let colon = information.firstIndex(of: ":")
            record.username = AddressEscapes.encode(information[..<(colon ?? at)], AddressEscapes.userInformation)
            if let colon {
                record.password = AddressEscapes.encode(information[(colon + 1)...], AddressEscapes.userInformation)
            }
        }
        var portStart: Int?
        var isInBrackets = false
        for place in rest.indices {
            if rest[place] == "[" { isInBrackets = true }
            if rest[place] == "]" { isInBrackets = false }
            if rest[place] == ":", !isInBrackets {
                portStart = place
                break
            }
        }
        let host = rest[..<(portStart ?? rest.endIndex)]
        if host.isEmpty {
            if record.isSpecial || portStart != nil || record.hasCredentials { return false }
            record.host = ""
            return true
        }
        guard let name = AddressHost.parse(host, isSpecial: record.isSpecial) else { return false }
        record.host = name
        guard let portStart else { return true }
        return parsePort(rest[(portStart + 1)...])
    }

    private mutating func parsePort(_ digits: ArraySlice<Unicode.Scalar>) -> Bool {
        if digits.isEmpty { return true }
        var port = 0
        for digit in digits {
            guard Self.isDigit(digit) else { return false }
            port = port * 10 + Int(digit.value - 0x30)
            if port > 65535 { return false }
        }
        record.port = AddressRecord.defaultPort(of: record.scheme) == UInt16(port) ? nil : UInt16(port)
        return true
    }

    // MARK: Path, query, fragment

    /// From the host on.
    private mutating func parsePath() {
        if isSlash(scalar) {
            index += 1
            parsePathParts()
        } else if record.isSpecial {
            parsePathParts()
        } else {
            parseEnd()
        }
    }

    private mutating func parseEnd() {
        if scalar == "?" { parseQuery() }
        if scalar == "#" { parseFragment() }
    }

    /// From behind a `/` on.
    private mutating func parsePathParts() {
        while true {
            var end = index
            while end < source.count, !isSlash(source[end]), source[end] != "?", source[end] != "#" { end += 1 }
            let hasSlash = end < source.count && isSlash(source[end])
            let part = AddressEscapes.encode(source[index..<end], AddressEscapes.path)
            let plain = part.lowercased()
            if Self.doubleDots.contains(plain) {
                let isDrive = record.scheme == "file" && record.path.count == 1 && Self.isDrive(record.path[0])
                if !record.path.isEmpty, !isDrive { record.path.removeLast() }
                if !hasSlash { record.path.append("") }
            } else if Self.singleDots.contains(plain) {
                if !hasSlash { record.path.append("") }
            } else if record.scheme == "file", record.path.isEmpty, part.utf8.count == 2, part.last == "|",
                Self.isDrive(String(part.prefix(1)) + ":")
            {
                record.path.append(String(part.prefix(1)) + ":")
            } else {
                record.path.append(part)
            }
            index = end
            if !hasSlash { break }
            index += 1
        }
        parseEnd()
    }

    /// The segments that the URL standard takes for one dot, and for two, in small letters.
    private static let singleDots: Set<String> = [".", "%2e"]
    private static let doubleDots: Set<String> = ["..", ".%2e", "%2e.", "%2e%2e"]

    private static func isDrive(_ part: String) -> Bool {
        part.utf8.count == 2 && part.last == ":" && part.unicodeScalars.first.map(isLetter) ?? false
    }

    private mutating func parseOpaquePath() {
        var end = index
        while end < source.count, source[end] != "?", source[end] != "#" { end += 1 }
        record.opaquePath = AddressEscapes.encode(source[index..<end], AddressEscapes.control)
        index = end
        parseEnd()
    }

    private mutating func parseQuery() {
        index += 1
        var end = index
        while end < source.count, source[end] != "#" { end += 1 }
        record.query = AddressEscapes.encode(
            source[index..<end], record.isSpecial ? AddressEscapes.specialQuery : AddressEscapes.query)
        index = end
        if scalar == "#" { parseFragment() }
    }

    private mutating func parseFragment() {
        index += 1
        record.fragment = AddressEscapes.encode(source[min(index, source.count)...], AddressEscapes.fragment)
        index = source.count
    }

    // MARK: Changing a part

    static func withHost(_ text: [UInt16], of record: AddressRecord, changesPort: Bool) -> AddressRecord? {
        var parser = AddressParser(text, base: nil)
        parser.record = record
        parser.record.username = ""
        parser.record.password = ""
        guard record.opaquePath == nil, !parser.source.contains("@") else { return nil }
        let name = parser.source.drop { $0 != "]" }.isEmpty ? parser.source[...] : parser.source.drop { $0 != "]" }
        if !changesPort, name.contains(":") { return nil }
        guard parser.parseAuthority(), parser.record.host?.isEmpty == false || !record.isSpecial else { return nil }
        var changed = record
        changed.host = parser.record.host
        if changesPort { changed.port = parser.record.port ?? record.port }
        return changed
    }

    static func withPort(_ text: [UInt16], of record: AddressRecord) -> AddressRecord? {
        var parser = AddressParser(text, base: nil)
        parser.record = record
        let digits = parser.source.prefix { isDigit($0) }
        if parser.source.isEmpty { parser.record.port = nil }
        guard !digits.isEmpty || parser.source.isEmpty, parser.parsePort(ArraySlice(digits)) else { return nil }
        return parser.record
    }

    static func withPath(_ text: [UInt16], of record: AddressRecord) -> AddressRecord {
        var changed = record
        let scalars = String(decoding: text, as: UTF16.self).unicodeScalars
        let escaped = scalars.map { $0 == "?" ? "%3F" : $0 == "#" ? "%23" : String($0) }.joined()
        var parser = AddressParser(Array(escaped.utf16), base: nil)
        parser.record = record
        parser.record.path = []
        parser.index = parser.isSlash(parser.scalar) ? 1 : 0
        if parser.source.isEmpty, !record.isSpecial {
            changed.path = []
        } else {
            parser.parsePathParts()
            changed.path = parser.record.path
        }
        return changed
    }
}
