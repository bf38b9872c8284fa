import JSON
import TestSupport
import Testing

@testable import Server

/// A project in a folder of its own, and the files by which its app finds the server.
struct ClientProject {
    let folder = TemporaryFolder()

    static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({ Todo: a.model({ text: a.string() }) })
          .authorization((allow) => [allow.owner(), allow.publicApiKey()]);
        export const data = defineData({ schema, authorizationModes: {
          defaultAuthorizationMode: 'userPool', apiKeyAuthorizationMode: { expiresInDays: 30 } } });
        """
    static let auth = """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true }, groups: ['Admins'] });
        """
    static let storage = """
        import { defineStorage } from '@aws-amplify/backend';
        export const storage = defineStorage({
          name: 'media', isDefault: true,
          access: (allow) => ({ 'pictures/*': [allow.authenticated.to(['read', 'write'])] }),
        });
        export const second = defineStorage({
          name: 'archive', access: (allow) => ({ 'old/*': [allow.authenticated.to(['read'])] }),
        });
        """
    static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { storage, second } from './storage/resource';
        defineBackend({ auth, data, storage, second });
        """

    /// A project of Gen 2, whose app asks for that version of aws-amplify; nil: it has no `package.json`.
    static func version2(asking version: String? = nil) throws -> ClientProject {
        let project = ClientProject()
        for (name, text) in [
            ("auth/resource.ts", auth), ("data/resource.ts", data), ("storage/resource.ts", storage),
            ("backend.ts", backend),
        ] { try project.folder.write(text, to: "amplify/\(name)") }
        if let version { try project.ask(for: version) }
        return project
    }

    func ask(for version: String) throws {
        try folder.write(#"{"dependencies": {"aws-amplify": "\#(version)"}}"#, to: "package.json")
    }

    func install(_ version: String, below place: String = "") throws {
        try folder.write(
            #"{"name": "aws-amplify", "version": "\#(version)"}"#,
            to: "\(place)node_modules/aws-amplify/package.json")
    }

    private var schema: String {
        let gen2 = folder.read("amplify/data/resource.ts").isEmpty
        return folder.file(gen2 ? "amplify/backend/api/blog/schema.graphql" : "amplify/data/resource.ts")
    }

    func resolution(port: Int = 20_002) throws -> ConfigurationResolver.Resolution {
        try ConfigurationResolver.resolve(environment: [
            "HOMEPORT_SCHEMA": schema, "HOMEPORT_DATA": folder.file(".homeport"), "HOMEPORT_PORT": "\(port)",
            "HOMEPORT_HOST": "127.0.0.1",
        ])
    }

    /// What `serve` would write.
    func file(port: Int = 20_002) throws -> ClientFile {
        var said = ""
        do {
            return try OutputsCommand.clientFile(
                try resolution(port: port), CommandOutput(standard: { _ in }, diagnostics: { said += $0 }))
        } catch {
            Issue.record("\(said) \(error)")
            throw error
        }
    }

    /// Writes a file as a start does; gives what is said of it.
    @discardableResult
    func write(_ name: String, port: Int = 20_002) throws -> String {
        var said = ""
        let keeper = ClientFileKeeper(in: folder.file(".homeport")) { said += $0 + "\n" }
        try keeper.write(try file(port: port), to: folder.file(name))
        return said
    }

    @discardableResult
    func restore() throws -> String {
        var said = ""
        _ = try ClientFileKeeper(in: folder.file(".homeport")) { said += $0 + "\n" }.restore()
        return said
    }

    func value(_ name: String) throws -> JSONValue {
        let wrapping: OutputsFormat.Wrapping = name.hasSuffix(".json") ? .json : .exports
        return .object(try #require(wrapping.value(in: Array(folder.read(name).utf8)), "\(folder.read(name))"))
    }
}
