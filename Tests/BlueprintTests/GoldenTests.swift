import GraphQL
import Testing

@testable import Blueprint

/// The schemas in `Golden`, with what Amplify's transformer makes of them. See its README for how they are compared.
@Suite("Golden schemas")
struct GoldenTests {
    @Test("the API is the one that AppSync would get", arguments: GoldenCase.outputs)
    func generates(golden: GoldenCase) throws {
        guard case .output(let expected) = golden.outcome else { return }
        let made = check(golden.input, golden.settings)
        let api = try #require(made.api, "\(made.errors.map(\.description).joined(separator: "\n"))")
        let wanted = try Facts(of: expected)
        let found = try Facts(of: api.printed())
        #expect(found.difference(from: wanted) == "")
    }

    @Test("the API of version 1 is the one that AppSync would get", arguments: GoldenCase.version1.outputs)
    func generatesVersion1(golden: GoldenCase) throws {
        try generates(golden: golden)
    }

    @Test("a refused schema is refused in the same words", arguments: GoldenCase.errors + GoldenCase.version1.errors)
    func refuses(golden: GoldenCase) throws {
        guard case .error(let expected) = golden.outcome else { return }
        let made = check(golden.input, golden.settings)
        let error = try #require(made.errors.first, "it is accepted")
        #expect(error.firstLine == Self.firstLine(of: expected))
        #expect(made.api == nil)
    }

    @Test(
        "what is printed without AppSync's directives has none of them",
        arguments: GoldenCase.outputs + GoldenCase.version1.outputs)
    func printsForClients(golden: GoldenCase) throws {
        let text = try #require(check(golden.input, golden.settings).api).printed(authDirectives: false)
        #expect(!text.replacing("@aws_subscribe", with: "").contains("@aws_"))
    }

    /// Messages of graphql-js come after a line that only says that there are some.
    private static func firstLine(of message: String) -> String {
        let lines = message.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces }.filter { !$0.isEmpty }
        guard let first = lines.first else { return "" }
        return first.hasPrefix("Schema validation failed") && lines.count > 1 ? lines[1] : first
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// What a schema says, one fact a line, whatever the order in which it says it.
struct Facts {
    private(set) var facts: [String] = []

    init(of text: String) throws {
        for definition in try Document(parsing: Source(text), limits: .schema).definitions {
            guard case .type(let type) = definition, type.name.text != "AmplifyAIConversationTurnErrorInput" else {
                continue
            }
            add(type)
        }
        facts.sort()
    }

    func difference(from wanted: Facts) -> String {
        let missing = Set(wanted.facts).subtracting(facts).sorted().map { "missing: \($0)" }
        let more = Set(facts).subtracting(wanted.facts).sorted().map { "too much: \($0)" }
        if missing.isEmpty, more.isEmpty, facts != wanted.facts { return "something is said twice" }
        return (missing + more).prefix(12).joined(separator: "\n")
    }

    private mutating func add(_ type: TypeDefinition) {
        let name = type.name.text
        add(type.directives, to: name)
        switch type {
        case .scalar: facts.append("scalar \(name)")
        case .object(let object):
            facts.append("type \(name)")
            for interface in object.interfaces { facts.append("\(name) implements \(interface)") }
            for field in object.fields { add(field, of: name) }
        case .interface(let interface):
            facts.append("interface \(name)")
            for interface in interface.interfaces { facts.append("\(name) implements \(interface)") }
            for field in interface.fields { add(field, of: name) }
        case .union(let union):
            facts.append("union \(name)")
            for member in union.members { facts.append("\(name) = \(member)") }
        case .enum(let enumeration):
            facts.append("enum \(name)")
            for value in enumeration.values {
                facts.append("\(name).\(value.name)")
                add(value.directives, to: "\(name).\(value.name)")
            }
        case .inputObject(let input):
            facts.append("input \(name)")
            for field in input.fields { add(field, to: "\(name).\(field.name)") }
        }
    }

    private mutating func add(_ field: FieldDefinition, of type: String) {
        let path = "\(type).\(field.name)"
        facts.append("\(path): \(field.type)")
        add(field.directives, to: path)
        for argument in field.arguments { add(argument, to: "\(path)(\(argument.name))") }
    }

    private mutating func add(_ value: InputValueDefinition, to path: String) {
        facts.append("\(path): \(value.type)\(value.defaultValue.map { " = \(text(of: $0))" } ?? "")")
        add(value.directives, to: path)
    }

    private mutating func add(_ directives: [Directive], to path: String) {
        for directive in directives {
            let arguments = directive.arguments.map { "\($0.name): \(text(of: $0.value))" }.sorted()
            facts.append("\(path) @\(directive.name)(\(arguments.joined(separator: ", ")))")
        }
    }

    private func text(of value: Value) -> String {
        switch value {
        case .list(let list): "[\(list.values.map { text(of: $0) }.joined(separator: ", "))]"
        case .object(let object):
            "{\(object.fields.map { "\($0.name): \(text(of: $0.value))" }.sorted().joined(separator: ", "))}"
        case .string(let string): "\"\(string.value)\""
        default: value.printed
        }
    }
}
