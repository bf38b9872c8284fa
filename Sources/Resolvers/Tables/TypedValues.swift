import JSON

/// The values of items as AppSync takes and gives them, and as DynamoDB's API has them: `{S: "a"}`, `{N: 1}`, `{NULL: null}` in
/// requests; plain JSON in answers.
package enum TypedValues {
    /// Lists and maps in one another. Deeper ones are handed on as they are, and refused where they come to.
    private static let nestingMax = 64

    /// A value that is not typed: `"a"` where `{S: "a"}` belongs.
    struct Fault: Error {
        /// Where it stands, from within.
        private(set) var path: [String] = []
        /// What stands there.
        let found: String

        fileprivate init(_ value: JSONValue) {
            found =
                switch value {
                case .null: "NULL"
                case .bool: "BOOLEAN"
                case .integer, .largeInteger, .double: "NUMBER"
                case .string: "STRING"
                case .array: "ARRAY"
                case .object: "OBJECT"
                }
        }

        fileprivate func within(_ names: String...) -> Fault {
            var fault = self
            fault.path += names
            return fault
        }

        /// As AppSync tells it.
        func error(at place: String) -> ResolverError {
            let path = ([place] + path.reversed()).map { "[\($0)]" }.joined()
            return .template("Expected JSON object for attribute value '$\(path)' but got a '\(found)' instead.")
        }
    }

    /// An item, or the values of expressions, with what DynamoDB's API does not take made into what it takes. The engine that this
    /// server stands for takes a bare text for a string, which AppSync does not: what works here is to work there.
    static func typed(_ object: JSONObject) throws(Fault) -> JSONObject { try typed(object, depth: 0) }

    private static func typed(_ object: JSONObject, depth: Int) throws(Fault) -> JSONObject {
        guard depth <= nestingMax else { return object }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(object.count)
        for member in object {
            do throws(Fault) {
                members.append(JSONObject.Member(key: member.key, value: try typed(member.value, depth: depth)))
            } catch {
                throw error.within(member.key)
            }
        }
        return JSONObject(distinct: members)
    }

    private static func typed(_ value: JSONValue, depth: Int) throws(Fault) -> JSONValue {
        guard let object = value.object else { throw Fault(value) }
        guard object.count == 1, let member = object.members.first else { return value }
        switch member.key {
        // AppSync's own helpers write null here, and numbers as numbers.
        case "NULL": return ["NULL": true]
        case "N":
            guard member.value.string == nil else { return value }
            return ["N": .string(JSONWriter.text(of: member.value))]
        case "NS":
            guard let elements = member.value.array else { return value }
            return ["NS": .array(elements.map { $0.string == nil ? .string(JSONWriter.text(of: $0)) : $0 })]
        case "L":
            guard let elements = member.value.array, depth < nestingMax else { return value }
            var typedElements: [JSONValue] = []
            typedElements.reserveCapacity(elements.count)
            for (number, element) in elements.enumerated() {
                do throws(Fault) {
                    typedElements.append(try typed(element, depth: depth + 1))
                } catch {
                    throw error.within("\(number)", "L")
                }
            }
            return ["L": .array(typedElements)]
        case "M":
            guard let members = member.value.object else { return value }
            do throws(Fault) {
                return ["M": .object(try typed(members, depth: depth + 1))]
            } catch {
                throw error.within("M")
            }
        default: return value
        }
    }

    /// An item as handlers see it: sets are lists, binary values stay base64.
    package static func plain(_ item: JSONObject) -> JSONObject { plain(item, depth: 0) }

    private static func plain(_ item: JSONObject, depth: Int) -> JSONObject {
        JSONObject(item.map { ($0.key, plain($0.value, depth: depth)) })
    }

    private static func plain(_ value: JSONValue, depth: Int) -> JSONValue {
        guard let member = value.object?.members.first, depth <= nestingMax else { return .null }
        switch member.key {
        case "N": return number(member.value)
        case "NULL": return .null
        case "NS": return .array((member.value.array ?? []).map(number))
        case "L": return .array((member.value.array ?? []).map { plain($0, depth: depth + 1) })
        case "M": return .object(plain(member.value.object ?? JSONObject(), depth: depth + 1))
        default: return member.value
        }
    }

    private static func number(_ value: JSONValue) -> JSONValue {
        guard let text = value.string else { return value }
        return (try? JSONReader.value(of: Array(text.utf8))) ?? value
    }
}
