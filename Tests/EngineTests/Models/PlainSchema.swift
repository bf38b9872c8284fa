import JSON
import TestSupport

/// A random schema of one model with keys of every kind, beside a model that its records belong to.
struct PlainSchema {
    /// The type of a field, as far as values and filters differ.
    enum Kind: CaseIterable {
        case string, id, int, float, boolean, timestamp, date, dateTime, json, mood

        var name: String {
            switch self {
            case .string: "String"
            case .id: "ID"
            case .int: "Int"
            case .float: "Float"
            case .boolean: "Boolean"
            case .timestamp: "AWSTimestamp"
            case .date: "AWSDate"
            case .dateTime: "AWSDateTime"
            case .json: "AWSJSON"
            case .mood: "Mood"
            }
        }

        var isNumber: Bool { self == .int || self == .float || self == .timestamp }
        var isText: Bool { !isNumber && self != .boolean && self != .json }
        /// The scalar that conditions on a key of this type have.
        var keyScalar: String {
            self == .int || self == .timestamp ? "Int" : self == .float ? "Float" : self == .id ? "ID" : "String"
        }
    }

    struct Field {
        let name: String
        let kind: Kind
        var isList = false
        var isRequired = false

        var declaration: String {
            "\(name): \(isList ? "[\(kind.name)]" : kind.name)\(isRequired ? "!" : "")"
        }
    }

    /// A key: the field that divides, and those that order.
    struct Key {
        /// The query that reads it; the list query for the primary key.
        let query: String
        let partition: String
        let sort: [String]

        var sortArgument: String {
            sort.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        }
        /// The fields that a filter must not speak of while the key is read.
        var attributes: [String] { [partition] + (sort.count == 1 ? sort : []) }
    }

    let fields: [Field]
    let primary: Key
    let hasCustomKey: Bool
    let indexes: [Key]
    let relationLimit: Int

    func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    static func random(using random: inout SeededRandom) -> PlainSchema {
        let keyKinds: [Kind] = [.string, .id, .int, .float, .timestamp, .date, .mood]
        var keyKind: Kind { keyKinds[0] }
        func pick(_ kinds: [Kind]) -> Kind { kinds[Int.random(in: 0..<kinds.count, using: &random)] }
        let isCustom = Bool.random(using: &random)
        let keySorts = isCustom ? Int.random(in: 0...3, using: &random) : 0
        var fields = [Field(name: "id", kind: .id, isRequired: true)]
        if isCustom { fields.append(Field(name: "code", kind: pick(keyKinds), isRequired: true)) }
        for number in 0..<keySorts {
            fields.append(Field(name: "part\(number)", kind: pick(keyKinds), isRequired: true))
        }
        fields.append(Field(name: "homeID", kind: .id))
        // Amplify refuses a relation whose records are in the order of an enum.
        fields.append(Field(name: "rank", kind: pick(keyKinds.filter { $0 != .mood })))
        fields.append(Field(name: "zone", kind: pick(keyKinds)))
        fields.append(Field(name: "alone", kind: pick(keyKinds)))
        for number in 0..<Int.random(in: 2...3, using: &random) {
            fields.append(Field(name: "step\(number)", kind: pick(keyKinds)))
        }
        for (number, kind) in Kind.allCases.enumerated() {
            fields.append(Field(name: "one\(number)", kind: kind))
            if kind != .json { fields.append(Field(name: "all\(number)", kind: kind, isList: true)) }
        }
        let steps = fields.map(\.name).filter { $0.hasPrefix("step") }
        return PlainSchema(
            fields: fields,
            primary: Key(
                query: "listThings", partition: isCustom ? "code" : "id", sort: (0..<keySorts).map { "part\($0)" }),
            hasCustomKey: isCustom,
            indexes: [
                Key(query: "thingsByHome", partition: "homeID", sort: ["rank"]),
                Key(query: "thingsByZone", partition: "zone", sort: steps),
                Key(query: "thingsAlone", partition: "alone", sort: []),
            ], relationLimit: Int.random(in: 1...9, using: &random))
    }

    /// The schema as a person would write it.
    var text: String {
        var lines = ["type Thing @model @auth(rules: [{allow: public}]) {"]
        for field in fields {
            var line = "  " + field.declaration
            if hasCustomKey, field.name == primary.partition {
                line +=
                    primary.sort.isEmpty ? " @primaryKey" : " @primaryKey(sortKeyFields: \(Self.list(primary.sort)))"
            }
            for index in indexes where index.partition == field.name {
                let sort = index.sort.isEmpty ? "" : ", sortKeyFields: \(Self.list(index.sort))"
                line += " @index(name: \"by\(index.partition)\"\(sort), queryField: \"\(index.query)\")"
            }
            lines.append(line)
        }
        lines.append("  home: Home @belongsTo(fields: [\"homeID\"])")
        lines.append("}")
        lines.append("type Home @model @auth(rules: [{allow: public}]) {")
        lines.append("  id: ID!")
        lines.append("  things: [Thing] @hasMany(indexName: \"byhomeID\", fields: [\"id\"], limit: \(relationLimit))")
        lines.append("}")
        lines.append("enum Mood { BAD GOOD ODD }")
        return lines.joined(separator: "\n")
    }

    private static func list(_ names: [String]) -> String {
        "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }

    // MARK: Values

    private static let words = ["", "a", "ab", "b", "ba", "é", "éa", "A", "a b", "a%", "_", "\"q\"", "z\\", "☃", "𝄞"]

    static func word(using random: inout SeededRandom) -> String {
        words[Int.random(in: 0..<words.count, using: &random)]
    }

    /// A value of a kind. Keys of the cloud's database take no empty text.
    static func value(_ kind: Kind, isKey: Bool = false, using random: inout SeededRandom) -> JSONValue {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        switch kind {
        case .string, .id:
            let word = word(using: &random)
            return .string(isKey && word.isEmpty ? "e" : word)
        case .int: return .integer(Int64(number(-3...12)))
        case .float: return .double(Double(number(-6...12)) / 4)
        case .boolean: return .bool(Bool.random(using: &random))
        case .timestamp: return .integer(Int64(number(-2...11)) * 100)
        case .date: return .string("202\(number(0...2))-0\(number(1...3))-1\(number(0...3))")
        case .dateTime:
            return .string("2020-01-0\(number(1...3))T0\(number(0...2)):00:0\(number(0...1)).\(number(0...9))Z")
        case .mood: return .string(["BAD", "GOOD", "ODD"][number(0...2)])
        case .json: return json(depth: 2, using: &random)
        }
    }

    private static func json(depth: Int, using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: return .integer(Int64(Int.random(in: -2...5, using: &random)))
        case 1: return .bool(Bool.random(using: &random))
        case 4, 5:
            return .array(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in json(depth: depth - 1, using: &random) })
        case 6:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...3, using: &random)).map {
                        ("k\($0)", json(depth: depth - 1, using: &random))
                    }))
        default: return .string(word(using: &random))
        }
    }
}
