import Access
import JSON
import Network
import Project

/// How calls find a path, and who may call it.
extension RestPath {
    func takes(_ method: String) -> Bool { methods.isEmpty || methods.contains { ByteText($0) == ByteText(method) } }

    /// Returns whether somebody may call it by a method.
    func admits(_ principal: IAMPrincipal, _ method: String) -> Bool {
        guard let allowed else { return true }
        let name: String? =
            switch principal.role {
            case .administrator: nil
            case .unauthenticated: Self.guests
            case .authenticated: principal.isInGroupRole ? principal.group ?? "" : Self.users
            }
        guard let name else { return true }
        let actions = allowed.first { ByteText($0.key) == ByteText(name) }?.value
        return actions?.contains(Action(method)) ?? false
    }

    /// How a path of a request, as it was sent, stands to it: what stands in the places of its parts, and what is below; nil: it is another.
    func match(_ path: String) -> Match? {
        var pattern = Self.parts(of: self.path)
        let parts = Self.parts(of: path)
        var greedy: String?
        if let last = pattern.last, last.hasPrefix("{"), last.hasSuffix("+}") {
            greedy = String(last.dropFirst().dropLast(2))
            pattern.removeLast()
        }
        guard parts.count >= pattern.count, greedy == nil || parts.count > pattern.count else { return nil }
        var match = Match()
        for (wanted, part) in zip(pattern, parts) {
            if wanted.hasPrefix("{"), wanted.hasSuffix("}") {
                match.parameters.append((String(wanted.dropFirst().dropLast()), HTTPPercentCoding.decoded(part.utf8)))
            } else if ByteText(wanted) == ByteText(HTTPPercentCoding.decoded(part.utf8)) {
                match.literals += 1
            } else {
                return nil
            }
        }
        let rest = parts.dropFirst(pattern.count)
        guard rest.isEmpty || greedy != nil || !isExact else { return nil }
        match.resource = "/" + pattern.joined(separator: "/")
        if !rest.isEmpty {
            let name = greedy ?? Self.usualGreedy
            match.parameters.append((name, HTTPPercentCoding.decoded(rest.joined(separator: "/").utf8)))
            match.resource += (pattern.isEmpty ? "" : "/") + "{\(name)+}"
        }
        match.length = pattern.count
        return match
    }

    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// The name in API Gateway's templates for everything below a path.
    private static let usualGreedy = "proxy"

    struct Match: Sendable {
        var parameters: [(name: String, value: String)] = []
        var resource = ""
        /// How many of its parts were named, and how many there are: the closest one is meant.
        var literals = 0
        var length = 0

        /// Returns whether another one is closer to what was asked for.
        func isFurther(than other: Match) -> Bool { (length, literals) < (other.length, other.literals) }
    }
}

extension RestPath: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let api = value["api"]?.string, let path = value["path"]?.string else { return nil }
        func texts(_ name: String) -> [String]? { value[name]?.array?.compactMap(\.string) }
        self.init(
            api: api, path: path,
            allowed: value["allow"]?.object.map { object in
                object.members.reduce(into: [:]) { allowed, member in
                    allowed[member.key] = Set((member.value.array ?? []).compactMap { $0.string.flatMap(Action.init) })
                }
            })
        methods = texts("methods") ?? []
        isExact = value["exact"]?.bool ?? false
        scopes = texts("users")
        event = value["event"]?.string.flatMap(EventForm.init) ?? .version1
    }

    package var configured: JSONValue {
        var value = JSONObject([("api", .string(api)), ("path", .string(path))])
        if let allowed {
            value["allow"] = .object(
                JSONObject(
                    allowed.sorted { $0.key < $1.key }.map { name, actions in
                        (name, .array(Action.allCases.filter(actions.contains).map { .string($0.rawValue) }))
                    }))
        }
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        if !methods.isEmpty { value["methods"] = texts(methods) }
        if isExact { value["exact"] = true }
        value["users"] = scopes.map(texts)
        if event != .version1 { value["event"] = .string(event.rawValue) }
        return .object(value)
    }
}
