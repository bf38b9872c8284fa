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
                #"{"features": {"useSubUsernameForDefaultIdentityClaim": true, "transformerVersion": 1}}"#,
                "features.useSubUsernameForDefaultIdentityClaim: version 1 of the transformer knows owners by their user names alone"
            ),
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
        #expect(bare == Settings(silentProjectOfVersion: 1))
        #expect(bare.transformerVersion == 1)
        #expect(!bare.enableAutoIndexQueryNames)
        #expect(!bare.secondaryKeyAsGSI)
        let file = """
            {"features": {"graphqltransformer": {
              "useexperimentalpipelinedtransformer": true, "transformerversion": 2, "enableautoindexquerynames": true,
              "secondaryKeyAsGSI": true, "addmissingownerfields": true, "sanitychecks": "whatever"
            }}}
            """
        let read = try Settings(gen1: try JSONReader.value(of: file))
        #expect(read.transformerVersion == 2)
        #expect(read.enableAutoIndexQueryNames)
        #expect(read.secondaryKeyAsGSI)
        #expect(!read.respectPrimaryKeyAttributesOnConnectionField)
        #expect(read.useSubUsernameForDefaultIdentityClaim)
        #expect(!read.populateOwnerFieldForStaticGroupAuth)
    }

    @Test(
        "of a Gen 1 project have the version that Amplify's own tool takes for it",
        arguments: [
            ("", 1), (#""transformerversion": 2"#, 1),
            (#""transformerversion": 2, "useexperimentalpipelinedtransformer": false"#, 1),
            (#""useExperimentalPipelinedTransformer": true"#, 2),
            (#""useexperimentalpipelinedtransformer": true, "transformerversion": 1"#, 2),
            (#""useexperimentalpipelinedtransformer": true, "TransformerVersion": 2"#, 2),
        ])
    func haveAVersion(switches: String, version: Int) throws {
        let file = try JSONReader.value(of: "{\"features\": {\"graphqltransformer\": {\(switches)}}}")
        #expect(try Settings(gen1: file).transformerVersion == version)
        for other in [1, 2] { #expect(try Settings(gen1: file, version: other).transformerVersion == other) }
    }

    @Test(
        "of a Gen 1 project that make no sense are refused with their place",
        arguments: [
            (
                #"{"features": {"graphqltransformer": 2}}"#,
                "features.graphqltransformer: expected an object, found an integer"
            ),
            (
                #"{"features": {"graphqltransformer": {"useExperimentalPipelinedTransformer": "yes"}}}"#,
                "features.graphqltransformer.useExperimentalPipelinedTransformer: expected true or false, found a string"
            ),
            (
                #"{"features": {"graphqltransformer": {"useexperimentalpipelinedtransformer": true, "transformerversion": 3}}}"#,
                "features.graphqltransformer.transformerversion: expected 1 or 2"
            ),
        ])
    func ofAProjectAreRefused(file: String, message: String) throws {
        let value = try JSONReader.value(of: file)
        let error = #expect(throws: SettingsError.self) { try Settings(gen1: value) }
        #expect(error?.description == message)
    }

    @Test("of a version 1 project are its own switches alone, whatever others its cli.json has")
    func areThoseOfVersion1() throws {
        let file = """
            {"features": {"graphqltransformer": {
              "transformerversion": 2, "usesubusernamefordefaultidentityclaim": true, "enableautoindexquerynames": true,
              "shouldDeepMergeDirectiveConfigDefaults": true, "respectprimarykeyattributesonconnectionfield": true,
              "populateownerfieldforstaticgroupauth": false, "improvepluralization": true, "addmissingownerfields": true,
              "skipoverridemutationinputtypes": true, "secondarykeyasgsi": true, "validatetypenamereservedwords": false
            }}}
            """
        var expected = Settings(silentProjectOfVersion: 1)
        expected.improvePluralization = true
        expected.addMissingOwnerFields = true
        expected.skipOverrideMutationInputTypes = true
        expected.secondaryKeyAsGSI = true
        expected.validateTypeNameReservedWords = false
        #expect(try Settings(gen1: try JSONReader.value(of: file)) == expected)
    }

    @Test("with version 1 in the configuration alone are those of a silent project of version 1")
    func areThoseOfASilentProject() throws {
        let read = try settings(#"{"features": {"transformerVersion": 1}}"#)
        #expect(read == Settings(silentProjectOfVersion: 1))
        #expect(read.defaultIdentityClaim == "username")
        #expect(!read.shouldDeepMergeDirectiveConfigDefaults)
        // What is written beside it counts, before and after it.
        let more = try settings(
            #"{"features": {"secondaryKeyAsGSI": true, "transformerVersion": 1, "enableIamAccess": true}}"#)
        #expect(more.secondaryKeyAsGSI && more.enableIamAccess && !more.shouldDeepMergeDirectiveConfigDefaults)
        var back = read
        try back.apply(auth: nil, features: try JSONReader.value(of: #"{"transformerVersion": 2}"#))
        #expect(back == Settings())
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
