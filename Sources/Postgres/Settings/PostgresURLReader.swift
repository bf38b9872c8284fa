import Network

/// Reads the keywords out of a URL: user, password, hosts with ports, database and the parameters behind the "?".
enum PostgresURLReader {
    /// - Parameter text: what stands behind "postgres://".
    static func words(of text: ArraySlice<UInt8>) throws(PostgresSettingsError) -> [PostgresWord] {
        guard !text.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }) else { throw .unescaped }
        let end = text.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
        let parts = text[..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        // Behind the hosts a @ would be one of a password in which a / is not escaped.
        guard parts.count <= 2, let places = parts.last, !text[end...].contains(UInt8(ascii: "@")) else {
            throw .unescaped
        }
        var words: [PostgresWord] = []
        if parts.count == 2 { words += try credentials(parts[0]) }
        if !places.isEmpty { words += try hosts(places) }
        var rest = text[end...]
        if rest.first == UInt8(ascii: "/") {
            let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
            let name = rest[..<end].dropFirst()
            guard !name.contains(UInt8(ascii: "/")) else { throw .unescaped }
            if !name.isEmpty { words.append(PostgresWord(keyword: .dbname, value: try decoded(name))) }
            rest = rest[end...]
        }
        for parameter in rest.dropFirst().split(separator: UInt8(ascii: "&")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let keyword = PostgresKeyword(rawValue: try decoded(parts[0])) else {
                throw .unknownKeyword(offset: parts[0].endIndex)
            }
            words.append(PostgresWord(keyword: keyword, value: try decoded(parts[1])))
        }
        return words
    }

    private static func credentials(_ text: ArraySlice<UInt8>) throws(PostgresSettingsError) -> [PostgresWord] {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw .unescaped }
        var words: [PostgresWord] = []
        if !parts[0].isEmpty { words.append(PostgresWord(keyword: .user, value: try decoded(parts[0]))) }
        if parts.count == 2, !parts[1].isEmpty {
            words.append(PostgresWord(keyword: .password, value: try decoded(parts[1])))
        }
        return words
    }

    /// "db1:5433,[::1],%2Frun%2Fpostgresql" as a list of hosts and one of ports.
    private static func hosts(_ text: ArraySlice<UInt8>) throws(PostgresSettingsError) -> [PostgresWord] {
        var names: [String] = []
        var ports: [String] = []
        for place in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            var name = place
            var port: ArraySlice<UInt8> = []
            if place.first == UInt8(ascii: "[") {
                guard let end = place.firstIndex(of: UInt8(ascii: "]")) else { throw .unescaped }
                name = place[..<end].dropFirst()
                guard name.contains(UInt8(ascii: ":")) else { throw .unescaped }
                let rest = place[(end + 1)...]
                guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { throw .unescaped }
                port = rest.dropFirst()
            } else if let colon = place.firstIndex(of: UInt8(ascii: ":")) {
                name = place[..<colon]
                port = place[(colon + 1)...]
            }
            let decoded = try decoded(name)
            guard !decoded.utf8.contains(UInt8(ascii: ",")) else { throw .unescaped }
            names.append(decoded)
            ports.append(String(decoding: port, as: UTF8.self))
        }
        var words = [PostgresWord(keyword: .host, value: names.joined(separator: ","))]
        if ports.contains(where: { !$0.isEmpty }) {
            words.append(PostgresWord(keyword: .port, value: ports.joined(separator: ",")))
        }
        return words
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(PostgresSettingsError) -> String {
        guard let bytes = HTTPPercentCoding.bytes(of: text), !bytes.contains(0),
            let decoded = String(validating: bytes, as: UTF8.self)
        else { throw .unescaped }
        return decoded
    }
}
