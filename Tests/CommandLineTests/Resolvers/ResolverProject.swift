import Foundation
import JSON
import TestSupport

/// A Gen 2 project with handlers of its own, and the server that serves it.
struct ResolverProject {
    let folder = TemporaryFolder()

    /// - Parameters:
    ///   - schema: what stands in `a.schema({ … })`.
    ///   - handlers: files beside the schema.
    init(_ schema: String, _ handlers: [String: String], backend: String? = nil, modes: String = "apiKey") throws {
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const open = (allow) => [allow.publicApiKey()];
            const schema = a.schema({
            \(schema)
            });
            export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: '\(modes)' } });
            """, to: "amplify/data/resource.ts")
        for (file, text) in handlers { try folder.write(text, to: "amplify/data/\(file)") }
        if let backend {
            try folder.write(
                """
                import { defineBackend } from '@aws-amplify/backend';
                import { data } from './data/resource';
                const backend = defineBackend({ data });
                \(backend)
                """, to: "amplify/backend.ts")
        }
    }

    func serve(_ arguments: [String] = [], configuration: String? = nil) throws -> HomeportProcess {
        if let configuration { try folder.write(configuration, to: "homeport.json") }
        return try HomeportProcess(
            arguments + (configuration == nil ? [] : ["--config", "homeport.json"]), schema: nil, in: folder)
    }
}

extension HomeportProcess {
    /// The answer to an operation, read.
    func value(of query: String, _ variables: [String: Any] = [:]) throws -> JSONValue {
        let client = try OperationClient(port: port)
        return try JSONReader.value(of: try client.answer(to: query, variables))
    }
}
