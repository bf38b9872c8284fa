import JSON
import Testing

@testable import Server

@Suite("The table of configuration keys")
struct ConfigurationTableTests {
    @Test("each key, variable and option is there once")
    func isUnambiguous() {
        let keys = ConfigurationKey.all
        #expect(Set(keys.map(\.path)).count == keys.count)
        #expect(Set(keys.map(\.environmentName)).count == keys.count)
        let options = keys.compactMap(\.option)
        #expect(Set(options).count == options.count)
    }

    @Test("no key is the section of another one, but for what is set of all functions")
    func hasNoKeyInKey() {
        for key in ConfigurationKey.all {
            let inner = ConfigurationKey.all.filter { $0.path.hasPrefix(key.path + ".") }.map(\.path)
            #expect(inner == (key.path == "functions" ? ["functions.strict"] : []))
        }
    }

    @Test(
        "a variable's name follows from its key's",
        arguments: [
            ("port", "HOMEPORT_PORT"), ("log.level", "HOMEPORT_LOG_LEVEL"),
            ("auth.userPools.clientIds", "HOMEPORT_AUTH_USER_POOLS_CLIENT_IDS"),
            ("auth.oidc.iatTTL", "HOMEPORT_AUTH_OIDC_IAT_TTL"),
            ("features.secondaryKeyAsGSI", "HOMEPORT_FEATURES_SECONDARY_KEY_AS_GSI"),
            ("limits.webSocketMessageBytes", "HOMEPORT_LIMITS_WEB_SOCKET_MESSAGE_BYTES"),
        ])
    func namesVariables(path: String, name: String) {
        #expect(ConfigurationKey.named(path)?.environmentName == name)
    }

    @Test("each default is a value of its kind", arguments: ConfigurationKey.all.map(\.path))
    func hasGoodDefaults(path: String) throws {
        let key = try #require(ConfigurationKey.named(path))
        guard !key.defaultValue.isNull else { return }
        var check = ConfigurationCheck(.variable("default"))
        #expect(check.check(key.defaultValue, key.kind, at: JSONPath()) != nil, "\(check.problems)")
    }

    @Test("the reference is what the table says")
    func isDocumented() {
        RepositoryFile.expect("docs/configuration.md", toBe: ConfigurationReference.markdown())
    }

    @Test("the examples are good, and the full one has every key", arguments: ["minimal", "full"])
    func hasGoodExamples(name: String) throws {
        let file = RepositoryFile.path("config/\(name).json")
        let resolution = try ConfigurationResolver.resolve(file: file)
        #expect(resolution.warnings.isEmpty)
        guard name == "full" else { return }
        let missing = resolution.settings.filter { $0.origin == .standard }.map(\.key.path)
        #expect(missing.isEmpty)
    }
}
