import Foundation
import JSON
import Synchronization
import TestSupport

@testable import Server

/// An app's folder with a schema, into which state is moved.
struct MoveWorld {
    let folder = TemporaryFolder()
    private let isSynced: Bool

    static let schema = """
        type Place { city: String }
        enum State { OPEN DONE }
        type Todo @model @auth(rules: [{ allow: public }]) {
          id: ID! name: String done: Boolean rank: Int share: Float tags: [String] meta: AWSJSON place: Place note: String
          owner: String state: State
        }
        type Stock @model @auth(rules: [{ allow: public }]) {
          shop: ID! @primaryKey(sortKeyFields: ["shelf", "number"]) shelf: String! number: Int! count: Int
        }
        type Post @model @auth(rules: [{ allow: public }]) { id: ID! tags: [Tag] @manyToMany(relationName: "PostTags") }
        type Tag @model @auth(rules: [{ allow: public }]) { id: ID! posts: [Post] @manyToMany(relationName: "PostTags") }
        """

    init(isSynced: Bool = false, schema: String = Self.schema) throws {
        self.isSynced = isSynced
        try folder.write(schema, to: "schema.graphql")
    }

    func resolution(data: String = "data") throws -> ConfigurationResolver.Resolution {
        try ConfigurationResolver.resolve(
            options: ["schema": [folder.file("schema.graphql")], "data": ["\(folder.path)/\(data)"]],
            environment: isSynced ? ["HOMEPORT_FEATURES_CONFLICT_DETECTION": "AUTOMERGE"] : [:])
    }

    struct Said {
        let code: ExitCode
        let output: String
        let diagnostics: String
        var all: String { output + diagnostics }
    }

    func said(_ body: (CommandOutput) throws -> ExitCode) rethrows -> Said {
        let output = Mutex("")
        let diagnostics = Mutex("")
        let code = try body(
            CommandOutput(
                standard: { text in output.withLock { $0 += text } },
                diagnostics: { text in diagnostics.withLock { $0 += text } }))
        return Said(code: code, output: output.withLock { $0 }, diagnostics: diagnostics.withLock { $0 })
    }

    /// Moves in what the closure asks for; by itself the folder `exports`.
    func moveIn(
        data: String = "data", stoppingAfter batches: Int = .max,
        _ change: (inout MoveInCommand.Wish) -> Void = { _ in }
    ) throws -> Said {
        var wish = MoveInCommand.Wish()
        wish.tables = ["\(folder.path)/exports"]
        change(&wish)
        let left = Mutex(batches)
        let resolution = try resolution(data: data)
        return said {
            MoveInCommand.run(resolution, wish, $0) {
                left.withLock {
                    $0 -= 1
                    return $0 > 0
                }
            }
        }
    }

    /// The records of a data folder, in the order of their lines.
    func records(data: String = "data") throws -> [String] {
        let configuration = try resolution(data: data).configuration
        let said = said { ExportCommand.run(configuration, to: folder.file("out.jsonl"), $0) }
        guard said.code == .success else { return [said.all] }
        return try String(contentsOfFile: folder.file("out.jsonl"), encoding: .utf8).split(separator: "\n").map(
            String.init)
    }

    /// The users of a data folder, as their export has them.
    func users(data: String = "data") throws -> [String] {
        var wish = UsersCommand.Wish(.export)
        wish.name = folder.file("users.out")
        let resolution = try resolution(data: data)
        let said = said { UsersCommand.run(resolution, wish, $0) }
        guard said.code == .success else { return [said.all] }
        return try String(contentsOfFile: folder.file("users.out"), encoding: .utf8).split(separator: "\n").map(
            String.init)
    }
}
