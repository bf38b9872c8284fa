import Crypto
import JSON
import Testing

/// What callers show: a wrong token is refused whatever the server does, and a case that expects so would pass.
@Suite("Conformance: callers")
struct IdentityTests {
    private func token(_ fields: JSONValue, isOfUserPool: Bool = true) throws -> String {
        try TokenIdentity(CaseFields(fields, "an identity"), isOfUserPool: isOfUserPool).token(now: 1_000_000)
    }

    private func claims(_ token: String) throws -> JSONValue {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        return try JSONReader.value(of: #require(Base64.bytes(of: parts[1].utf8)))
    }

    private func isSigned(_ token: String) throws -> Bool {
        let parts = token.split(separator: ".").map(String.init)
        let key = try #require(TokenIdentity.signer.keySet["keys"]?[0])
        let numbers = ["n", "e"].map { Base64.bytes(of: (key[$0]?.string ?? "").utf8) ?? [] }
        let publicKey = try #require(PublicKey(rsaModulus: numbers[0], exponent: numbers[1], bits: 2048...2048))
        let signature = try #require(Base64.bytes(of: parts[2].utf8))
        return publicKey.verifies(signature, of: Array(parts[..<2].joined(separator: ".").utf8), by: .rs256)
    }

    @Test("an ID token has its claims, and those of the case over them")
    func identityToken() throws {
        let token = try token([
            "type": "userPool", "username": "amy", "sub": "s1", "groups": ["G"], "claims": ["x": 1, "jti": nil],
        ])
        let expected: JSONValue = [
            "sub": "s1", "iss": .string(TokenIdentity.poolIssuer), "iat": 1_000_000, "auth_time": 1_000_000,
            "exp": 1_003_600, "event_id": "00000000-0000-4000-8000-000000000000", "cognito:groups": ["G"],
            "token_use": "id", "cognito:username": "amy", "aud": "conformanceclient01", "email": "amy@example.test",
            "email_verified": true, "x": 1,
        ]
        #expect(try claims(token) == expected)
        #expect(try isSigned(token))
    }

    @Test("an access token names its client and no audience")
    func accessToken() throws {
        let claims = try claims(token(["type": "userPool", "username": "amy", "token": "access"]))
        #expect(claims["client_id"] == "conformanceclient01")
        #expect(claims["username"] == "amy")
        #expect(claims["aud"] == nil)
    }

    @Test("a token that has expired was issued before that")
    func expiredToken() throws {
        let claims = try claims(token(["type": "oidc", "sub": "s", "expiresIn": -300], isOfUserPool: false))
        #expect(claims["exp"] == 999_700)
        #expect(claims["iat"] == 999_640)
    }

    @Test("a spoiled signature is none")
    func spoiledToken() throws {
        #expect(try !isSigned(token(["type": "oidc", "sub": "s", "signature": "bad"], isOfUserPool: false)))
    }

    @Test("a signature is that of AWS's published example")
    func signature() {
        let signer = SigningIdentity(
            accessKeyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        let fields = signer.signedFields(
            of: .init(
                method: "GET", host: "example.amazonaws.com", path: "/", fields: [], body: [], service: "service",
                time: "20150830T123600Z"))
        #expect(
            fields.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, "
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }
}
