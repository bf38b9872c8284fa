import Blueprint
import GraphQL
import JSON
import Testing

/// A client's view of the golden schemas: what introspection says must be the schema again.
@Suite("Introspection of golden schemas")
struct IntrospectionTests {
    /// Schemas that Amplify's transformer hands over and AppSync then refuses, with a part of the reason.
    static let refusedByAppSync = [
        "function-event": "Query root type must be provided.", "http-patch": "Query root type must be provided.",
        "http-put": "Query root type must be provided.",
    ]

    @Test("says the whole schema, as far as the root types lead", arguments: GoldenCase.outputs)
    func isTheSchema(golden: GoldenCase) throws {
        guard case .output(let expected) = golden.outcome else { return }
        let api = try #require(check(golden.input, golden.settings).api)
        let schema: Schema
        do {
            schema = try Schema(api.documentWithRoots)
        } catch {
            let reason = try #require(Self.refusedByAppSync[golden.name], "\(error)")
            #expect("\(error)".contains(reason))
            return
        }
        let types = try Self.introspect(schema)
        let found = try Facts(of: types.compactMap(Self.definition).joined(separator: "\n"))
        let names = Set(types.compactMap { $0["name"]?.string })
        let wanted = try Facts(of: expected)
        #expect(found.withoutDirectives == wanted.withoutDirectives.filter { names.contains(Facts.typeName(of: $0)) })
        // Nothing leads out of what is said, and it starts at the roots.
        for type in types { #expect(Self.referenced(by: type).isSubset(of: names)) }
        for root in [schema.queryType, schema.mutationType, schema.subscriptionType].compactMap(\.self) {
            #expect(names.contains(schema[root].name))
        }
    }

    private static let query = """
        { __schema { types { kind name interfaces { ...R } possibleTypes { ...R } enumValues(includeDeprecated: true) { name }
          inputFields { ...V } fields(includeDeprecated: true) { name args { ...V } type { ...R } } } } }
        fragment V on __InputValue { name defaultValue type { ...R } }
        fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }
        """

    private static func introspect(_ schema: Schema) throws -> [JSONValue] {
        guard case .ready(let document) = Phases.prepare(Array(query.utf8), schema: schema) else { return [] }
        let operation = try document.operation(named: nil)
        let root = try #require(schema.queryType)
        let group = try #require(try CollectFields.groups(of: root, operation.selectionSet, in: document).first)
        let answer = try Introspection.value(of: group, in: document, .none, bytesMax: 32 << 20)
        let types = try JSONReader.value(of: answer)["types"]?.array ?? []
        return types.filter { $0["name"]?.string?.hasPrefix("__") == false }
    }

    /// The definition that a type of the answer stands for; nil for scalars that every schema has.
    private static func definition(_ type: JSONValue) -> String? {
        let name = type["name"]?.string ?? ""
        let interfaces = list(type["interfaces"]).map(text)
        let implements = interfaces.isEmpty ? "" : " implements \(interfaces.joined(separator: " & "))"
        let fields = list(type["fields"]).map { field in
            let arguments = list(field["args"]).map(value)
            let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
            return "\(field["name"]?.string ?? "")\(list): \(text(field["type"] ?? .null))"
        }.joined(separator: "\n")
        switch type["kind"]?.string {
        case "OBJECT": return "type \(name)\(implements) { \(fields) }"
        case "INTERFACE": return "interface \(name)\(implements) { \(fields) }"
        case "UNION": return "union \(name) = \(list(type["possibleTypes"]).map(text).joined(separator: " | "))"
        case "ENUM":
            return
                "enum \(name) { \(list(type["enumValues"]).compactMap { $0["name"]?.string }.joined(separator: " ")) }"
        case "INPUT_OBJECT": return "input \(name) { \(list(type["inputFields"]).map(value).joined(separator: "\n")) }"
        default:
            let builtIn = ["ID", "String", "Int", "Float", "Boolean"].contains(name) || name.hasPrefix("AWS")
            return builtIn ? nil : "scalar \(name)"
        }
    }

    private static func list(_ value: JSONValue?) -> [JSONValue] { value?.array ?? [] }

    private static func value(_ value: JSONValue) -> String {
        let type = "\(value["name"]?.string ?? ""): \(text(value["type"] ?? .null))"
        return value["defaultValue"]?.string.map { "\(type) = \($0)" } ?? type
    }

    private static func text(_ type: JSONValue) -> String {
        switch type["kind"]?.string {
        case "NON_NULL": text(type["ofType"] ?? .null) + "!"
        case "LIST": "[\(text(type["ofType"] ?? .null))]"
        default: type["name"]?.string ?? "?"
        }
    }

    private static func referenced(by type: JSONValue) -> Set<String> {
        func named(_ type: JSONValue?) -> [String] {
            guard let type else { return [] }
            return type["ofType"]?.object == nil ? [type["name"]?.string].compactMap(\.self) : named(type["ofType"])
        }
        var names = list(type["interfaces"]).flatMap(named) + list(type["possibleTypes"]).flatMap(named)
        for field in list(type["fields"]) + list(type["inputFields"]) {
            names += named(field["type"]) + list(field["args"]).flatMap { named($0["type"]) }
        }
        return Set(names)
    }
}

extension Facts {
    var withoutDirectives: [String] { facts.filter { !$0.contains(" @") } }

    /// The type that a fact is about: "type Todo", "Todo.name: String", "Todo implements Node", "Pet = Dog".
    static func typeName(of fact: String) -> String {
        let words = fact.split(separator: " ")
        let isDeclaration = ["type", "interface", "union", "enum", "input", "scalar"].contains(words[0])
        let subject = isDeclaration && words.count == 2 ? words[1] : words[0]
        return String(subject.prefix { $0 != "." })
    }
}
