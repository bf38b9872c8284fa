import Access
import Cloud
import JSON
import UserPool

/// STS as a table: `AssumeRoleWithWebIdentity` for everybody with a token of the identity pool, and `GetCallerIdentity` for everybody
/// with an access key.
struct SecurityTokenCalls: Sendable {
    /// Nil where the pool is somebody else's.
    let pool: UserPool?

    static let service = "sts"

    var table: ServiceTable {
        ServiceTable(
            "STS", service: Self.service, form: AssumeRoleCall.form,
            JSONLimits(bytesMax: SecurityTokenRoute.bodyBytesMax), AssumeRoleCall.words,
            [
                CloudOperation(AssumeRoleCall.action, AssumeRoleCall.members, by: .anyone, assumeRole),
                CloudOperation("GetCallerIdentity", by: .signed) { (call) async throws(CloudError) in
                    guard let caller = call.caller else { throw Self.noCaller }
                    return JSONObject([
                        ("Arn", .string(caller.userARN)), ("UserId", .string(caller.username)),
                        ("Account", .string(caller.accountID)),
                    ])
                },
            ])
    }

    private static let noCaller = CloudError(
        "MissingAuthenticationToken", "Request is missing Authentication Token", status: 403)
    private static let noPool = CloudError(
        "InvalidIdentityToken",
        "The user pool of this API is not this server's: sign in where auth.userPools.issuer says.")

    private func assumeRole(_ call: CloudCall) async throws(CloudError) -> JSONObject {
        let wanted = try AssumeRoleCall(call.input)
        guard let pool, let shard = call.origin.state?() as? LoopShard else { throw Self.noPool }
        let role = try await pool.assumeRole(wanted, on: shard.pool)
        let user = JSONObject([("Arn", .string(role.userARN)), ("AssumedRoleId", .string(role.roleID))])
        let credentials = JSONObject([
            ("AccessKeyId", .string(role.accessKeyID)), ("SecretAccessKey", .string(role.secret)),
            ("SessionToken", .string(role.sessionToken)), ("Expiration", .string(Self.time(role.expires))),
        ])
        return JSONObject([
            ("SubjectFromWebIdentityToken", .string(role.subject)), ("Audience", .string(role.audience)),
            ("AssumedRoleUser", .object(user)), ("Credentials", .object(credentials)),
            ("Provider", .string(role.provider)),
        ])
    }

    private static func time(_ seconds: Int64) -> String {
        var text: [UInt8] = []
        Timestamp(seconds: seconds).append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
