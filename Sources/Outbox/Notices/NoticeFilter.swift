import EventPatterns
import JSON

/// Which messages of a topic one of its followers gets: a policy as SNS has it, over the attributes of a message or over its text.
///
///     {"kind": ["order", {"prefix": "re"}], "price": [{"numeric": [">=", 100]}]}
struct NoticeFilter: Sendable {
    enum Scope: String, Sendable {
        case attributes = "MessageAttributes"
        case body = "MessageBody"
    }

    private let pattern: EventPattern
    private let scope: Scope

    /// Reads a policy; nil: it lets everything through.
    ///
    /// - Parameter place: stands before the reason where the policy is wrong.
    static func read(_ text: String, over scope: Scope, in place: String = "") throws(OutboxError) -> NoticeFilter? {
        func wrong(_ reason: String) -> OutboxError {
            OutboxError("InvalidParameter", "Invalid parameter: \(place)FilterPolicy: \(reason)")
        }
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= OutboxLimits.policyBytesMax else {
            throw wrong("Filter policy is longer than \(OutboxLimits.policyBytesMax) bytes")
        }
        let limits = JSONLimits(bytesMax: OutboxLimits.policyBytesMax, nestingMax: OutboxLimits.nestingMax)
        guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits), let object = value.object else {
            throw wrong("failed to parse JSON.")
        }
        guard !object.isEmpty else { return nil }
        guard object.count <= OutboxLimits.policyKeysMax else {
            throw wrong("Filter policy can not have more than \(OutboxLimits.policyKeysMax) keys")
        }
        guard combinations(of: object, depth: 1) <= OutboxLimits.policyCombinationsMax else {
            throw wrong("Filter policy is too complex")
        }
        let pattern: EventPattern
        do throws(EventPatternError) {
            pattern = try EventPattern(value, .notices)
        } catch {
            // The services differ in one letter of one reason.
            let (start, other) = ("match value", "Match value")
            throw wrong(error.reason.hasPrefix(start) ? other + error.reason.dropFirst(start.count) : error.reason)
        }
        if scope == .attributes, isNested(object) {
            throw OutboxError(
                "InvalidParameter",
                "Invalid parameter: \(place)Filter policy scope MessageAttributes does not support nested filter policy"
            )
        }
        return NoticeFilter(pattern: pattern, scope: scope)
    }

    /// - Parameters:
    ///   - attributes: of the message, as `NoticeAttributes.values` has them.
    ///   - body: what the message says where that is JSON.
    ///   - steps: what all filters of the message may look at.
    func passes(attributes: JSONObject, body: JSONValue?, _ steps: MatchingSteps) throws(OutboxError) -> Bool {
        // A text that is no object has nothing that could be asked for.
        guard scope == .attributes || body?.object != nil else { return false }
        do throws(EventPatternError) {
            return try pattern.matches(scope == .attributes ? .object(attributes) : body ?? .null, steps)
        } catch {
            throw OutboxError("InternalError", error.reason, status: 500)
        }
    }

    var isOfBody: Bool { scope == .body }

    /// The objects of `$or`; nil: the member is another.
    private static func alternatives(_ member: JSONObject.Member) -> [JSONObject]? {
        guard member.key == "$or", let list = member.value.array else { return nil }
        let objects = list.compactMap(\.object)
        return objects.count == list.count ? objects : nil
    }

    private static func isNested(_ object: JSONObject) -> Bool {
        object.members.contains { member in
            alternatives(member)?.contains(where: isNested) ?? (member.value.object != nil)
        }
    }

    /// The combinations that SNS bounds: the values of each key, those further within counting more, multiplied with each other. Counted to one beyond the
    /// limit.
    private static func combinations(of object: JSONObject, depth: Int) -> Int {
        let max = OutboxLimits.policyCombinationsMax + 1
        var product = 1
        for member in object.members {
            var factor = 1
            if let alternatives = alternatives(member) {
                factor = alternatives.reduce(0) { min(max, $0 + combinations(of: $1, depth: depth)) }
            } else if let list = member.value.array {
                factor = min(max, list.count) * depth
            } else if let inner = member.value.object {
                factor = combinations(of: inner, depth: depth + 1)
            }
            product = min(max, product * min(max, factor))
        }
        return product
    }
}
