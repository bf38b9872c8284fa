// What the tests of this room share: reading as they do, the golden cases, and the seed of the random ones.

import Foundation
import GraphQL
import JSON
import Testing

@testable import Blueprint

/// A schema in one text, read and its API made.
func check(_ text: String, _ settings: Settings = Settings()) -> SchemaCheck {
    SchemaCheck(of: [Source(text, name: "schema.graphql")], settings: settings)
}

/// A folder of the files that these tests bring along.
func resources(in folder: String) throws -> URL {
    try #require(Bundle.module.resourceURL).appending(path: folder)
}

/// An Amplify schema with what the transformer makes of it.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        case output(String)
        case error(String)
    }

    let name: String
    let input: String
    let settings: Settings
    let outcome: Outcome

    var testDescription: String { name }

    static let all = read("Golden")
    /// Those of version 1 of the transformer.
    static let version1 = read("Golden/v1")

    static var outputs: [GoldenCase] { all.outputs }
    static var errors: [GoldenCase] { all.errors }

    private static func read(_ folder: String) -> [GoldenCase] {
        do { return try load(folder) } catch { fatalError("the golden cases cannot be read: \(error)") }
    }

    private static func load(_ path: String) throws -> [GoldenCase] {
        let folder = try resources(in: path)
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        var cases: [GoldenCase] = []
        for file in names.sorted() where file.hasSuffix(".input.graphql") {
            let name = String(file.dropLast(".input.graphql".count))
            var flags = names.contains("\(name).flags.json") ? try text("\(name).flags.json") : "{}"
            if path.hasSuffix("v1") {
                let end = flags.firstIndex(of: "{").map(flags.index(after:)) ?? flags.endIndex
                let isAlone = flags[end...].allSatisfy { $0 == "}" || $0.isWhitespace }
                flags.insert(contentsOf: "\"transformerVersion\": 1" + (isAlone ? "" : ","), at: end)
            }
            let settings = try Settings(golden: flags)
            let outcome: Outcome =
                names.contains("\(name).error.txt")
                ? .error(try text("\(name).error.txt")) : .output(try text("\(name).output.graphql"))
            cases.append(
                GoldenCase(name: name, input: try text(file), settings: settings, outcome: outcome))
        }
        return cases
    }
}

extension [GoldenCase] {
    var outputs: [GoldenCase] { filter { if case .output = $0.outcome { true } else { false } } }
    var errors: [GoldenCase] { filter { if case .error = $0.outcome { true } else { false } } }
}

extension Settings {
    /// The settings of a golden case, which have the features beside `auth`.
    init(golden text: String) throws {
        self.init()
        let flags = try JSONReader.value(of: text)
        if let auth = flags["auth"] { try apply(auth: auth) }
        // The version comes first: it decides what the others are that are not there.
        if let version = flags["transformerVersion"]?.integer { usedVersion = Int(version) }
        for member in flags.object ?? JSONObject() where !["auth", "transformerVersion"].contains(member.key) {
            if let field = Self.switches[member.key] {
                self[keyPath: field] = member.value.bool == true
            } else if member.key == "conflictDetection" {
                conflictStrategy = ConflictStrategy(golden: member.value)
            } else {
                try #require(member.key == "conflictDetectionModels", "there is no flag \(member.key)")
                let models = try #require(member.value.object).members
                for model in models { conflictStrategies[model.key] = ConflictStrategy(golden: model.value) }
            }
        }
    }
}

extension ConflictStrategy {
    fileprivate init?(golden value: JSONValue) {
        guard let strategy = value.string.flatMap({ Self.named[$0] }) ?? value["lambda"]?.string.map(Self.lambda) else {
            return nil
        }
        self = strategy
    }
}
