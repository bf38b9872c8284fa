import Access
import Blueprint
import Crypto
import JSON
import Network
import UserPool

/// Makes the identities of those on whose behalf something is done. What a client would have to prove is not asked for: the operator
/// may be anybody. A token that was pasted is proved like any other.
struct CallerResolver: Sendable {
    let host: any ConsoleHost
    let loop: EventLoop

    func resolved(_ wish: CallerWish) async throws(ConsoleError) -> ResolvedCaller {
        switch wish {
        case .administrator:
            return ResolvedCaller(
                identity: Self.administrator, label: "administrator", detail: "sees all, no rule is asked", wish: wish)
        case .apiKey:
            try demand(.apiKey)
            return ResolvedCaller(identity: .apiKey, label: "API key", detail: "public", wish: wish)
        case .guest:
            try demand(.iam)
            return ResolvedCaller(
                identity: .iam(.unauthenticated, identityID: Self.identityID), label: "guest",
                detail: "identity pool · not signed in", wish: wish)
        case .iam(let role, let identityID): return try principal(role, identityID, wish)
        case .user(let name): return try await user(name, wish)
        case .made(let made): return self.made(made, wish)
        case .token(let token): return try await recognised(token, wish)
        }
    }

    static let administrator = Identity.iam(
        IAMPrincipal(role: .administrator, accessKeyID: "console", username: "console"))

    private static let identityID = "us-east-1:00000000-0000-0000-0000-000000000000"

    private var modes: [AuthMode] { host.engine.blueprint.settings.modes }

    /// Throws where the API lets nobody in that way: what such a caller may do would be made up.
    private func demand(_ mode: AuthMode) throws(ConsoleError) {
        guard modes.contains(mode) else {
            throw .badRequest(
                "This API lets nobody in by \(mode.label): its modes are "
                    + "\(modes.map(\.label).joined(separator: ", ")).", place: "as.kind")
        }
    }

    private func principal(
        _ role: String, _ identityID: String?, _ wish: CallerWish
    ) throws(ConsoleError) -> ResolvedCaller {
        if role != "administrator" { try demand(.iam) }
        let id = identityID ?? Self.identityID
        switch role {
        case "authenticated":
            return ResolvedCaller(
                identity: .iam(.authenticated, identityID: id), label: "signed-in identity", detail: "IAM",
                wish: wish)
        case "guest":
            return ResolvedCaller(
                identity: .iam(.unauthenticated, identityID: id), label: "guest", detail: "IAM", wish: wish)
        case "administrator":
            return ResolvedCaller(
                identity: Self.administrator, label: "IAM administrator", detail: "no rule is asked", wish: wish)
        default:
            let principal = IAMPrincipal(role: .authenticated, accessKeyID: "console", username: role, function: role)
            return ResolvedCaller(identity: .iam(principal), label: role, detail: "a function's role", wish: wish)
        }
    }

    // MARK: Users

    private func user(_ name: String, _ wish: CallerWish) async throws(ConsoleError) -> ResolvedCaller {
        guard let pool = host.pool else {
            throw .notServed("The users of this API are not kept here: make somebody up, or paste a token.")
        }
        let calls = PoolCalls(pool: pool, shard: host.poolShard(on: loop))
        let user = try await calls.call("AdminGetUser", ["Username": .string(name)])
        let names = try await calls.groups(of: name)
        var claims: [(String, JSONValue)] = [("iss", .string(Self.issuer))]
        var sub = name
        for attribute in user["UserAttributes"]?.array ?? [] {
            guard let key = attribute["Name"]?.string, let value = attribute["Value"]?.string else { continue }
            if key == "sub" { sub = value } else { claims.append((key, Self.claim(key, value))) }
        }
        let username = user["Username"]?.string ?? name
        claims.append(("username", .string(username)))
        return ResolvedCaller(
            identity: .userPool(username: username, sub: sub, groups: names, claims: claims), label: name,
            detail: "user pool · \(Self.text(ofGroups: names))", wish: wish)
    }

    private static let issuer = "homeport-console"

    /// Tokens have these two as truth values.
    private static func claim(_ name: String, _ value: String) -> JSONValue {
        ["email_verified", "phone_number_verified"].contains(name) ? .bool(value == "true") : .string(value)
    }

    private static func text(ofGroups groups: [String]) -> String {
        switch groups.count {
        case 0: "no group"
        case 1: groups[0]
        default: groups.joined(separator: ", ")
        }
    }

    private func made(_ made: CallerWish.MadeCaller, _ wish: CallerWish) -> ResolvedCaller {
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(made.username.utf8)))
        let sub = made.claims["sub"]?.string ?? Self.uuid(of: digest)
        var claims = made.claims.members.filter { $0.key != "sub" }.map { ($0.key, $0.value) }
        if made.claims["username"] == nil { claims.append(("username", .string(made.username))) }
        if made.claims["iss"] == nil { claims.append(("iss", .string(Self.issuer))) }
        let detail = "made up · \(Self.text(ofGroups: made.groups))"
        guard made.isOpenID else {
            return ResolvedCaller(
                identity: .userPool(username: made.username, sub: sub, groups: made.groups, claims: claims),
                label: made.username, detail: detail, wish: wish)
        }
        var all = JSONObject(claims)
        all.set("sub", to: .string(sub))
        if !made.groups.isEmpty, all["cognito:groups"] == nil { all.set("cognito:groups", to: .texts(made.groups)) }
        return ResolvedCaller(
            identity: .oidc(claims: all), label: made.username, detail: "OpenID Connect, \(detail)", wish: wish)
    }

    private static func uuid(of digits: String) -> String {
        let bytes = Array(digits.utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: bytes[$0], as: UTF8.self) }
        return parts.joined(separator: "-")
    }

    private func recognised(_ token: String, _ wish: CallerWish) async throws(ConsoleError) -> ResolvedCaller {
        switch await host.recognise(token, on: loop) {
        case .success(let identity):
            return ResolvedCaller(
                identity: identity, label: identity.name, detail: "\(identity.mode.label) · a token", wish: wish)
        case .failure(let refusal):
            let reason = refusal.reason ?? refusal.message.parts(separatedBy: "\n").first ?? ""
            throw .badRequest("The token lets nobody in: \(reason)", place: "as.token")
        }
    }
}
