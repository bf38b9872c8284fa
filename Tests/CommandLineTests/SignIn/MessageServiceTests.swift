import Crypto
import Foundation
import Network
import Synchronization
import TestSupport
import Testing

/// Messages that somebody else sends: a service for telephones, a function of the app's for mails.
@Suite("Messages over services")
struct MessageServiceTests {
    private static let key = Array("0123456789abcdefghijklmn".utf8)
    private static let secret = "whsec_\(Base64.text(of: key, .standard))"

    private static func environment(webhook url: String) -> [String: String] {
        ["HOMEPORT_SMS_WEBHOOK": "{\"url\": \"\(url)/sms\", \"secret\": \"\(secret)\"}"]
    }

    private static func signUp(_ client: PoolClient, _ name: String, _ attribute: String, _ value: String) throws {
        try client.call(
            "SignUp",
            [
                "Username": name, "Password": "F1rst!Password", "ClientMetadata": ["from": "app"],
                "UserAttributes": [["Name": attribute, "Value": value]],
            ])
    }

    @Test("a message to a telephone comes to the service signed, and nowhere else")
    func webhook() async throws {
        let service = CollectingService()
        try await service.run { url in
            let folder = TemporaryFolder()
            let code = try await BlockingThread.run {
                let server = try HomeportProcess(environment: Self.environment(webhook: url), in: folder)
                let client = try PoolClient(server)
                try Self.signUp(client, "ann", "phone_number", "+15550001111")
                let call = try service.next()
                let identifier = try #require(call.fields["webhook-id"])
                let seconds = try #require(call.fields["webhook-timestamp"])
                let signed = Array("\(identifier).\(seconds).\(call.body)".utf8)
                let signature = Base64.text(of: HMACSHA256.code(of: signed, key: Self.key), .standard)
                #expect(call.fields["webhook-signature"] == "v1,\(signature)")
                let content = try JSONSerialization.jsonObject(with: Data(call.body.utf8)) as? [String: Any] ?? [:]
                #expect(content["type"] as? String == "message.sms")
                let data = content["data"] as? [String: String] ?? [:]
                let code = try #require(data["code"])
                #expect(data["to"] == "+15550001111")
                #expect(data["text"] == "Your confirmation code is \(code)")
                try client.call("ConfirmSignUp", ["Username": "ann", "ConfirmationCode": code])
                // Mails have no server here: they stand in the log, and messages that are sent do not.
                try Self.signUp(client, "bob", "email", "bob@example.com")
                #expect(server.logs("confirm for bob: "))
                #expect(!server.log.contains(code))
                #expect(!server.log.contains(Self.secret))
                server.signal(SIGTERM)
                #expect(server.exitStatus() == 0)
                return code
            }
            #expect(code.utf8.count == 6)
        }
    }

    @Test("a function that sends mails is called with the event of its kind")
    func function() async throws {
        let service = CollectingService()
        try await service.run { url in
            try await BlockingThread.run {
                let server = try HomeportProcess(
                    environment: ["HOMEPORT_AUTH_POOL_TRIGGERS": "{\"customEmailSender\": \"\(url)/sender\"}"])
                let client = try PoolClient(server)
                try Self.signUp(client, "ann", "email", "ann@example.com")
                let call = try service.next()
                let event = try JSONSerialization.jsonObject(with: Data(call.body.utf8)) as? [String: Any] ?? [:]
                #expect(event["triggerSource"] as? String == "CustomEmailSender_SignUp")
                let request = event["request"] as? [String: Any] ?? [:]
                #expect(request["clientMetadata"] as? [String: String] == ["from": "app"])
                let text = try #require(request["code"] as? String)
                let code = try #require(Data(base64Encoded: text))
                try client.call(
                    "ConfirmSignUp", ["Username": "ann", "ConfirmationCode": String(decoding: code, as: UTF8.self)])
            }
        }
    }

    @Test("a service that fails keeps nobody from signing up, and what it may take later stays")
    func failures() async throws {
        for (status, words) in [
            (503, "a message to a user waits for another try"), (429, "a message to a user waits for another try"),
            (401, "a message to a user waits for another try"), (422, "a message to a user was given up"),
        ] {
            let service = CollectingService(status: HTTPStatus(code: status))
            try await service.run { url in
                try await BlockingThread.run {
                    let server = try HomeportProcess(environment: Self.environment(webhook: url))
                    try Self.signUp(try PoolClient(server), "ann", "phone_number", "+15550001111")
                    #expect(server.logs(words, milliseconds: 30_000), "status \(status): \(server.log)")
                    #expect(server.log.contains("status \(status)"))
                    _ = try service.next()
                }
            }
        }
    }

    @Test("what could not be sent comes to the service of the next start")
    func restart() async throws {
        let service = CollectingService()
        try await service.run { url in
            try await BlockingThread.run {
                let folder = TemporaryFolder()
                let first = try HomeportProcess(in: folder)
                try Self.signUp(try PoolClient(first), "ann", "phone_number", "+15550001111")
                first.signal(SIGKILL)
                _ = first.exitStatus()
                let second = try HomeportProcess(environment: Self.environment(webhook: url), in: folder)
                #expect(try service.next().body.contains("+15550001111"))
                second.signal(SIGTERM)
                #expect(second.exitStatus() == 0)
            }
        }
    }
}
