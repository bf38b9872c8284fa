import Foundation
import JSON
import Testing

/// One case: a schema, who calls, and steps with what must come back.
struct ConformanceCase: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    /// What a case is about; the folder that it lies in.
    enum Area: String, Sendable, CaseIterable {
        case model, relations, index, auth, redaction, subscriptions, datastore, scalars, errors, clients, gen2
        case introspection, custom, events
    }

    let area: Area
    /// The file's name; no two cases have the same.
    let name: String
    /// The file in which the server finds the schema, and what stands in it.
    let schemaName: String
    let schema: String
    let auth: JSONValue
    let features: JSONObject
    /// Further keys of the configuration, as they are.
    let configuration: JSONObject
    /// Files beside the configuration, by name.
    let files: [String: String]
    let identities: [String: Identity]
    let functions: [String: StandInFunction]
    let httpServers: [String: [StandInRoute]]
    let steps: [Step]

    /// Whether a step looks at the calls of a stand-in.
    var looksAtCalls: Bool { steps.contains { if case .calls = $0 { true } else { false } } }

    var description: String { "\(area.rawValue)/\(name)" }
    var testDescription: String { name }

    // MARK: The cases

    static let everyCase: [ConformanceCase] = {
        do { return try load() } catch { fatalError("the cases cannot be read: \(error)") }
    }()

    /// Those that are to run.
    private static let wanted: [ConformanceCase] = {
        guard let text = ProcessInfo.processInfo.environment["HOMEPORT_CASES"] else { return everyCase }
        return everyCase.filter { $0.name.contains(text) }
    }()

    static func passing(in area: Area) -> [ConformanceCase] {
        wanted.filter { $0.area == area && NotYet.reasons[$0.name] == nil }
    }

    static var listed: [ConformanceCase] { wanted.filter { NotYet.reasons[$0.name] != nil } }

    private static func load() throws -> [ConformanceCase] {
        let folder = (Bundle.module.resourceURL ?? URL(filePath: "/")).appending(path: "Cases")
        return try Area.allCases.flatMap { area in
            let files = try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: area.rawValue), includingPropertiesForKeys: nil)
            return try files.sorted { $0.path < $1.path }.map { file in
                let name = file.deletingPathExtension().lastPathComponent
                do {
                    let value = try JSONReader.value(of: Array(Data(contentsOf: file)))
                    return try ConformanceCase(area, name, CaseFields(value, "the case"))
                } catch {
                    throw CaseFormError("\(area.rawValue)/\(name): \(error)")
                }
            }
        }
    }

    private init(_ area: Area, _ name: String, _ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly([
            "source", "why", "schema", "schemaTs", "auth", "identities", "flags", "config", "files", "functions",
            "httpServers", "steps",
        ])
        _ = try (fields.text("source"), fields.text("why"))
        self.area = area
        self.name = name
        if fields.has("schemaTs") {
            (schemaName, schema) = ("resource.ts", try fields.lines("schemaTs"))
        } else {
            (schemaName, schema) = ("case.graphql", try fields.lines("schema"))
        }
        auth = try fields.value("auth")
        features = try fields.object("flags")
        configuration = try fields.object("config")
        let texts = try fields.has("files") ? fields.fields("files") : CaseFields([:], "files")
        files = try fields.named("files") { name, _ throws(CaseFormError) in try texts.lines(name) }
        identities = try fields.named("identities") { name, value throws(CaseFormError) in
            try Identity(name, CaseFields(value, "the identity \(name)"))
        }
        functions = try fields.named("functions") { name, value throws(CaseFormError) in
            try StandInFunction(CaseFields(value, "the function \(name)"))
        }
        httpServers = try fields.named("httpServers") { name, value throws(CaseFormError) in
            try StandInRoute.routes(CaseFields(value, "the HTTP server \(name)"))
        }
        var steps: [Step] = []
        for (index, value) in try fields.array("steps").enumerated() {
            steps.append(try Step(CaseFields(value, "step \(index + 1)")))
        }
        self.steps = steps
    }
}
