import JSON
import Testing

@testable import Access

@Suite("What functions are told of the caller")
struct PayloadTests {
    private func payload(_ identity: Identity) -> JSONValue { identity.payload(sourceAddresses: ["127.0.0.1"]) }

    @Test("has the members of its mode")
    func members() {
        #expect(payload(.apiKey) == .null)
        #expect(
            payload(Callers.alice).object?.keys
                == ["sub", "issuer", "username", "claims", "sourceIp", "defaultAuthStrategy", "groups"])
        #expect(payload(Callers.alice)["username"] == "alice")
        #expect(payload(Callers.alice)["groups"] == ["Admin"])
        #expect(payload(Callers.carol)["groups"] == .null)
        #expect(payload(Callers.alice)["sourceIp"] == ["127.0.0.1"])
        #expect(payload(Callers.ann).object?.keys == ["sub", "issuer", "claims"])
        #expect(payload(Callers.guest)["cognitoIdentityAuthType"] == "unauthenticated")
        #expect(
            payload(Callers.signedIn)["userArn"]
                == "arn:aws:sts::123456789012:assumed-role/authRole/CognitoIdentityCredentials")
        #expect(payload(Callers.administrator)["cognitoIdentityId"] == .null)
        let given = IAMPrincipal(
            role: .authenticated, accessKeyID: "ASIAK", identityID: "us-east-1:i", identityPoolID: "us-east-1:p",
            username: "AROAR:CognitoIdentityCredentials", authProvider: "\"p\",\"p:CognitoSignIn:s\"")
        #expect(
            payload(.iam(given, expires: 1)) == [
                "accountId": "123456789012", "cognitoIdentityPoolId": "us-east-1:p",
                "cognitoIdentityId": "us-east-1:i", "sourceIp": ["127.0.0.1"],
                "username": "AROAR:CognitoIdentityCredentials",
                "userArn": "arn:aws:sts::123456789012:assumed-role/authRole/CognitoIdentityCredentials",
                "cognitoIdentityAuthType": "authenticated",
                "cognitoIdentityAuthProvider": "\"p\",\"p:CognitoSignIn:s\"",
            ])
        let context = JSONObject([("tenant", "t")])
        #expect(
            payload(.lambda(resolverContext: context, deniedFields: []))
                == .object(JSONObject([("resolverContext", .object(context))])))
    }
}
