import Network

extension PostgresSettings {
    /// From keywords, each at most once.
    init(_ words: [PostgresWord]) throws(PostgresSettingsError) {
        var values: [PostgresKeyword: String] = [:]
        for word in words {
            guard values.index(forKey: word.keyword) == nil else { throw .twice(keyword: word.keyword.rawValue) }
            let isText = !word.value.unicodeScalars.contains { $0.properties.generalCategory == .control }
            guard isText, !word.value.isEmpty || word.keyword.mayBeEmpty else {
                throw .badValue(
                    keyword: word.keyword.rawValue, allowed: "a text that is not empty and has no control characters")
            }
            values[word.keyword] = word.value
        }
        guard let host = values[.host] else { throw .missing(keyword: PostgresKeyword.host.rawValue) }
        guard let user = values[.user] else { throw .missing(keyword: PostgresKeyword.user.rawValue) }
        self.init(hosts: try Self.hosts(host, values[.port]), user: user, database: values[.dbname] ?? user)
        if let text = values[.password], !text.isEmpty { password = PostgresPassword(text) }
        if let text = values[.applicationName] { applicationName = text }
        if let text = values[.options], !text.isEmpty { options = text }
        if let text = values[.connectTimeout] {
            guard let seconds = Self.number(text), PostgresLimits.connectSeconds.contains(seconds) else {
                let allowed = PostgresLimits.connectSeconds
                throw .badValue(
                    keyword: PostgresKeyword.connectTimeout.rawValue,
                    allowed: "a number of seconds from \(allowed.lowerBound) to \(allowed.upperBound)")
            }
            connectSeconds = seconds
        }
        target = try Self.choice(.targetSessionAttrs, values, usual: target)
        if values.index(forKey: .sslmode) != nil { tlsMode = try Self.choice(.sslmode, values, usual: .verifyFull) }
        channelBinding = try Self.choice(.channelBinding, values, usual: channelBinding)
        if let text = values[.requireAuth] { signInMethods = try Self.methods(text) }
        rootCertificate = values[.sslrootcert]
        try checkTogether()
    }

    /// Checks keywords against each other.
    private func checkTogether() throws(PostgresSettingsError) {
        let isSystem = rootCertificate?.utf8.elementsEqual("system".utf8) == true
        let modes = hosts.map { tlsMode(with: $0) }
        if isSystem, modes.contains(where: \.isWithoutName) {
            throw .badValue(
                keyword: "sslmode",
                allowed: "verify-full with sslrootcert=system: anyone can have a certificate from those")
        }
        if case .none = rootCertificate, modes.contains(where: \.verifies) {
            throw .badValue(
                keyword: "sslrootcert",
                allowed:
                    "the PEM file of the authority that signed the server's certificate, or system (or set sslmode)")
        }
        if case .require = channelBinding, modes.contains(where: \.isNone) {
            throw .badValue(
                keyword: "channel_binding", allowed: "prefer or disable where a host is reached without TLS")
        }
    }

    private static func hosts(_ text: String, _ ports: String?) throws(PostgresSettingsError) -> [PostgresHost] {
        let names = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard names.count <= PostgresLimits.hosts else {
            throw .badValue(keyword: "host", allowed: "at most \(PostgresLimits.hosts) hosts")
        }
        let numbers = try Self.ports(ports, of: names.count)
        var hosts: [PostgresHost] = []
        for (name, port) in zip(names, numbers) {
            guard isHost(name) else {
                throw .badValue(
                    keyword: "host",
                    allowed: "names, addresses in numbers, or folders of Unix sockets, which begin with /")
            }
            hosts.append(PostgresHost(name: String(decoding: name, as: UTF8.self), port: port))
        }
        return hosts
    }

    /// A port for each host: as many as there are hosts, or one for all.
    private static func ports(_ text: String?, of count: Int) throws(PostgresSettingsError) -> [UInt16] {
        guard let text else { return Array(repeating: PostgresHost.usualPort, count: count) }
        var ports: [UInt16] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let number = part.isEmpty ? Int(PostgresHost.usualPort) : number(String(decoding: part, as: UTF8.self))
            guard let number, let port = UInt16(exactly: number), port > 0 else {
                throw .badValue(
                    keyword: "port", allowed: "a number from 1 to 65535 (a , : / or @ of a password is escaped)")
            }
            ports.append(port)
        }
        if ports.count == 1, let port = ports.first { return Array(repeating: port, count: count) }
        guard ports.count == count else { throw .badValue(keyword: "port", allowed: "one port, or one for each host") }
        return ports
    }

    private static func isHost(_ name: Substring.UTF8View) -> Bool {
        guard let first = name.first else { return false }
        if first == UInt8(ascii: "/") { return name.count > 1 && !name.contains(0) }
        if name.contains(UInt8(ascii: ":")) {
            return SocketAddress(numeric: String(decoding: name, as: UTF8.self), port: 0) != nil
        }
        return name.count <= 253
            && name.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ keyword: PostgresKeyword, _ values: [PostgresKeyword: String], usual: Choice
    ) throws(PostgresSettingsError) -> Choice {
        guard let text = values[keyword] else { return usual }
        guard let choice = Choice(rawValue: text) else {
            throw .badValue(
                keyword: keyword.rawValue, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    private static func methods(_ text: String) throws(PostgresSettingsError) -> PostgresSignInMethods {
        var methods: [PostgresSignInMethod] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let method = PostgresSignInMethod(rawValue: String(decoding: part, as: UTF8.self)) else {
                throw .badValue(
                    keyword: "require_auth",
                    allowed: "a list of " + PostgresSignInMethod.allCases.map(\.rawValue).joined(separator: ", "))
            }
            methods.append(method)
        }
        return PostgresSignInMethods(methods)
    }

    private static func number(_ text: String) -> Int? {
        let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPlain && text.utf8.count <= 9 ? Int(text) : nil
    }
}
