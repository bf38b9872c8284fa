import Blueprint
import Project
import Script

/// The calls of paths that the roles of the pool's identities may make, by the policies that a program attaches to them.
///
/// A statement that denies a call takes precedence, also where it only may mean the call. A condition, or a resource that cannot be read,
/// gives nothing and denies everything.
struct GatewayGrants {
    /// Calls that a policy names: `arn:aws:execute-api:...:API/STAGE/METHOD/PATH`; nil means all of them.
    private struct Resource {
        var api: String?
        var method: String?
        var path: String?
    }

    private var resources: [(object: OpaqueObject, resource: Resource)] = []

    private static let countMax = 2_000
    /// The start of a resource's name in statements, before its place in the list.
    private static let origin = "execute-api/"
    private static let action = "execute-api:Invoke"
    private static let methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]

    mutating func forgetObjects() { resources = [] }

    /// The value of `api.arnForExecuteApi(method, path)`.
    mutating func resource(of api: String, _ method: String?, _ path: String?, _ realm: Realm) -> OpaqueObject {
        let object = OpaqueObject(realm, origin: "\(api).arnForExecuteApi()")
        guard resources.count < Self.countMax else { return object }
        resources.append((object, Resource(api: api, method: method.flatMap(Self.named), path: path)))
        return object
    }

    private static func named(_ method: String) -> String? { method == "*" || method == "ANY" ? nil : method }

    /// The name that such a value has in statements: alone, or in a text with a path behind it; nil: it is another value.
    func policyResource(_ value: ProgramValue) -> FunctionVariable.Value? {
        guard let opaque = value.opaque else { return nil }
        func name(_ object: OpaqueObject) -> FunctionVariable.Value? {
            resources.firstIndex { $0.object === object }.map { .deployed("\(Self.origin)\($0)") }
        }
        if let known = name(opaque) { return known }
        guard case .template(let texts, let values) = opaque.making, values.count == 1, texts.first?.isEmpty == true,
            let inner = values[0].opaque, let known = name(inner)
        else { return nil }
        let rest = texts.dropFirst().joined()
        return rest.isEmpty ? known : .joined([known, .text(rest)])
    }

    // MARK: What is granted

    /// The roles that may call a path, with the methods that they may use; an empty set means all methods.
    func roles(for path: HTTPPath, _ grants: IdentityRoleGrants) -> [String: Set<String>] {
        var roles: [String: Set<String>] = [:]
        var given = grants.groups.map { ($0.name, $0.grants) }
        // A group that is called like one of the two roles would have the rights of all.
        given.removeAll { name, _ in name == "auth" || name == "guest" }
        for (name, grants) in given + [("auth", grants.users), ("guest", grants.guests)] {
            let asked = path.method.map { [$0] } ?? Self.methods
            let allowed = asked.filter { mayCall(path, by: $0, grants) }
            guard !allowed.isEmpty else { continue }
            roles[name] = path.method == nil && allowed.count < asked.count ? Set(allowed) : []
        }
        return roles
    }

    private func mayCall(_ path: HTTPPath, by method: String, _ grants: FunctionGrants) -> Bool {
        var isAllowed = false
        for statement in grants.statements {
            let isNamed = statement.actions.contains { ActionName.matches($0, Self.action) }
            let resources = statement.resources.map(resource)
            if statement.isAllowing {
                guard isNamed, !statement.isForOtherActions, !statement.isForOtherResources, !statement.isConditional
                else { continue }
                isAllowed =
                    isAllowed
                    || resources.contains { resource in
                        if case .known(let resource) = resource { Self.covers(resource, path, method) } else { false }
                    }
                continue
            }
            let mayMeanAction = isNamed != statement.isForOtherActions || statement.hasUnreadActions
            let mayMeanPath =
                statement.isForOtherResources || statement.hasUnreadResources
                || resources.contains { resource in
                    switch resource {
                    case .known(let resource): Self.touches(resource, path, method)
                    case .unread: true
                    case .other: false
                    }
                }
            if mayMeanAction, mayMeanPath { return false }
        }
        return isAllowed
    }

    // MARK: Resources

    private enum Named {
        case known(Resource)
        /// Something else than a path of an API.
        case other
        case unread
    }

    private func resource(_ value: FunctionVariable.Value) -> Named {
        switch value {
        case .deployed(let name): return known(name).map { .known($0) } ?? .unread
        case .joined(let parts):
            guard parts.count == 2, case .deployed(let name) = parts[0], case .text(let rest) = parts[1],
                let known = known(name)
            else { return .unread }
            return .known(Resource(api: known.api, method: known.method, path: (known.path ?? "") + rest))
        case .text(let text): return Self.resource(text)
        case .secret, .gateway, .missing: return .unread
        }
    }

    private func known(_ name: String) -> Resource? {
        guard name.hasPrefix(Self.origin), let place = Int(name.dropFirst(Self.origin.utf8.count)),
            resources.indices.contains(place)
        else { return nil }
        return resources[place].resource
    }

    /// `*`, or an ARN. Only the deployment knows the id of an API, so that one with an id may be any API.
    private static func resource(_ text: String) -> Named {
        guard text != "*" else { return .known(Resource()) }
        let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6 else { return text.utf8.contains(UInt8(ascii: "*")) ? .unread : .other }
        guard parts[2] == "execute-api" else {
            return parts[2].utf8.contains(UInt8(ascii: "*")) ? .unread : .other
        }
        let names = parts[5].split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard names[0] == "*" else { return .unread }
        return .known(
            Resource(
                method: names.count > 2 ? named(names[2]) : nil, path: names.count > 3 ? "/\(names[3])" : nil))
    }

    private static func covers(_ resource: Resource, _ path: HTTPPath, _ method: String) -> Bool {
        if let api = resource.api, api != path.api { return false }
        if let named = resource.method, named != method { return false }
        guard let pattern = resource.path, pattern != "/*", pattern != "*" else { return true }
        let below = "/*"
        guard pattern.hasSuffix(below) else { return pattern == path.path }
        let start = pattern.dropLast(below.count)
        return path.path.utf8.starts(with: start.utf8)
            && path.path.utf8.dropFirst(start.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns whether a resource and a path have a call in common.
    private static func touches(_ resource: Resource, _ path: HTTPPath, _ method: String) -> Bool {
        if let api = resource.api, api != path.api { return false }
        if let named = resource.method, !ActionName.matches(named, method) { return false }
        guard let pattern = resource.path else { return true }
        return ActionName.haveCommon(Array(pattern.utf8), Self.pattern(of: path.path))
    }

    /// A path with a star in the place of each of its parameters.
    private static func pattern(of path: String) -> [UInt8] {
        var pattern: [UInt8] = []
        var isInside = false
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "{"):
                isInside = true
                pattern.append(UInt8(ascii: "*"))
            case UInt8(ascii: "}"): isInside = false
            default: if !isInside { pattern.append(byte) }
            }
        }
        return pattern
    }
}

/// Names with `*` and `?` in them, as policies have them: `execute-api:*`.
enum ActionName {
    /// The longest name that is compared; longer ones may mean everything.
    private static let bytesMax = 1_000

    /// Returns whether a pattern is for a name, whatever its case.
    static func matches(_ pattern: String, _ name: String) -> Bool {
        haveCommon(Array(pattern.lowercased().utf8), Array(name.lowercased().utf8))
    }

    /// Returns whether two patterns have a name in common.
    static func haveCommon(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard first.count <= bytesMax, second.count <= bytesMax else { return true }
        let (star, any) = (UInt8(ascii: "*"), UInt8(ascii: "?"))
        // For each start of the first, whether it has a name in common with the start of the second that is looked at.
        var row = [Bool](repeating: false, count: first.count + 1)
        row[0] = true
        for place in first.indices { row[place + 1] = row[place] && first[place] == star }
        for byte in second {
            var next = [Bool](repeating: false, count: first.count + 1)
            next[0] = row[0] && byte == star
            for place in first.indices {
                let other = first[place]
                if other == star || byte == star {
                    next[place + 1] = next[place] || row[place + 1] || row[place]
                } else {
                    next[place + 1] = row[place] && (other == byte || other == any || byte == any)
                }
            }
            row = next
        }
        return row[first.count]
    }
}
