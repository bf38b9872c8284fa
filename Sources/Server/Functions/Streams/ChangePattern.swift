import JSON

/// A pattern of Lambda's event filters: which of the changes of a table a function is told of.
///
///     {"eventName": ["INSERT", "MODIFY"], "dynamodb": {"NewImage": {"status": {"S": [{"prefix": "done"}]}}}}
///
/// Every member has to fit; of a list of rules one; of the patterns under `$or` one.
package struct ChangePattern: Sendable, Equatable {
    private let root: Node
    private let text: String

    /// How many a function may have, how long one may be, and how deep.
    static let countMax = 10
    private static let bytesMax = 4_096
    private static let depthMax = 16

    /// Nil: it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax,
            let object = (try? JSONReader.value(of: Array(text.utf8)))?.object,
            let root = Node(object, depth: 0)
        else { return nil }
        self.root = root
        self.text = text
    }

    package static func == (left: ChangePattern, right: ChangePattern) -> Bool {
        ByteText(left.text) == ByteText(right.text)
    }

    /// Whether the record of a change fits.
    func fits(_ record: JSONValue) -> Bool { root.fits(record) }

    // MARK: Its parts

    private indirect enum Node: Sendable {
        case members([(name: String, node: Node)], anyOf: [Node])
        case rules([Rule])

        init?(_ object: JSONObject, depth: Int) {
            guard depth < ChangePattern.depthMax, !object.isEmpty else { return nil }
            var members: [(name: String, node: Node)] = []
            var anyOf: [Node] = []
            for member in object.members {
                switch member.value {
                case .array(let list) where ByteText(member.key) == "$or" && list.count > 1:
                    for pattern in list {
                        guard let pattern = pattern.object, let node = Node(pattern, depth: depth + 1) else {
                            return nil
                        }
                        anyOf.append(node)
                    }
                case .array(let list):
                    var rules: [Rule] = []
                    for value in list {
                        guard let rule = Rule(value) else { return nil }
                        rules.append(rule)
                    }
                    guard !rules.isEmpty else { return nil }
                    members.append((member.key, .rules(rules)))
                case .object(let inner):
                    guard let node = Node(inner, depth: depth + 1) else { return nil }
                    members.append((member.key, node))
                default: return nil
                }
            }
            self = .members(members, anyOf: anyOf)
        }

        /// - Parameter value: nil: there is none.
        func fits(_ value: JSONValue?) -> Bool {
            switch self {
            case .members(let members, let anyOf):
                members.allSatisfy { $0.node.fits(value?[$0.name]) }
                    && (anyOf.isEmpty || anyOf.contains { $0.fits(value) })
            case .rules(let rules):
                // Of a list one element has to fit.
                if let list = value?.array {
                    rules.contains { rule in list.contains { rule.fits($0) } || (list.isEmpty && rule.fits(nil)) }
                } else {
                    rules.contains { $0.fits(value) }
                }
            }
        }
    }

    private indirect enum Rule: Sendable {
        case equals(JSONValue)
        case prefix(ByteText)
        case suffix(ByteText)
        case equalsIgnoringCase(String)
        case anythingBut([Rule])
        case numeric([(sign: String, number: Double)])
        case exists(Bool)

        private static let signs: Set<ByteText> = ["=", "<", "<=", ">", ">="]

        init?(_ value: JSONValue) {
            guard let object = value.object else {
                guard value.array == nil else { return nil }
                self = .equals(value)
                return
            }
            guard object.count == 1, let member = object.members.first else { return nil }
            switch (member.key, member.value) {
            case ("prefix", .string(let text)): self = .prefix(ByteText(text))
            case ("suffix", .string(let text)): self = .suffix(ByteText(text))
            case ("equals-ignore-case", .string(let text)): self = .equalsIgnoringCase(text.lowercased())
            case ("exists", .bool(let exists)): self = .exists(exists)
            case ("anything-but", let inner):
                var rules: [Rule] = []
                for value in inner.array ?? [inner] {
                    guard let rule = Rule(value) else { return nil }
                    rules.append(rule)
                }
                guard !rules.isEmpty else { return nil }
                self = .anythingBut(rules)
            case ("numeric", .array(let words)):
                guard words.count == 2 || words.count == 4 else { return nil }
                var bounds: [(sign: String, number: Double)] = []
                for index in stride(from: 0, to: words.count, by: 2) {
                    guard let sign = words[index].string, Self.signs.contains(ByteText(sign)),
                        let number = words[index + 1].number
                    else { return nil }
                    bounds.append((sign, number))
                }
                self = .numeric(bounds)
            default: return nil
            }
        }

        /// - Parameter value: nil: there is none, which only `exists` speaks of.
        func fits(_ value: JSONValue?) -> Bool {
            if case .exists(let exists) = self { return exists == (value != nil) }
            guard let value else { return false }
            switch self {
            case .equals(let wanted):
                if let wanted = wanted.number, let number = value.number { return wanted == number }
                if let wanted = wanted.string, let text = value.string { return ByteText(wanted) == ByteText(text) }
                return wanted == value
            case .prefix(let start): return value.string.map { $0.utf8.starts(with: start.string.utf8) } ?? false
            case .suffix(let end):
                return value.string.map { $0.utf8.reversed().starts(with: end.string.utf8.reversed()) } ?? false
            case .equalsIgnoringCase(let text):
                return value.string.map { ByteText($0.lowercased()) == ByteText(text) } ?? false
            case .anythingBut(let rules): return !rules.contains { $0.fits(value) }
            case .numeric(let bounds):
                guard let number = value.number else { return false }
                return bounds.allSatisfy { Self.holds(number, $0.sign, $0.number) }
            case .exists: return false
            }
        }

        private static func holds(_ number: Double, _ sign: String, _ bound: Double) -> Bool {
            switch sign {
            case "=": number == bound
            case "<": number < bound
            case "<=": number <= bound
            case ">": number > bound
            default: number >= bound
            }
        }
    }
}
