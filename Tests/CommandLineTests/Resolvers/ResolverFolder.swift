import TestSupport

/// A project of Gen 1 with files in its folder `resolvers`.
enum ResolverFolder {
    static func serve(
        _ schema: String, _ files: [String: String], stacks: [String: String] = [:], environment: [String: String] = [:]
    ) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        let api = "amplify/backend/api/blog"
        try folder.write(schema, to: "\(api)/schema.graphql")
        try folder.write(
            #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true, "transformerversion": 2}}}"#,
            to: "amplify/cli.json")
        for (name, text) in files { try folder.write(text, to: "\(api)/resolvers/\(name)") }
        for (name, text) in stacks { try folder.write(text, to: "\(api)/stacks/\(name)") }
        return try HomeportProcess(environment: environment, schema: nil, in: folder)
    }
}
