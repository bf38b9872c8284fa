import Crypto
import Foundation
import JSON
import Testing

@testable import UserPool

/// What real clients sent, and what they could not do without in the answers: `Vectors/flows.json`.
///
/// A text in angle brackets stands for what is known only when a flow runs: `<2.Session>` for a member of the third answer, `<code>` for
/// the code that was sent last and `<wrong>` for another one, `<totp>` for that of the authenticator app, `<A>`, `<time>` and `<claim>`
/// for the parts of a proof.
@Suite("Flows of real clients")
struct RecordedFlowTests {
    static let flows: [Flow] = {
        let url = (Bundle.module.resourceURL ?? URL(filePath: "/")).appending(path: "Vectors/flows.json")
        let value = (try? Data(contentsOf: url)).flatMap { try? JSONReader.value(of: Array($0)) }
        return value?["flows"]?.array?.map { Flow(value: $0) } ?? []
    }()

    struct Flow: Sendable, CustomTestStringConvertible {
        let value: JSONValue
        var testDescription: String { value["name"]?.string ?? "?" }
    }

    @Test("are there")
    func areThere() {
        #expect(Self.flows.count == 13)
    }

    @Test("get what their clients need", arguments: flows)
    func run(_ flow: Flow) async throws {
        let pool = try TestPool { $0.existenceErrors = .shown }
        for user in flow.value["users"]?.array ?? [] { try await Self.make(user, in: pool) }
        let first = flow.value["users"]?.array?.first
        var run = FlowRun(pool: pool, password: first?["password"]?.string ?? first?["temporary"]?.string ?? "")
        for step in flow.value["steps"]?.array ?? [] { try await run.take(step) }
    }

    private static func make(_ user: JSONValue, in pool: TestPool) async throws {
        let poolID: JSONValue = "us-east-1_abcDEF123"
        let name = user["name"] ?? .null
        let attributes = user["attributes"]?.object?.members.map { member -> JSONValue in
            ["Name": .string(member.key), "Value": member.value]
        }
        try await pool.call(
            "AdminCreateUser",
            [
                "UserPoolId": poolID, "Username": name, "MessageAction": "SUPPRESS",
                "TemporaryPassword": user["temporary"] ?? user["password"] ?? .null,
                "UserAttributes": .array(attributes ?? []),
            ], by: true)
        if let password = user["password"] {
            try await pool.call(
                "AdminSetUserPassword",
                ["UserPoolId": poolID, "Username": name, "Password": password, "Permanent": true], by: true)
        }
        if user["reset"] == true {
            try await pool.call("AdminResetUserPassword", ["UserPoolId": poolID, "Username": name], by: true)
        }
    }
}

/// A flow on its way.
private struct FlowRun {
    let pool: TestPool
    private var answers: [JSONValue] = []
    /// The one that was set last.
    private var password: String
    private var secret: String?

    init(pool: TestPool, password: String) {
        self.pool = pool
        self.password = password
    }

    mutating func take(_ step: JSONValue) async throws {
        let target = step.text("call")
        let members = try await filled(step["members"] ?? .null)
        // A code of an authenticator app is good once.
        pool.clock.pass(seconds: 30)
        let answer: JSONValue
        var refusal: PoolError?
        do throws(PoolError) {
            answer = try await pool.answer(target, members)
        } catch {
            refusal = error
            answer = .null
        }
        answers.append(answer)
        if let key = answer["SecretCode"]?.string { secret = key }
        let place = "step \(answers.count - 1), \(target): \(refusal.map { "\($0)" } ?? "\(answer)")"
        #expect(Int64(refusal?.status ?? 200) == step["status"]?.integer, "\(place)")
        #expect(refusal?.type == step["type"]?.string, "\(place)")
        if let message = step["message"] { #expect(refusal?.message == message.string, "\(place)") }
        #expect(answer.challenge == step["challenge"]?.string, "\(place)")
        for demand in step["demands"]?.object?.members ?? [] {
            #expect(Self.kind(Self.member(demand.key, of: answer)) == demand.value.string, "\(demand.key) in \(place)")
        }
    }

    // MARK: Requests

    private mutating func filled(_ value: JSONValue) async throws -> JSONValue {
        switch value {
        case .object(let members):
            if let password = members["Password"]?.string ?? members["NEW_PASSWORD"]?.string {
                self.password = password
            }
            var filled = JSONObject()
            for member in members { filled.set(member.key, to: try await self.filled(member.value)) }
            return .object(filled)
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements { filled.append(try await self.filled(element)) }
            return .array(filled)
        default:
            guard let text = value.string, text.hasPrefix("<"), text.hasSuffix(">") else { return value }
            return .string(try await filled(place: String(text.dropFirst().dropLast())))
        }
    }

    private mutating func filled(place: String) async throws -> String {
        switch place {
        case "code": return try await pool.code()
        case "wrong":
            guard try await pool.messageCount() > 0 else { return "000000" }
            return try await pool.code() == "000000" ? "000001" : "000000"
        case "totp": return try Self.totp(of: try #require(secret), at: pool.clock.now)
        case "time": return pool.timestamp
        case "A":
            return client(of: "").clientNumber
        case "claim":
            // Everything about it stands in the answer before.
            let begun = try #require(answers.last)
            let claim = try pool.claim(of: client(of: begun.parameter("USER_ID_FOR_SRP") ?? ""), begun)
            return try #require(claim["PASSWORD_CLAIM_SIGNATURE"]?.string)
        default:
            let parts = place.split(separator: ".", maxSplits: 1)
            let index = try #require(Int(parts[0]))
            return try #require(Self.member(String(parts[1]), of: answers[index])?.string)
        }
    }

    private func client(of user: String) -> ReferenceClient {
        ReferenceClient(
            arithmetic: .fast, group: "abcDEF123", user: user, password: password,
            secret: String(repeating: "5a", count: 64))
    }

    private static func totp(of secret: String, at now: Int64) throws -> String {
        let bytes = try #require(Base32.bytes(of: secret))
        return String(decoding: OneTimeCode(secret: bytes).code(of: now / 30_000), as: UTF8.self)
    }

    // MARK: Answers

    /// A member by its path: `CodeDeliveryDetailsList.0.AttributeName`.
    private static func member(_ path: String, of value: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(value)) { value, name in
            if let elements = value?.array {
                return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            }
            return value?[String(name)]
        }
    }

    private static func kind(_ value: JSONValue?) -> String? {
        switch value {
        case .object: "object"
        case .array: "list"
        case .bool: "boolean"
        case .null: "null"
        case nil: nil
        default: value?.string == nil ? "number" : "text"
        }
    }
}
