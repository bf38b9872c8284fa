import JSON

/// What stands for `#names` and `:values` in the expressions of one request, and which of them were used: one that was not
/// is a mistake, so each expression of the request is read with the same substitutions.
package struct Substitutions: Sendable {
    private var names = Entries<String>()
    private var values = Entries<ItemValue>()

    /// What stands for keys, in the order in which they came.
    private struct Entries<Value: Sendable>: Sendable {
        private struct Entry: Sendable {
            let key: String
            let value: Value
            var isUsed = false
        }

        private var list: [Entry] = []
        /// Where each stands, once there are too many to look through them.
        private var places: [ByteText: Int] = [:]
        private static var scanMax: Int { 8 }

        /// - Parameter key: one that no other has.
        mutating func add(_ key: String, _ value: Value) {
            list.append(Entry(key: key, value: value))
            if list.count > Self.scanMax { places[key] = list.count - 1 }
        }

        mutating func use(_ key: String) -> Value? {
            let place = list.prefix(Self.scanMax).firstIndex { ByteText($0.key) == ByteText(key) } ?? places[key]
            guard let place else { return nil }
            list[place].isUsed = true
            return list[place].value
        }

        var unused: [String] { list.filter { !$0.isUsed }.map(\.key) }
    }

    package init() {}

    /// All of it, for a reader that notes in it what it uses and gives it back at its end: two holders would make copies.
    mutating func taken() -> Substitutions {
        defer { self = Substitutions() }
        return self
    }

    /// Reads `ExpressionAttributeNames` and `ExpressionAttributeValues`, where they are.
    ///
    /// - Parameters:
    ///   - isStrict: whether a text must be a text.
    ///   - namesFaulty: whether the refusal of a value names its key. The service does not where one item is written.
    package init(
        names: JSONValue?, values: JSONValue?, isStrict: Bool = false, namesFaulty: Bool = true
    ) throws(ItemError) {
        if let names, !names.isNull { try read(names: names, isStrict) }
        if let values, !values.isNull { try read(values: values, isStrict, namesFaulty) }
    }

    private mutating func read(names json: JSONValue, _ isStrict: Bool) throws(ItemError) {
        let parameter = "ExpressionAttributeNames"
        let object = try Self.object(json, parameter)
        for member in object { try Self.check(member.key, UInt8(ascii: "#"), parameter) }
        for member in object {
            guard !member.value.isNull else {
                throw .validation("\(parameter) contains invalid value: null for key \(member.key)")
            }
            let name = try ItemReader.text(of: member.value, isStrict: isStrict)
            guard !name.isEmpty else {
                throw .validation("\(parameter) contains invalid value: Empty attribute name for key \(member.key)")
            }
            guard name.utf8.count <= ItemLimits.nameBytesMax else {
                let problem = "Attribute name is too large, must be less than 65536 bytes"
                throw .validation("\(parameter) contains invalid value: \(problem) for key \(member.key)")
            }
            names.add(member.key, name)
        }
    }

    private mutating func read(
        values json: JSONValue, _ isStrict: Bool, _ namesFaulty: Bool
    ) throws(ItemError) {
        let parameter = "ExpressionAttributeValues"
        let object = try Self.object(json, parameter)
        for member in object { try Self.check(member.key, UInt8(ascii: ":"), parameter) }
        for member in object {
            do {
                values.add(member.key, try ItemValue(json: member.value, isStrict: isStrict))
            } catch {
                guard namesFaulty, error.type == "ValidationException" else { throw error }
                throw .validation("\(parameter) contains invalid value: \(error.message) for key \(member.key)")
            }
        }
    }

    private static func object(_ json: JSONValue, _ parameter: String) throws(ItemError) -> JSONObject {
        guard let object = json.object else { throw .serialization("Expected an object, found \(json.kind)") }
        guard !object.isEmpty else { throw .validation("\(parameter) must not be empty") }
        return object
    }

    private static func check(_ key: String, _ sign: UInt8, _ parameter: String) throws(ItemError) {
        guard key.utf8.count <= ExpressionLimits.substitutionBytesMax else {
            throw .validation(
                "\(parameter) contains invalid key: The expression attribute map contains a key that is too long;")
        }
        guard key.utf8.first == sign, key.utf8.count > 1, key.utf8.dropFirst().allSatisfy(\.isWord)
        else {
            throw .validation("\(parameter) contains invalid key: Syntax error; key: \"\(key)\"")
        }
    }

    /// The name of an attribute that stands for `#name`.
    mutating func name(_ key: String) -> String? { names.use(key) }

    /// The value that stands for `:value`.
    mutating func value(_ key: String) -> ItemValue? { values.use(key) }

    /// Refuses what no expression has used. To be asked when all expressions of the request were read.
    package func checkUsed() throws(ItemError) {
        try Self.check(names.unused, "ExpressionAttributeNames")
        try Self.check(values.unused, "ExpressionAttributeValues")
    }

    private static func check(_ unused: [String], _ parameter: String) throws(ItemError) {
        guard unused.isEmpty else {
            throw .validation(
                "Value provided in \(parameter) unused in expressions: keys: {\(unused.joined(separator: ", "))}")
        }
    }
}
