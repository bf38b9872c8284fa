import JSON
import UserPool

/// Calls the user pool as an administrator does who has signed for it.
struct PoolCalls: Sendable {
    let pool: UserPool
    let shard: PoolShard

    private static let service = "AWSCognitoIdentityProviderService"

    /// Calls an operation, with the pool's name added to its members.
    func call(_ operation: String, _ members: KeyValuePairs<String, JSONValue>) async throws(ConsoleError) -> JSONValue
    {
        try await call(operation, JSONObject(members.map { ($0.key, $0.value) }))
    }

    /// The names of the groups of a user.
    func groups(of name: String) async throws(ConsoleError) -> [String] {
        let found = try await call("AdminListGroupsForUser", ["Username": .string(name)])
        return (found["Groups"]?.array ?? []).compactMap { $0["GroupName"]?.string }
    }

    @discardableResult
    func call(_ operation: String, _ members: JSONObject) async throws(ConsoleError) -> JSONValue {
        var members = members
        members.set("UserPoolId", to: .string(pool.identifiers.userPoolID))
        let call = PoolCall(
            target: "\(Self.service).\(operation)", body: JSONWriter.bytes(of: .object(members)),
            base: "http://localhost", address: "console", isByAdministrator: true)
        switch await pool.answer(call, on: shard) {
        case .success(let bytes):
            return bytes.isEmpty ? .object(JSONObject()) : (try? JSONReader.value(of: bytes)) ?? .null
        case .refusal(let error):
            let isMissing = ["UserNotFoundException", "ResourceNotFoundException"].contains(error.type)
            throw ConsoleError(isMissing ? 404 : 400, isMissing ? "notFound" : error.type, error.message)
        }
    }
}
