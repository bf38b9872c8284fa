import JSON
import Script

/// Makes JSON of a program's values, as `JSON.stringify` would write them. What nobody has looked at since it was lent is
/// taken as it came.
struct ValueReader {
    private let realm: Realm
    private let nestingMax: Int
    private let bytesMax: Int
    /// Of the JSON text that has been read so far, about.
    private(set) var bytes = 0
    /// What stands where a member is undefined; nothing: the member is missing.
    private let undefined: JSONValue?

    init(_ realm: Realm, nestingMax: Int, bytesMax: Int, seesUndefined: Bool = false) {
        self.realm = realm
        self.nestingMax = nestingMax
        self.bytesMax = bytesMax
        undefined = seesUndefined ? JSONValue?.some(.null) : JSONValue?.none
    }

    /// Undefined, and what JSON has no words for, is null.
    mutating func json(_ value: Value) throws(Thrown) -> JSONValue { try member(value, depth: 0) ?? .null }

    private mutating func member(_ value: Value, depth: Int) throws(Thrown) -> JSONValue? {
        switch value {
        case .undefined, .absent: return undefined
        case .symbol: return nil
        case .null:
            try count(4)
            return .null
        case .boolean(let boolean):
            try count(5)
            return .bool(boolean)
        case .number(let number):
            try count(8)
            return Self.number(number)
        case .text(let text):
            let string = text.string
            try count(2 + string.utf8.count)
            return .string(string)
        case .object(let object):
            if object.isCallable { return nil }
            if depth >= nestingMax { throw realm.rangeError("Values are nested more than \(nestingMax) deep") }
            try realm.spend()
            if let list = object as? ScriptArray { return .array(try elements(of: list, depth: depth + 1)) }
            if let lent = object as? LentObject { return try lentObject(lent, depth: depth + 1) }
            return .object(try members(of: object, nil, depth: depth + 1))
        }
    }

    private mutating func elements(of list: ScriptArray, depth: Int) throws(Thrown) -> [JSONValue] {
        try count(2)
        var elements: [JSONValue] = []
        let length = Int(list.length)
        elements.reserveCapacity(min(length, 4096))
        for index in 0..<length {
            try count(1)
            try realm.spend()
            var value = list.element(at: index)
            if case nil = value { value = try list.get(index: Double(index)) }
            elements.append(try member(value ?? .undefined, depth: depth) ?? .null)
        }
        return elements
    }

    private mutating func lentObject(_ lent: LentObject, depth: Int) throws(Thrown) -> JSONValue {
        guard let lender = lent.members as? JSONMembers else {
            return .object(try members(of: lent, nil, depth: depth))
        }
        if lent.isUntouched {
            try weigh(.object(lender.object), depth: depth - 1)
            return .object(lender.object)
        }
        return .object(try members(of: lent, lender.object.members, depth: depth))
    }

    private mutating func members(
        of object: ScriptObject, _ lent: [JSONObject.Member]?, depth: Int
    ) throws(Thrown) -> JSONObject {
        try count(2)
        var members: [JSONObject.Member] = []
        let realm = realm
        try object.eachHeld { (key, held) throws(Thrown) in
            try realm.spend()
            let value: JSONValue?
            switch held {
            case .value(let held): value = try member(held, depth: depth)
            case .lent(let number):
                if let lent, lent.indices.contains(number) {
                    try weigh(lent[number].value, depth: depth)
                    value = lent[number].value
                } else {
                    value = try member(try object.get(key), depth: depth)
                }
            }
            guard let value else { return }
            let name = realm.string(of: key)
            try count(4 + name.utf8.count)
            members.append(JSONObject.Member(key: name, value: value))
        }
        return JSONObject(distinct: members)
    }

    /// Counts what is taken as it is, as deep as it is.
    private mutating func weigh(_ value: JSONValue, depth: Int) throws(Thrown) {
        switch value {
        case .null, .bool, .integer, .double: try count(6)
        case .largeInteger(let digits): try count(digits.utf8.count)
        case .string(let string): try count(2 + string.utf8.count)
        case .array(let elements):
            if depth >= nestingMax { throw realm.rangeError("Values are nested more than \(nestingMax) deep") }
            try realm.spend(1 + elements.count >> 2)
            try count(2 + elements.count)
            for element in elements { try weigh(element, depth: depth + 1) }
        case .object(let object):
            if depth >= nestingMax { throw realm.rangeError("Values are nested more than \(nestingMax) deep") }
            try realm.spend(1 + object.count >> 2)
            try count(2)
            for member in object.members {
                try count(4 + member.key.utf8.count)
                try weigh(member.value, depth: depth + 1)
            }
        }
    }

    private mutating func count(_ count: Int) throws(Thrown) {
        bytes += count
        if bytes > bytesMax {
            throw realm.rangeError("A value has more than \(bytesMax) bytes as JSON")
        }
    }

    /// Numbers are integers where they are whole and exact.
    static func number(_ number: Double) -> JSONValue {
        guard number.isFinite else { return .null }
        if number.magnitude <= 9_007_199_254_740_992, let integer = Int64(exactly: number) { return .integer(integer) }
        return .double(number)
    }
}
