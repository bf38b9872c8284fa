import Foundation
import TestSupport
import Testing

/// `GetCallerIdentity` of STS, signed as SDKs sign it.
@Suite("Who signs, as STS tells it")
struct CallerIdentityTests {
    private static func call(_ action: String, to server: HomeportProcess) -> SignedCall {
        var call = SignedCall(action, "Action=\(action)&Version=2011-06-15", to: server)
        call.hasTarget = false
        call.service = "sts"
        call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
        call.signed = ["content-type", "host", "x-amz-date"]
        return call
    }

    @Test("administrators and identities are told who they are, and nobody else is anybody")
    func callers() throws {
        let server = try HomeportProcess(environment: IdentityClient.environment)
        let own = Self.call("GetCallerIdentity", to: server)
        let administrator = try own.answer(from: server)
        #expect(administrator.status == 200, "\(administrator)")
        for text in [
            "<GetCallerIdentityResult>", "<Arn>arn:aws:iam::123456789012:user/local</Arn>", "<UserId>local</UserId>",
            "<Account>123456789012</Account>", "</GetCallerIdentityResponse>",
        ] {
            #expect(administrator.body.contains(text), "\(administrator)")
        }

        let keys = try IdentityClient(server: server).keys()
        var guest = own
        (guest.accessKeyID, guest.secret) = (keys.accessKeyID, keys.secret)
        guest.others = [("x-amz-security-token", keys.sessionToken ?? "")]
        guest.signed.append("x-amz-security-token")
        let told = try guest.answer(from: server)
        let arn = "<Arn>arn:aws:sts::123456789012:assumed-role/unauthRole/CognitoIdentityCredentials</Arn>"
        #expect(told.status == 200 && told.body.contains(arn), "\(told)")
        #expect(told.body.contains("<UserId>AROA") && told.body.contains(":CognitoIdentityCredentials</UserId>"))

        let refused: [(name: String, code: String, change: (inout SignedCall) -> Void)] = [
            ("no signature", "MissingAuthenticationToken", { $0.isSigned = false }),
            ("another secret", "SignatureDoesNotMatch", { $0.secret = "other" }),
            ("a key that nobody has", "InvalidClientTokenId", { $0.accessKeyID = "AKIDNOBODY" }),
            ("a signature for another service", "SignatureDoesNotMatch", { $0.service = "iam" }),
        ]
        for (name, code, change) in refused {
            var call = own
            change(&call)
            let answer = try call.answer(from: server)
            #expect(answer.status == 403 || name.contains("service"), "\(name): \(answer)")
            if !name.contains("service") { #expect(answer.body.contains("<Code>\(code)</Code>"), "\(name): \(answer)") }
            #expect(!answer.body.contains("<Arn>"), "\(name)")
        }
        let other = try Self.call("GetSessionToken", to: server).answer(from: server)
        #expect(other.status == 400 && other.body.contains("<Code>InvalidAction</Code>"), "\(other)")
        // SDKs send it without a signature, and read the refusal as XML.
        var unsigned = Self.call("AssumeRoleWithSAML", to: server)
        unsigned.isSigned = false
        let unserved = try unsigned.answer(from: server)
        #expect(unserved.status == 403, "\(unserved)")
        #expect(unserved.body.contains("<Code>MissingAuthenticationToken</Code>"), "\(unserved)")
    }

    @Test("where the pool is somebody else's too")
    func elsewhere() throws {
        let server = try HomeportProcess(environment: [
            "HOMEPORT_AUTH_USER_POOLS_ISSUER": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123"
        ])
        let answer = try Self.call("GetCallerIdentity", to: server).answer(from: server)
        #expect(answer.status == 200 && answer.body.contains("user/local"), "\(answer)")
    }
}
