import Access
import Cloud
import JSON
import Store

/// A call of STS: `AssumeRoleWithWebIdentity`, which gives access keys for the identity pool's own token.
package struct AssumeRoleCall: Sendable {
    package static let action = "AssumeRoleWithWebIdentity"

    let roleARN: String
    let session: String
    let token: String
    let seconds: Int64

    private static func invalid(_ message: String) -> CloudError { CloudError("ValidationError", message) }
    fileprivate static let invalidToken = CloudError(
        "InvalidIdentityToken", "The web identity token that was passed is not valid.")
    fileprivate static let expiredToken = CloudError(
        "ExpiredTokenException", "The web identity token that was passed is expired.")
    fileprivate static let denied = CloudError(
        "AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity", status: 403)
    fileprivate static let unavailable = CloudError(
        "ServiceUnavailable", "The request cannot be answered now. Try again later.", status: 503)

    // MARK: The call as a row

    package typealias Member = MemberShape.Member
    private static let durationName = "DurationSeconds"
    private static let arn = MemberShape.text(20...2_048)
    /// A policy of the session is read, so that it can be refused.
    private static let policies = ["Policy", "PolicyArns"]
    package static let members = [
        Member("RoleArn", arn, isRequired: true),
        Member(
            "RoleSessionName", .text(2...64, MemberPattern(#"[\w+=,.@-]*"#, lettersAnd: "_+=,.@-")), isRequired: true),
        Member("WebIdentityToken", .text(4...20_000, isSecret: true), isRequired: true),
        Member("ProviderId", .text(4...2_048)),
        Member("PolicyArns", .list(.object([Member("arn", arn)]), max: 10)),
        Member("Policy", .text(1...2_048)),
        Member(durationName, .integer(900...43_200)),
    ]
    /// The parameter `Version` of all calls of this service.
    package static let version = "2011-06-15"
    package static let form = FormWire(
        namespace: "https://sts.amazonaws.com/doc/\(version)/", parametersMax: 64, nestingMax: 8)
    package static let words = ServiceWords(
        invalid: CloudError("ValidationError", ""), unreadable: CloudError("ValidationError", ""),
        missing: "Value null", refusedStatus: 403)

    /// - Parameter input: has been checked by the row's members.
    package init(_ input: CallInput) throws(CloudError) {
        // A policy of the session would have to be obeyed by whoever takes the keys, and nobody does.
        guard Self.policies.allSatisfy({ input.members[$0] == nil }) else {
            throw Self.invalid("Policies of a session are not supported.")
        }
        (roleARN, session) = (input.demanded("RoleArn"), input.demanded("RoleSessionName"))
        token = input.demanded("WebIdentityToken")
        seconds = input.integer(Self.durationName) ?? IdentityCredentials.lifeSeconds
        guard seconds <= IdentityCredentials.lifeSeconds else {
            throw Self.invalid("The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
        }
    }
}

/// What STS answers.
package struct AssumedRole: Sendable {
    package let accessKeyID: String
    package let secret: String
    package let sessionToken: String
    /// In seconds since 1970.
    package let expires: Int64
    package let roleID: String
    package let userARN: String
    package let subject: String
    package let audience: String
    package let provider: String
}

extension UserPool {
    /// Answers a call of STS. Who asks has the pool's own token; the role is that of guests or of signed-in users, as the token
    /// says, or that of a group that the user is in.
    package func assumeRole(
        _ call: AssumeRoleCall, on shard: PoolShard
    ) async throws(CloudError) -> AssumedRole {
        let keys: PoolKeys
        do throws(PoolError) {
            keys = try await tokenKeys()
            try await makeTables(on: shard)
        } catch {
            throw AssumeRoleCall.unavailable
        }
        let now = now / 1_000
        let token: OpenIDToken
        do throws(OpenIDToken.Fault) {
            token = try OpenIDToken(call.token, keys: keys, of: identifiers, settings, nowSeconds: now)
        } catch {
            throw error == .expired ? AssumeRoleCall.expiredToken : AssumeRoleCall.invalidToken
        }
        let found: IdentityCredentials.Holder?
        do throws(PoolError) {
            found = try await read(on: shard) { [self] reader throws(PoolError) in
                try holder(of: token, call, in: reader)
            }
        } catch {
            throw error.ofStore == nil ? AssumeRoleCall.denied : AssumeRoleCall.unavailable
        }
        guard let holder = found else { throw AssumeRoleCall.denied }
        let made = credentials.make(for: holder, until: now + call.seconds)
        return AssumedRole(
            accessKeyID: made.accessKeyID, secret: made.secret, sessionToken: made.sessionToken, expires: made.expires,
            roleID: holder.role.sessionName(call.session), userARN: holder.role.userARN(session: call.session),
            subject: token.identity, audience: identifiers.identityPoolID, provider: OpenIDToken.providerName)
    }

    /// Who gets the keys; nil: the role is none of theirs.
    private func holder(
        of token: OpenIDToken, _ call: AssumeRoleCall, in reader: Reader
    ) throws(PoolError) -> IdentityCredentials.Holder? {
        let wanted = ByteText(call.roleARN)
        let record = try reader.identity(token.identity)
        if let login = token.developer {
            guard try reader.has(login, token.identity), wanted == ByteText(IdentityRole.signedIn.arn) else {
                return nil
            }
            return IdentityCredentials.Holder(
                identity: token.identity, role: .signedIn, subject: nil, developer: login, session: call.session)
        }
        guard token.isSignedIn else {
            guard settings.allowsGuests, record == nil, wanted == ByteText(IdentityRole.guest.arn) else { return nil }
            return IdentityCredentials.Holder(
                identity: token.identity, role: .guest, subject: nil, session: call.session)
        }
        guard let subject = record?.subject else { return nil }
        let user = try reader.owner(of: subject, settings)
        guard try !reader.isEnded(token.origin) else { return nil }
        let role: IdentityRole
        var group: String?
        if wanted == ByteText(IdentityRole.signedIn.arn) {
            role = .signedIn
        } else {
            group = self.group(ofRole: call.roleARN, among: try reader.groups(of: user.number))
            guard group != nil else { return nil }
            role = .group(call.roleARN)
        }
        return IdentityCredentials.Holder(
            identity: token.identity, role: role, group: group, subject: subject, session: call.session)
    }
}
