import Foundation
import TestSupport
import Testing

/// Who administers the user pool, asked over real connections.
@Suite("Signatures of administrators")
struct AdministratorSignatureTests {
    private static let administrators = """
        {"auth": {"iam": {"credentials": [
            {"accessKeyId": "AKIDADMIN", "secretAccessKey": "admin/secret", "role": "admin"},
            {"accessKeyId": "AKIDUSER", "secretAccessKey": "user/secret", "role": "auth", "identityId": "us-east-1:1"}
        ]}}}
        """

    private func server(_ configuration: String? = nil, _ arguments: [String] = []) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        if let configuration { try folder.write(configuration, to: "homeport.json") }
        return try HomeportProcess(
            arguments + (configuration == nil ? [] : ["--config", "homeport.json"]), in: folder)
    }

    /// What the pool is called.
    private func pool(of server: HomeportProcess) throws -> String {
        let text = try String(contentsOfFile: server.folder.path + "/.homeport/sign-in.json", encoding: .utf8)
        return try String(#require(text.firstMatch(of: /"userPoolId":"([^"]+)"/)).1)
    }

    private func call(_ server: HomeportProcess) throws -> SignedCall {
        SignedCall("AdminGetUser", #"{"UserPoolId":"\#(try pool(of: server))","Username":"nobody"}"#, to: server)
    }

    /// What an administrator learns of a user who is not there: nobody else may.
    private static let known = "UserNotFoundException"

    @Test("a good signature is taken, and any other refused, as the service words it")
    func signatures() throws {
        let server = try server()
        let now = Date()
        let cases: [(name: String, type: String, change: (inout SignedCall) -> Void)] = [
            ("as it is", Self.known, { _ in }),
            ("another path", Self.known, { $0.path = "/a/path" }),
            (
                "the type not signed, by an SDK that never does", Self.known,
                {
                    $0.signed = ["host", "x-amz-date", "x-amz-target"]
                    $0.others = [("user-agent", "aws-sdk-nodejs/2.1692.0 linux/v20.11.0 promise")]
                }
            ),
            (
                "another type not signed, by such an SDK", "IncompleteSignatureException",
                {
                    $0.signed = ["host", "x-amz-date", "x-amz-target"]
                    $0.others = [("user-agent", "aws-sdk-nodejs/2.1692.0 linux/v20.11.0 promise")]
                    $0.contentType = "text/plain"
                }
            ),
            (
                "the type not signed", "IncompleteSignatureException",
                {
                    $0.signed = ["host", "x-amz-date", "x-amz-target"]
                }
            ),
            ("fourteen minutes ago", Self.known, { $0.date = SignedCall.text(of: now - 14 * 60) }),
            ("fourteen minutes ahead", Self.known, { $0.date = SignedCall.text(of: now + 14 * 60) }),
            ("no signature", "MissingAuthenticationTokenException", { $0.isSigned = false }),
            ("a wrong secret", "InvalidSignatureException", { $0.secret = "locam" }),
            ("an unknown key", "UnrecognizedClientException", { $0.accessKeyID = "remote" }),
            (
                "the keys of Amplify's mock", "UnrecognizedClientException",
                {
                    $0.accessKeyID = "ASIAVJKIAM-AuthRole"
                    $0.secret = "fake"
                }
            ),
            ("another service", "InvalidSignatureException", { $0.service = "cognito-identity" }),
            ("the service of the API", "InvalidSignatureException", { $0.service = "appsync" }),
            ("another region", "InvalidSignatureException", { $0.region = "eu-west-1" }),
            ("another day", "InvalidSignatureException", { $0.day = "20260101" }),
            ("a year for a day", "InvalidSignatureException", { $0.day = String($0.date.prefix(4)) }),
            ("sixteen minutes ago", "InvalidSignatureException", { $0.date = SignedCall.text(of: now - 16 * 60) }),
            ("sixteen minutes ahead", "InvalidSignatureException", { $0.date = SignedCall.text(of: now + 17 * 60) }),
            (
                "the target not signed", "IncompleteSignatureException",
                {
                    $0.signed = ["content-type", "host", "x-amz-date"]
                }
            ),
            (
                "the host not signed", "IncompleteSignatureException",
                {
                    $0.signed = ["content-type", "x-amz-date", "x-amz-target"]
                }
            ),
            (
                "the date not signed", "IncompleteSignatureException",
                {
                    $0.signed = ["content-type", "host", "x-amz-target"]
                }
            ),
            ("the body not signed", "InvalidSignatureException", { $0.payload = "UNSIGNED-PAYLOAD" }),
            (
                "the body said to be unsigned", "InvalidSignatureException",
                {
                    $0.payload = "UNSIGNED-PAYLOAD"
                    $0.others = [("x-amz-content-sha256", "UNSIGNED-PAYLOAD")]
                    $0.signed.append("x-amz-content-sha256")
                }
            ),
            (
                "a session token", "UnrecognizedClientException",
                {
                    $0.others = [("x-amz-security-token", "token")]
                    $0.signed.append("x-amz-security-token")
                }
            ),
            (
                "a name of the server that is none of this machine", "UnrecognizedClientException",
                {
                    $0.others = [("x-forwarded-for", "192.0.2.1")]
                }
            ),
        ]
        for (name, type, change) in cases {
            var call = try call(server)
            change(&call)
            let answer = try call.answer(from: server)
            #expect(answer.status == 400, "\(name)")
            #expect(answer.body.contains(#""__type":"\#(type)""#), "\(name): \(answer.body)")
            #expect(answer.head.contains("x-amzn-errortype: \(type):"), "\(name)")
        }
    }

    @Test("what was signed is what is sent")
    func changed() throws {
        let server = try server()
        let cases: [(name: String, change: (inout SignedCall) -> Void)] = [
            ("body", { $0.body = $0.body.replacing("nobody", with: "somebody") }),
            ("host", { $0.host = "localhost:\(server.port)" }),
            ("host without port", { $0.host = "127.0.0.1" }),
            ("target", { $0.operation = "AdminDeleteUser" }),
            ("type", { $0.contentType = "application/json" }),
            ("path", { $0.path = "/other" }),
            (
                "another target beside it",
                {
                    $0.others = [("x-amz-target", "AWSCognitoIdentityProviderService.AdminDeleteUser")]
                }
            ),
            (
                "the same target twice",
                {
                    $0.others = [("x-amz-target", "AWSCognitoIdentityProviderService.AdminGetUser")]
                }
            ),
            ("another type beside it", { $0.others = [("content-type", "text/plain")] }),
        ]
        for (name, change) in cases {
            let answer = try call(server).answer(from: server, sent: change)
            #expect(answer.status == 400, "\(name)")
            #expect(
                answer.body.contains(#""__type":"InvalidSignatureException""#)
                    || answer.body.contains(#""__type":"IncompleteSignatureException""#), "\(name): \(answer.body)")
        }
    }

    @Test("nothing of a request that nobody has signed is looked at")
    func unsigned() throws {
        let server = try server()
        for body in ["", "{}", "[]", #"{"UserPoolId":"us-east-1_other","Username":"nobody"}"#, try call(server).body] {
            var call = try call(server)
            call.body = body
            call.isSigned = false
            let answer = try call.answer(from: server)
            #expect(
                answer.body
                    == #"{"__type":"MissingAuthenticationTokenException","message":"Missing Authentication Token"}"#)
        }
    }

    @Test("the keys that everybody knows count where nobody has configured an administrator, and on this machine only")
    func development() throws {
        let configured = try server(Self.administrators)
        #expect(try call(configured).answer(from: configured).body.contains("UnrecognizedClientException"))
        var own = try call(configured)
        (own.accessKeyID, own.secret) = ("AKIDADMIN", "admin/secret")
        #expect(try own.answer(from: configured).body.contains(Self.known))
        (own.accessKeyID, own.secret) = ("AKIDUSER", "user/secret")
        let denied = try own.answer(from: configured)
        #expect(denied.status == 400)
        #expect(denied.body.contains(#""__type":"AccessDeniedException""#), "\(denied.body)")
        #expect(denied.body.contains("is not authorized to perform: cognito-idp:AdminGetUser"))

        // Others can reach these, so they need a key of their own for the API.
        let key = #""auth": {"apiKeys": [{"key": "da2-abcdefghijklmnopqrstuvwxyz"}]}"#
        let everywhere = try server("{\(key)}", ["--host", "0.0.0.0"])
        #expect(try call(everywhere).answer(from: everywhere).body.contains("UnrecognizedClientException"))
        let named = try server(#"{"allowedHosts": ["api.example.com"], \#(key)}"#)
        #expect(try call(named).answer(from: named).body.contains("UnrecognizedClientException"))
    }
}
