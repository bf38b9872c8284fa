import JSON
import TestSupport
import Testing
import UserPool

@testable import Server

@Suite("Settings of providers")
struct ProviderSettingTests {
    private static func provider(
        _ text: String, _ schema: AttributeSchema = AttributeSchema(), isForThisMachineOnly: Bool = true
    ) throws -> IdentityProvider {
        let setting = try #require(ProviderSetting(configured: try JSONReader.value(of: text)))
        return try setting.provider(at: "here", schema, isForThisMachineOnly: isForThisMachineOnly)
    }

    @Test("come to the provider as it is known by name, and with what is usual for it")
    func usual() throws {
        let google = try Self.provider(#"{"kind": "google", "clientId": "c", "clientSecret": "s"}"#)
        #expect(google.name == "Google" && google.issuer == "https://accounts.google.com" && !google.isStandIn)
        #expect(google.scopes == ["openid", "email", "profile"] && google.proof == .secret("s"))
        #expect(google.mapping.first == IdentityProvider.Mapping(attribute: "email", claim: "email"))
        for (kind, name) in [
            ("google", "Google"), ("apple", "SignInWithApple"), ("facebook", "Facebook"), ("amazon", "LoginWithAmazon"),
        ] {
            let standIn = try Self.provider(#"{"kind": "\#(kind)"}"#)
            #expect(standIn.name == name && standIn.isStandIn && standIn.issuer.hasSuffix(".invalid"))
        }
        #expect(try Self.provider(#"{"kind": "google", "clientId": "c", "standIn": true}"#).isStandIn)
    }

    @Test("take secrets from files of their own")
    func files() throws {
        let folder = TemporaryFolder()
        try folder.write("the secret\n", to: "secret.txt")
        try folder.write("\n", to: "empty.txt")
        try folder.write("no key", to: "key.p8")
        func oidc(_ rest: String) throws -> IdentityProvider {
            try Self.provider(
                #"{"kind": "oidc", "name": "Login", "issuer": "https://x", "clientId": "c", \#(rest)}"#)
        }
        #expect(try oidc(#""clientSecretFile": "\#(folder.path)/secret.txt""#).proof == .secret("the secret"))
        for (rest, message) in [
            (#""clientSecretFile": "\#(folder.path)/empty.txt""#, "is empty"),
            (#""clientSecretFile": "\#(folder.path)/none.txt""#, "cannot be read"),
            (#""clientSecretFile": "\#(folder.path)/secret.txt", "clientSecret": "s""#, "both"),
            (#""privateKeyFile": "\#(folder.path)/key.p8""#, "teamId and keyId"),
            (#""privateKeyFile": "\#(folder.path)/key.p8", "teamId": "t", "keyId": "k""#, "holds no private key"),
            (#""tokenUrl": "https://x/token""#, "are set together"), (#""scopes": ["email"]"#, "need openid"),
            (#""attributes": {"custom:team": "team"}"#, "custom:team"), (#""attributes": {"email": ""}"#, "email"),
            (#""attributes": {"identities": "x"}"#, "identities"),
        ] {
            do {
                _ = try oidc(rest)
                Issue.record("\(rest) was taken")
            } catch let fault as ProviderSetting.Fault {
                #expect(fault.message.hasPrefix("here: ") && fault.message.contains(message), "\(fault.message)")
                #expect(!fault.message.contains("the secret"))
            }
        }
    }

    @Test("map claims to attributes that users have")
    func attributes() throws {
        var schema = AttributeSchema()
        schema.custom["team"] = AttributeSchema.Custom()
        let provider = try Self.provider(
            #"{"kind": "google", "attributes": {"custom:team": "hd", "email_verified": "email_verified"}}"#, schema)
        #expect(provider.mapping.map(\.claim).sorted() == ["email_verified", "hd"])
    }

    @Test("make no stand-in for others than this machine")
    func standIns() {
        for text in [#"{"kind": "google"}"#, #"{"kind": "google", "clientId": "c", "standIn": true}"#] {
            #expect(throws: ProviderSetting.Fault.self) { try Self.provider(text, isForThisMachineOnly: false) }
        }
    }
}
