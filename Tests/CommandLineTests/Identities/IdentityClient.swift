import CSQLite
import Crypto
import Foundation
import JSON
import TestSupport

/// A client of a server's user pool and identity pool, which signs its queries with the keys that it is given.
struct IdentityClient {
    static let region = "us-east-1"
    static let userPoolID = "us-east-1_abcDEF123"
    static let identityPoolID = "us-east-1:11111111-2222-4333-8444-555555555555"
    static let clientID = "client"
    static let provider = "cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123"

    /// What a server needs to be called so.
    static let environment = [
        "HOMEPORT_AUTH_POOL_USER_POOL_ID": userPoolID, "HOMEPORT_AUTH_POOL_IDENTITY_POOL_ID": identityPoolID,
        "HOMEPORT_AUTH_POOL_CLIENTS": #"[{"id":"client"}]"#,
    ]

    let server: HomeportProcess

    /// Access keys of an identity.
    struct Keys {
        let identity: String
        let accessKeyID: String
        var secret: String
        var sessionToken: String?
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The head and the members of an answer.
    func call(
        _ operation: String, _ members: JSONValue, fields: [String] = []
    ) throws -> (head: AnswerHead, members: JSONValue) {
        let service =
            ["GetId", "GetCredentialsForIdentity", "GetOpenIdToken", "UnlinkIdentity"].contains(operation)
            ? "AWSCognitoIdentityService" : "AWSCognitoIdentityProviderService"
        let body = String(decoding: JSONWriter.bytes(of: members), as: UTF8.self)
        let answer = try send(
            "POST /", ["X-Amz-Target: \(service).\(operation)", "Content-Type: application/x-amz-json-1.1"] + fields,
            body)
        return (answer.head, try JSONReader.value(of: answer.body.isEmpty ? "{}" : answer.body))
    }

    func send(
        _ line: String, _ fields: [String], _ body: String = "", host: String = "localhost"
    ) throws -> (head: AnswerHead, body: String) {
        let client = try RawClient(port: server.port)
        let all = ["Host: \(host)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
        try client.send("\(line) HTTP/1.1\r\n\(all.map { "\($0)\r\n" }.joined())\r\n\(body)")
        let parts = try client.readToEnd().components(separatedBy: "\r\n\r\n")
        return (try AnswerHead(parts[0]), parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    // MARK: Identities

    /// New keys: of a new guest, or of the user of an ID token.
    func keys(idToken: String? = nil) throws -> Keys {
        var logins = JSONObject()
        if let idToken { logins.set(Self.provider, to: .string(idToken)) }
        let id = try call(
            "GetId", ["IdentityPoolId": .string(Self.identityPoolID), "Logins": .object(logins)]
        ).members["IdentityId"]
        let answer = try call(
            "GetCredentialsForIdentity", ["IdentityId": id ?? .null, "Logins": .object(logins)]
        ).members
        guard let identity = answer["IdentityId"]?.string, let key = answer["Credentials"]?["AccessKeyId"]?.string,
            let secret = answer["Credentials"]?["SecretKey"]?.string
        else { throw Failure(description: "\(answer)") }
        return Keys(
            identity: identity, accessKeyID: key, secret: secret,
            sessionToken: answer["Credentials"]?["SessionToken"]?.string)
    }

    /// The ID token of a new user.
    ///
    /// - Parameter email: nil: one of that name.
    func idToken(of name: String, email: String? = nil) throws -> String {
        let password = "Str0ng!Passw0rd"
        _ = try call(
            "SignUp",
            [
                "ClientId": .string(Self.clientID), "Username": .string(name), "Password": .string(password),
                "UserAttributes": [["Name": "email", "Value": .string(email ?? "\(name)@example.com")]],
            ])
        _ = try call(
            "ConfirmSignUp",
            [
                "ClientId": .string(Self.clientID), "Username": .string(name),
                "ConfirmationCode": .string(try lastCode()),
            ])
        let answer = try call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(Self.clientID),
                "AuthParameters": ["USERNAME": .string(name), "PASSWORD": .string(password)],
            ]
        ).members
        guard let token = answer["AuthenticationResult"]?["IdToken"]?.string else {
            throw Failure(description: "\(answer)")
        }
        return token
    }

    /// The code that was sent last, from the server's database.
    func lastCode() throws -> String {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let path = server.folder.path + "/.homeport/data.sqlite"
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_prepare_v2(
                database, "SELECT code FROM _homeport_messages ORDER BY number DESC LIMIT 1", -1, &statement, nil)
                == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { throw Failure(description: "no code was sent") }
        return String(cString: text)
    }

    // MARK: Signed queries

    /// The answer to a query that is signed with keys, by Signature Version 4.
    func answer(to query: String, signedWith keys: Keys) throws -> (head: AnswerHead, body: String) {
        try answer(
            to: String(decoding: JSONWriter.bytes(of: ["query": .string(query)]), as: UTF8.self), at: "/graphql",
            of: "appsync", signedWith: keys)
    }

    /// The same of any service.
    func answer(
        to body: String, at path: String, of service: String, signedWith keys: Keys
    ) throws -> (head: AnswerHead, body: String) {
        let time = Date().formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
        var fields = [("host", "localhost:\(server.port)"), ("x-amz-date", time)]
        if let token = keys.sessionToken { fields.append(("x-amz-security-token", token)) }
        let names = fields.map(\.0).joined(separator: ";")
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(body.utf8)))
        let canonical =
            (["POST", path, ""] + fields.map { "\($0.0):\($0.1)" } + ["", names, digest]).joined(separator: "\n")
        let scope = [String(time.prefix(8)), Self.region, service, "aws4_request"]
        let toSign = [
            "AWS4-HMAC-SHA256", time, scope.joined(separator: "/"),
            Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8))),
        ].joined(separator: "\n")
        let key = scope.reduce(Array("AWS4\(keys.secret)".utf8)) { HMACSHA256.code(of: Array($1.utf8), key: $0) }
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
        let signed =
            "Authorization: AWS4-HMAC-SHA256 Credential=\(keys.accessKeyID)/\(scope.joined(separator: "/")), "
            + "SignedHeaders=\(names), Signature=\(signature)"
        return try send(
            "POST \(path)",
            fields.dropFirst().map { "\($0.0): \($0.1)" } + [signed, "Content-Type: application/json"],
            body, host: fields[0].1)
    }
}
