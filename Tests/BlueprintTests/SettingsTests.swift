import JSON
import Testing

@testable import Blueprint

@Suite("Settings")
struct SettingsTests {
    @Test("have the modes of an API, each once")
    func haveModes() throws {
        var settings = Settings()
        let auth = #"{"default": "AMAZON_COGNITO_USER_POOLS", "additional": ["API_KEY", "AWS_IAM", "API_KEY"]}"#
        try settings.apply(auth: try JSONReader.value(of: auth))
        #expect(settings.modes == [.userPools, .apiKey, .iam])
    }

    @Test(
        "have no modes that there are not",
        arguments: [
            ("3", "auth: expected an object, found an integer"),
            (#"{"default": "API_KEYS"}"#, #"auth.default: there is no mode "API_KEYS". Did you mean "API_KEY"?"#),
            (#"{"additional": ["API_KEY", 1]}"#, "auth.additional[1]: expected a string, found an integer"),
        ])
    func areRefused(auth: String, message: String) throws {
        let value = try JSONReader.value(of: auth)
        let error = #expect(throws: SettingsError.self) {
            var settings = Settings()
            try settings.apply(auth: value)
        }
        #expect(error?.description == message)
    }

    @Test("with version 1 know owners by their user names alone")
    func knowOwners() {
        var settings = Settings()
        #expect(throws: Never.self) { try settings.checkOwners() }
        settings.usedVersion = 1
        #expect(throws: Never.self) { try settings.checkOwners() }
        settings.useSubUsernameForDefaultIdentityClaim = true
        let error = #expect(throws: SettingsError.self) { try settings.checkOwners() }
        #expect(
            error?.description
                == "features.useSubUsernameForDefaultIdentityClaim: version 1 of the transformer knows owners by their user names alone"
        )
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

    @Test("with another version are those of a project of it that says nothing")
    func areThoseOfASilentProject() {
        var settings = Settings()
        settings.secondaryKeyAsGSI = true
        settings.usedVersion = 1
        #expect(settings == Settings(silentProjectOfVersion: 1))
        #expect(settings.defaultIdentityClaim == "username")
        #expect(!settings.shouldDeepMergeDirectiveConfigDefaults)
        settings.enableIamAccess = true
        settings.usedVersion = 1
        #expect(settings.enableIamAccess, "the same version changes nothing")
        settings.usedVersion = 2
        #expect(settings == Settings())
    }

    @Test("of conflict detection are read from a Gen 1 project's transform.conf.json")
    func areReadFromResolverConfiguration() throws {
        let file = """
            {"ResolverConfig": {
              "project": {"ConflictDetection": "VERSION", "ConflictHandler": "AUTOMERGE"},
              "models": {
                "Note": {"ConflictDetection": "VERSION", "ConflictHandler": "OPTIMISTIC_CONCURRENCY"},
                "Task": {"ConflictHandler": "AUTOMERGE"},
                "Post": {"ConflictDetection": "VERSION", "ConflictHandler": "LAMBDA",
                  "LambdaConflictHandler": {"name": "decide-${env}", "new": true}}
              }
            }}
            """
        var settings = Settings()
        settings.apply(resolverConfiguration: try JSONReader.value(of: file))
        #expect(settings.conflictStrategy == .automerge)
        #expect(settings.conflictStrategies == ["Note": .optimisticConcurrency, "Post": .lambda(url: "decide")])
        #expect(settings.isSynced)
    }
}
