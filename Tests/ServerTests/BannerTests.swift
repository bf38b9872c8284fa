import Blueprint
import Testing

@testable import Server

@Suite("Banner")
struct BannerTests {
    private static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) { id: ID! tags: [Tag] @manyToMany(relationName: "PostTags") }
        type Tag @model @auth(rules: [{ allow: public }]) { id: ID! posts: [Post] @manyToMany(relationName: "PostTags") }
        """

    private static func text(
        _ environment: [String: String] = [:], modes: [AuthMode] = [.apiKey, .userPools],
        urls: [String] = ["http://localhost:20002/graphql"], isVerbose: Bool = true
    ) throws -> String {
        var settings = Settings()
        settings.defaultMode = modes[0]
        settings.additionalModes = Array(modes.dropFirst())
        let schema = modes.contains(.apiKey) ? schema : "type Note @model @auth(rules: [{ allow: owner }]) { id: ID! }"
        let blueprint = try #require(SDLReader.read(schema, settings: settings).blueprint)
        let configuration = try ConfigurationResolver.resolve(environment: environment).configuration
        return Banner(
            configuration, blueprint, Banner.Names(), from: "amplify/data/resource.ts", urls: urls, now: 1_800_000_000,
            startMilliseconds: urls.isEmpty ? .infinity : 4.25, watching: .place("amplify/")
        ).text(hasColours: false, isVerbose: isVerbose)
    }

    @Test("it says what a person needs next, and all of it where that is asked for")
    func tells() throws {
        let urls = ["http://localhost:20002/graphql", "https://localhost:20002/graphql"]
        let next = """
            homeport \(Version.number)  started in 4.2 ms
              API       http://localhost:20002/graphql
                        https://localhost:20002/graphql
              Try       curl http://localhost:20002/graphql -H 'x-api-key: da2-fakeApiId123456' -d '{"query": "{ listPosts { items { id } } }"}'
              Watching  amplify/
            """
        #expect(try Self.text(urls: urls, isVerbose: false) == next)
        #expect(
            try Self.text(urls: urls) == next + """

                  API key   da2-fakeApiId123456
                  Modes     API_KEY, AMAZON_COGNITO_USER_POOLS
                  Schema    amplify/data/resource.ts, 2 models
                  Data      .homeport/data.sqlite
                """)
    }

    @Test("the keys of Amplify's mock are shown where requests signed with them are accepted")
    func showsMockCredentials() throws {
        let line = "IAM       ASIAVJKIAM-AuthRole, or ASIAVJKI-UnAuthRole for guests; secret: fake"
        #expect(try Self.text(modes: [.iam, .userPools], urls: []).contains(line))
        #expect(try !Self.text(modes: [.userPools], urls: []).contains("ASIA"))
        let own = #"[{"accessKeyId": "AK", "secretAccessKey": "S", "role": "auth"}]"#
        for environment in [
            ["HOMEPORT_AUTH_IAM_CREDENTIALS": own],
            ["HOMEPORT_ALLOWED_HOSTS": "api.test", "HOMEPORT_AUTH_API_KEYS": "da2-own"],
            ["HOMEPORT_HOST": "0.0.0.0", "HOMEPORT_AUTH_API_KEYS": "da2-own"],
        ] {
            #expect(
                try !Self.text(environment, modes: [.iam, .userPools], urls: []).contains("ASIA"), "\(environment)")
        }
    }

    /// What the configuration and the project say, and why no key is shown.
    static let withoutKey: [(environment: [String: String], modes: [AuthMode])] = [
        (["HOMEPORT_AUTH_API_KEYS": "da2-own"], [.apiKey]),
        (
            ["HOMEPORT_AUTH_API_KEYS": #"[{"key": "da2-fakeApiId123456", "expires": "2020-01-01T00:00:00Z"}]"#],
            [.apiKey]
        ),
        ([:], [.userPools]), ([:], [.userPools, .iam]),
    ]

    @Test("no key is shown that is one's own, has ended, or is of no use to this project", arguments: withoutKey)
    func hidesKeys(environment: [String: String], modes: [AuthMode]) throws {
        let text = try Self.text(environment, modes: modes, urls: [])
        #expect(!text.contains("da2-"))
        #expect(text.contains("Modes     \(modes.map(\.rawValue).joined(separator: ", "))"), "\(text)")
    }
}
