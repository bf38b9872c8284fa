import Foundation
import GraphQL
import JSON
import TestSupport
import Testing

@testable import Blueprint

/// What clients are told of the models in `Golden`, as Amplify's own generator tells it.
@Suite("Model introspection")
struct ModelIntrospectionTests {
    /// Of a few there is none: Amplify's generator fails on them.
    private static let described = GoldenCase.outputs.filter { golden in
        let folder = try? resources(in: "Golden")
        return folder.map { FileManager.default.fileExists(atPath: $0.appending(path: golden.file).path) } ?? false
    }

    @Test("the introspection is the one that Amplify's clients would get", arguments: described)
    func describes(golden: GoldenCase) throws {
        let folder = try resources(in: "Golden")
        let file = folder.appending(path: golden.file)
        let wanted = try JSONReader.value(of: Array(Data(contentsOf: file)))
        let document = try Document(parsing: Source(golden.input), limits: .schema)
        let made = ModelIntrospection.value(of: document)
        #expect(Self.differences(wanted, made, at: "") == [])
    }

    /// The schemas in TypeScript that have an introspection, by what they stand for in SDL.
    private static let ofGen2: [String] = {
        let folder = (try? resources(in: "Golden/gen2"))?.path ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".introspection.json") }
            .map { String($0.dropLast(".introspection.json".count)) }.sorted()
    }()

    @Test("the same of schemas in TypeScript, conversations and generations among them", arguments: ofGen2)
    func describesGen2(name: String) throws {
        let folder = try resources(in: "Golden/gen2")
        let wanted = try Data(contentsOf: folder.appending(path: "\(name).introspection.json"))
        let schema = try String(contentsOf: folder.appending(path: "\(name).graphql"), encoding: .utf8)
        let made = ModelIntrospection.value(of: try Document(parsing: Source(schema), limits: .schema))
        #expect(Self.differences(try JSONReader.value(of: Array(wanted)), made, at: "") == [])
    }

    @Test("there are schemas in TypeScript to compare")
    func hasGen2() { #expect(Self.ofGen2.count == 27) }

    @Test("relations by @connection give what those of version 2 give")
    func describesVersion1() throws {
        let text = """
            type Blog @model { id: ID! name: String posts: [Post] @connection(keyName: "byBlog", fields: ["id"]) }
            type Post @model @key(name: "byBlog", fields: ["blogID", "title"], queryField: "postsByBlog") {
              id: ID! title: String! blogID: ID! blog: Blog @connection(fields: ["blogID"]) notes: [Note] @connection
            }
            type Note @model @key(fields: ["place", "number"]) { place: String! number: Int! }
            """
        let document = try Document(parsing: Source(text), limits: .schema)
        let models = try #require(ModelIntrospection.value(of: document, transformerVersion: 1)["models"])
        let posts = models["Blog"]?["fields"]?["posts"]?["association"]
        #expect(posts == ["connectionType": "HAS_MANY", "associatedWith": ["blog"]])
        let blog = models["Post"]?["fields"]?["blog"]?["association"]
        #expect(blog == ["connectionType": "BELONGS_TO", "targetNames": ["blogID"]])
        #expect(models["Post"]?["fields"]?["blogID"] == nil)
        let notes = models["Post"]?["fields"]?["notes"]?["association"]
        #expect(notes == ["connectionType": "HAS_MANY", "associatedWith": ["postNotesId"]])
        #expect(models["Note"]?["fields"]?["postNotesId"]?["type"] == "ID")
        #expect(
            models["Note"]?["primaryKeyInfo"] == [
                "isCustomPrimaryKey": true, "primaryKeyFieldName": "place", "sortKeyFieldNames": ["number"],
            ])
        let key = models["Post"]?["attributes"]?[1]
        #expect(
            key == [
                "type": "key",
                "properties": ["name": "byBlog", "fields": ["blogID", "title"], "queryField": "postsByBlog"],
            ])
    }

    @Test(
        "words begin where the case changes",
        arguments: [
            ("HTTPServer2Go", "httpServer2Go", "HttpServer2Go", "HTTP_SERVER2_GO"),
            ("already_snake_case", "alreadySnakeCase", "AlreadySnakeCase", "ALREADY_SNAKE_CASE"),
            ("Version_2_1", "version_2_1", "Version_2_1", "VERSION_2_1"),
            ("postTag", "postTag", "PostTag", "POST_TAG"), ("__", "", "", ""),
        ])
    func splits(name: String, camel: String, pascal: String, constant: String) {
        #expect(WordCase.camel(name) == camel)
        #expect(WordCase.pascal(name) == pascal)
        #expect(WordCase.constant(name) == constant)
    }

    @Test("values of an enum that differ in their case alone are one, and numbers come first")
    func collapses() throws {
        let text = "type T @model { e: E } enum E { red _2 RED _10 Red blueGreen BLUE_GREEN _1 }"
        let made = ModelIntrospection.value(of: try Document(parsing: Source(text), limits: .schema))
        #expect(made["enums"]?["E"]?["values"] == ["_1", "_2", "_10", "Red", "BLUE_GREEN"])
    }

    /// Where two values differ. The order of the members of `fields` counts: clients ask for fields in it.
    private static func differences(_ wanted: JSONValue, _ made: JSONValue, at path: String) -> [String] {
        switch (wanted, made) {
        case (.object(let left), .object(let right)):
            if path.hasSuffix("/fields"), left.keys != right.keys {
                return ["\(path): \(right.keys), expected \(left.keys)"]
            }
            let keys = left.keys + right.keys.filter { left[$0] == nil }
            return keys.flatMap { key -> [String] in
                guard let inner = left[key] else { return ["\(path)/\(key) should not be there"] }
                guard let other = right[key] else { return ["\(path)/\(key) is missing"] }
                return differences(inner, other, at: "\(path)/\(key)")
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            return zip(left, right).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)/\($0)") }
        default: return wanted == made ? [] : ["\(path): \(made), expected \(wanted)"]
        }
    }
}

extension GoldenCase {
    fileprivate var file: String { "\(name).introspection.json" }
}
