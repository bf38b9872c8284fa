import Testing

@testable import Server

@Suite("Banner")
struct BannerTests {
    @Test("it says what a person needs to begin")
    func tells() throws {
        let configuration = try ConfigurationResolver.resolve().configuration
        let banner = Banner(configuration, urls: ["http://localhost:20002/graphql"], startMilliseconds: 4.25)
        #expect(
            banner.text(hasColours: false) == """
                homeport \(Version.number)  started in 4.2 ms
                  API      http://localhost:20002/graphql
                  API key  da2-fakeApiId123456
                  Data     .homeport/data.sqlite
                """)
        #expect(banner.text(hasColours: true).contains("\u{1B}[1mhomeport"))
    }

    @Test(
        "a key of one's own is not shown",
        arguments: [
            ["HOMEPORT_AUTH_API_KEYS": "[{\"key\":\"da2-own\"}]"], ["HOMEPORT_AUTH_DEFAULT": "AWS_IAM"],
        ])
    func hidesKeys(environment: [String: String]) throws {
        let configuration = try ConfigurationResolver.resolve(environment: environment).configuration
        let text = Banner(configuration, urls: [], startMilliseconds: .infinity).text(hasColours: false)
        #expect(!text.contains("da2-"))
    }
}
