import Blueprint
import TestSupport
import Testing

@testable import Server

/// Files in `resolvers/` of a Gen 1 project that nothing runs.
@Suite("Templates without a field that runs them")
struct UnusedTemplateTests {
    private static let schema = """
        type Residence @model @auth(rules: [{allow: public}]) { id: ID! name: String address: Address }
        type Address { firstLine: String }
        type Query { echo: String  said: String @function(name: "say") }
        type Subscription { onSaid: String @aws_subscribe(mutations: ["createResidence"]) }
        """

    private static func reading(_ files: [String]) throws -> ProjectReading {
        let folder = TemporaryFolder()
        try folder.write(schema, to: "amplify/backend/api/homes/schema.graphql")
        try folder.write(
            #"{"features": {"graphqltransformer": {"transformerversion": 2, "useexperimentalpipelinedtransformer": true}}}"#,
            to: "amplify/cli.json")
        for file in files {
            try folder.write("$util.unauthorized()", to: "amplify/backend/api/homes/resolvers/\(file)")
        }
        let resolution = try ConfigurationResolver.resolve(
            file: nil, options: ["schema": ["\(folder.path)/amplify/backend/api/homes/schema.graphql"]],
            environment: [:])
        return try ProjectReading(resolution)
    }

    @Test(
        "of a field for which Amplify makes no resolver leave the field alone, and are told; others run",
        arguments: [
            (["Residence.address.req.vtl", "Residence.address.res.vtl"], "Residence.address"),
            (["Address.firstLine.res.vtl"], "Address.firstLine"), (["Query.echo.req.vtl"], "Query.echo"),
        ])
    func unused(files: [String], field: String) throws {
        let reading = try Self.reading(files)
        let blueprint = try #require(reading.reading.blueprint)
        let fields =
            blueprint.models.flatMap { model in model.fields.map { ("\(model.name).\($0.name)", $0) } }
            + blueprint.types.flatMap { type in type.fields.map { ("\(type.name).\($0.name)", $0) } }
        let found = fields.filter { $0.0 == field }
        #expect(!found.isEmpty && found.allSatisfy { $0.1.resolver == nil })
        #expect(reading.notes.count == 1)
        #expect(
            reading.notes.first?.message
                == "resolvers/\(files[0]) has no effect: Amplify makes no resolver for \(field), and no stack attaches one"
        )
    }

    @Test(
        "of operations, of fields with a directive and of subscriptions count",
        arguments: [
            ["Query.getResidence.req.vtl"], ["Mutation.createResidence.res.vtl"], ["Query.said.res.vtl"],
            ["Subscription.onSaid.req.vtl"], ["Query.listResidences.postAuth.1.req.vtl"],
        ])
    func used(files: [String]) throws {
        let reading = try Self.reading(files)
        #expect(reading.notes.isEmpty)
        let blueprint = try #require(reading.reading.blueprint)
        let handlers =
            blueprint.types.flatMap(\.fields).flatMap { $0.resolver?.handlers ?? [] }
            + blueprint.overriddenOperations.values.joined().flatMap { $0.resolver?.handlers ?? [] }
            + blueprint.handledSubscriptions.flatMap(\.handlers)
        #expect(handlers.contains { $0.entry == "resolvers/\(files[0])" })
    }
}
