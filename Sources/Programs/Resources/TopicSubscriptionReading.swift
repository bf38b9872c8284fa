import Blueprint
import JSON
import Project
import Script

/// What `new LambdaSubscription(fn, { filterPolicy, filterPolicyWithMessageBody })` says beside the function.
struct TopicSubscriptionReading {
    private(set) var filter = TopicResource.Filter.none
    /// Options that nothing here follows.
    private(set) var unread: [String] = []

    private static let depthMax = 16

    init(_ value: ProgramValue) {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject,
            case .call(let given) = opaque.making, given.count > 1, case .object(let options) = given[1]
        else { return }
        guard !options.isOpaque, let keys = try? options.enumerableKeys() else {
            (filter, unread) = (.unread, ["the options"])
            return
        }
        for key in keys {
            let name = options.realm.describe(key)
            let value = try? options.get(key)
            if case .undefined? = value { continue }
            switch name {
            case "filterPolicy": filter = Self.policy(value, isNested: false).map { .attributes($0) } ?? .unread
            case "filterPolicyWithMessageBody":
                filter = Self.policy(value, isNested: true).map { .body($0) } ?? .unread
            default:
                unread.append(name)
                continue
            }
            if filter == .unread { unread.append(name) }
        }
    }

    // MARK: Policies

    /// `{ kind: SubscriptionFilter.stringFilter({...}) }`, and of a body `{ order: FilterOrPolicy.policy({...}) }`; nil: it is no policy
    /// that can be read.
    private static func policy(_ value: ProgramValue?, isNested: Bool, depth: Int = 0) -> JSONObject? {
        guard case .object(let object)? = value, !object.isOpaque, depth < depthMax,
            let keys = try? object.enumerableKeys()
        else { return nil }
        var policy = JSONObject()
        for key in keys {
            guard case .object(let member)? = try? object.get(key), let part = member as? OpaqueObject,
                let value = isNested ? self.part(part, depth: depth) : conditions(part).map({ .array($0) })
            else { return nil }
            policy.set(object.realm.describe(key), to: value)
        }
        return policy
    }

    /// `FilterOrPolicy.filter(...)`, `FilterOrPolicy.policy({...})`
    private static func part(_ part: OpaqueObject, depth: Int) -> JSONValue? {
        guard case .call(let given) = part.making, let inner = given.first else { return nil }
        if part.origin.hasSuffix("FilterOrPolicy.filter()") {
            guard case .object(let filter) = inner else { return nil }
            return (filter as? OpaqueObject).flatMap(conditions).map { .array($0) }
        }
        guard part.origin.hasSuffix("FilterOrPolicy.policy()") else { return nil }
        return policy(inner, isNested: true, depth: depth + 1).map { .object($0) }
    }

    /// What a `SubscriptionFilter` stands for.
    private static func conditions(_ filter: OpaqueObject) -> [JSONValue]? {
        guard case .call(let given) = filter.making else { return nil }
        if filter.origin.hasSuffix("SubscriptionFilter.existsFilter()") { return [["exists": true]] }
        if filter.origin.hasSuffix("SubscriptionFilter.notExistsFilter()") { return [["exists": false]] }
        guard let first = given.first, let said = MessagingRun.json(first) else { return nil }
        if filter.origin.hasPrefix("new "), filter.origin.hasSuffix("SubscriptionFilter()") { return said.array }
        guard let object = said.object else { return nil }
        if filter.origin.hasSuffix("SubscriptionFilter.stringFilter()") { return texts(object) }
        return filter.origin.hasSuffix("SubscriptionFilter.numericFilter()") ? numbers(object) : nil
    }

    /// As the CDK writes them.
    private static func texts(_ said: JSONObject) -> [JSONValue]? {
        var conditions: [JSONValue] = []
        for member in said.members {
            guard let list = member.value.array else { return nil }
            switch member.key {
            case "allowlist", "whitelist": conditions += list
            case "denylist", "blacklist": conditions.append(["anything-but": .array(list)])
            case "matchPrefixes": conditions += list.map { ["prefix": $0] }
            case "matchSuffixes": conditions += list.map { ["suffix": $0] }
            default: return nil
            }
        }
        return conditions
    }

    private static func numbers(_ said: JSONObject) -> [JSONValue]? {
        var conditions: [JSONValue] = []
        func add(_ relations: [JSONValue]) { conditions.append(["numeric": .array(relations)]) }
        for member in said.members {
            let value = member.value
            switch member.key {
            case "allowlist", "whitelist":
                guard let list = value.array else { return nil }
                for number in list { add(["=", number]) }
            case "greaterThan": add([">", value])
            case "greaterThanOrEqualTo": add([">=", value])
            case "lessThan": add(["<", value])
            case "lessThanOrEqualTo": add(["<=", value])
            case "between", "betweenStrict":
                guard let start = value["start"], let stop = value["stop"] else { return nil }
                add(member.key == "between" ? [">=", start, "<=", stop] : [">", start, "<", stop])
            default: return nil
            }
        }
        return conditions
    }
}
