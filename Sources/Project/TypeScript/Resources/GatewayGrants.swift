import Blueprint
import Script

/// Which roles of the pool's identities a program lets call which paths: the policies that it attaches to them.
struct GatewayGrants {
    /// Calls that a policy names: `arn:aws:execute-api:...:API/STAGE/METHOD/PATH`; nil stands for all.
    private struct Resource {
        let api: String?
        let method: String?
        let path: String?
    }

    private var resources: [(object: OpaqueObject, resource: Resource)] = []
    private var granted: [(role: String, resource: Resource)] = []

    private static let countMax = 2_000

    mutating func forgetObjects() { resources = [] }

    /// What stands for `api.arnForExecuteApi(method, path)`.
    mutating func resource(of api: String, _ method: String?, _ path: String?, _ realm: Realm) -> OpaqueObject {
        let object = OpaqueObject(realm, origin: "\(api).arnForExecuteApi()")
        guard resources.count < Self.countMax else { return object }
        resources.append((object, Resource(api: api, method: method.flatMap(Self.named), path: path)))
        return object
    }

    private static func named(_ method: String) -> String? { method == "*" || method == "ANY" ? nil : method }

    /// `new Policy(scope, id, { statements })`, or a statement by itself. What has no statement that can be read gives nothing.
    mutating func add(_ role: String, _ policy: ProgramValue) {
        guard case .object(let object) = policy, let made = object as? OpaqueObject, case .call(let given) = made.making
        else { return }
        let isStatement = made.origin.hasSuffix("PolicyStatement()")
        guard let options = given.last, case .object(let written) = options, !written.isOpaque else { return }
        if isStatement { return addStatement(role, written) }
        let statements = (try? written.get("statements")) ?? .undefined
        for statement in GatewayRun.values(statements) {
            guard case .object(let object) = statement, let made = object as? OpaqueObject,
                case .call(let given) = made.making, case .object(let options)? = given.first, !options.isOpaque
            else { continue }
            addStatement(role, options)
        }
    }

    private mutating func addStatement(_ role: String, _ options: ProgramObject) {
        let actions = GatewayRun.texts((try? options.get("actions")) ?? .undefined)
        let isCall = actions.contains { ["execute-api:Invoke", "execute-api:*", "*"].contains($0) }
        guard isCall, Self.allows(options) else { return }
        for value in GatewayRun.values((try? options.get("resources")) ?? .undefined) {
            guard granted.count < Self.countMax, let resource = resource(value) else { continue }
            granted.append((role, resource))
        }
    }

    /// Returns whether a statement is none that takes rights away.
    private static func allows(_ options: ProgramObject) -> Bool {
        switch try? options.get("effect") {
        case nil, .undefined?: true
        case .object(let object)?: (object as? OpaqueObject)?.origin.hasSuffix(".ALLOW") ?? false
        case .text(let text)?: text.string == "Allow"
        default: false
        }
    }

    private func resource(_ value: ProgramValue) -> Resource? {
        switch value {
        case .text(let text): return text.string == "*" ? Resource(api: nil, method: nil, path: nil) : nil
        case .object(let object):
            guard let opaque = object as? OpaqueObject else { return nil }
            if let known = resources.first(where: { $0.object === opaque }) { return known.resource }
            // `${api.arnForExecuteApi()}`, alone or with a path behind it.
            guard case .template(let texts, let values) = opaque.making, values.count == 1, texts.first == "",
                case .object(let inner) = values[0], let known = resources.first(where: { $0.object === inner })
            else { return nil }
            let rest = texts.dropFirst().joined()
            guard !rest.isEmpty else { return known.resource }
            return Resource(api: known.resource.api, method: known.resource.method, path: rest)
        default: return nil
        }
    }

    // MARK: What was granted

    /// The roles that may call a path, and by which methods.
    func roles(for path: HTTPPath) -> [String: Set<String>] {
        var roles: [String: Set<String>] = [:]
        for (role, resource) in granted where Self.covers(resource, path) {
            guard let method = resource.method else {
                roles[role] = []
                continue
            }
            // All methods stay all.
            if roles[role]?.isEmpty != true { roles[role, default: []].insert(method) }
        }
        return roles
    }

    private static func covers(_ resource: Resource, _ path: HTTPPath) -> Bool {
        if let api = resource.api, api != path.api { return false }
        if let method = resource.method, let wanted = path.method, method != wanted { return false }
        guard let pattern = resource.path, pattern != "/*", pattern != "*" else { return true }
        let below = "/*"
        guard pattern.hasSuffix(below) else { return pattern == path.path }
        let start = pattern.dropLast(below.count)
        return path.path.utf8.starts(with: start.utf8)
            && path.path.utf8.dropFirst(start.utf8.count).first == UInt8(ascii: "/")
    }
}
