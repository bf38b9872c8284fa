import JSON
import Testing

@testable import Blueprint

@Suite("Settings")
struct SettingsTests {
    private func settings(_ text: String, others: Set<String> = []) throws -> Settings {
        let file = try JSONReader.value(of: text)
        var settings = Settings()
        try settings.apply(auth: file["auth"], features: file["features"], others: others)
        return settings
    }

    @Test("are read from the configuration")
    func areRead() throws {
        let read = try settings(
            """
            {
              "auth": {"default": "AMAZON_COGNITO_USER_POOLS", "additional": ["API_KEY", "AWS_IAM", "API_KEY"]},
              "features": {
                "enableIamAccess": true, "secondaryKeyAsGSI": false, "transformerVersion": 1,
                "conflictDetection": "AUTOMERGE", "listSemantics": "filled",
                "conflictDetectionModels": {"Post": "OPTIMISTIC_CONCURRENCY", "Task": {"lambda": "http://127.0.0.1:9002/"}}
              }
            }
            """, others: ["listSemantics"])
        #expect(read.modes == [.userPools, .apiKey, .iam])
        #expect(read.enableIamAccess)
        #expect(!read.secondaryKeyAsGSI)
        #expect(read.transformerVersion == 1)
        #expect(read.conflictStrategy == .automerge)
        #expect(
            read.conflictStrategies == [
                "Post": .optimisticConcurrency, "Task": .lambda(url: "http://127.0.0.1:9002/"),
            ])
    }

    @Test(
        "that make no sense are refused with the place and what was expected",
        arguments: [
            (#"{"auth": 3}"#, "auth: expected an object, found an integer"),
            (
                #"{"auth": {"default": "API_KEYS"}}"#,
                #"auth.default: there is no mode "API_KEYS". Did you mean "API_KEY"?"#
            ),
            (#"{"auth": {"additional": ["API_KEY", 1]}}"#, "auth.additional[1]: expected a string, found an integer"),
            (
                #"{"features": {"enableIamAccess": "yes"}}"#,
                "features.enableIamAccess: expected true or false, found a string"
            ),
            (
                #"{"features": {"enableIAMAcces": true}}"#,
                #"features.enableIAMAcces: there is no feature "enableIAMAcces". Did you mean "enableIamAccess"?"#
            ),
            (#"{"features": {"transformerVersion": 3}}"#, "features.transformerVersion: expected 1 or 2"),
            (
                #"{"features": {"conflictDetectionModels": {"A": "MERGE"}}}"#,
                #"features.conflictDetectionModels.A: expected null, "AUTOMERGE", "OPTIMISTIC_CONCURRENCY" or {"lambda": URL}"#
            ),
        ])
    func areRefused(text: String, message: String) throws {
        let error = #expect(throws: SettingsError.self) { try settings(text) }
        #expect(error?.description == message)
    }

    @Test("of a Gen 1 project are those of old projects, where its cli.json says nothing")
    func areReadFromCLI() throws {
        let bare = try Settings(gen1: try JSONReader.value(of: #"{"features": {}}"#))
        #expect(bare.transformerVersion == 1)
        #expect(!bare.enableAutoIndexQueryNames)
        #expect(!bare.secondaryKeyAsGSI)
        let file = """
            {"features": {"graphqltransformer": {
              "transformerversion": 2, "enableautoindexquerynames": true, "secondaryKeyAsGSI": true,
              "addmissingownerfields": true, "sanitychecks": "whatever"
            }}}
            """
        let read = try Settings(gen1: try JSONReader.value(of: file))
        #expect(read.transformerVersion == 2)
        #expect(read.enableAutoIndexQueryNames)
        #expect(read.secondaryKeyAsGSI)
        #expect(!read.respectPrimaryKeyAttributesOnConnectionField)
    }

    @Test("of conflict detection are read from a Gen 1 project's transform.conf.json")
    func areReadFromResolverConfiguration() throws {
        let file = """
            {"ResolverConfig": {
              "project": {"ConflictDetection": "VERSION", "ConflictHandler": "AUTOMERGE"},
              "models": {
                "Note": {"ConflictDetection": "VERSION", "ConflictHandler": "OPTIMISTIC_CONCURRENCY"},
                "Task": {"ConflictHandler": "AUTOMERGE"}
              }
            }}
            """
        var settings = Settings()
        settings.apply(resolverConfiguration: try JSONReader.value(of: file))
        #expect(settings.conflictStrategy == .automerge)
        #expect(settings.conflictStrategies == ["Note": .optimisticConcurrency])
        #expect(settings.isSynced)
    }
}
