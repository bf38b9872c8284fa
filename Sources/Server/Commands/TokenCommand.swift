import Access
import Blueprint
import Glibc
import JSON
import Store
import UserPool

/// `homeport token`: a token of the issuer on this machine, for trying rules with curl.
package enum TokenCommand {
    /// The owner of the token, and its claims.
    package struct Wish: Sendable {
        /// `id` or `access`.
        package var use: String
        package var username: String
        package var groups: [String]
        /// `NAME=VALUE`, each.
        package var claims: [String]
        /// How long it is good, as `LifeTime` reads it; nil: an hour.
        package var expires: String?
        /// The user, as the pool has it.
        fileprivate var known = JSONObject()

        package init(
            _ use: String = LocalIssuer.Use.id.rawValue, username: String, groups: [String] = [], claims: [String] = [],
            expires: String? = nil
        ) {
            self.use = use
            self.username = username
            self.groups = groups
            self.claims = claims
            self.expires = expires
        }
    }

    /// The values of `--use`.
    package static let uses = LocalIssuer.Use.allCases.map(\.rawValue)

    private static let lifeSecondsOrdinarily: Int64 = 3_600

    /// Prints the token, unless the server of this configuration would refuse it.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, _ output: CommandOutput
    ) -> ExitCode {
        guard let seconds = wish.expires.map({ LifeTime.seconds(of: $0) }) ?? lifeSecondsOrdinarily else {
            output.report(
                "homeport: --expires is a number with its unit, such as 90s, 15m, 1h or 7d, and at most "
                    + "\(LifeTime.secondsMax / 86_400)d, not \"\(wish.expires ?? "")\"")
            return .usage
        }
        guard let given = claims(wish.claims, output) else { return .usage }
        if let problem = problem(resolution) {
            output.report("homeport: the API would not accept such a token: \(problem)")
            return .configuration
        }
        let pool: PoolIdentifiers
        do throws(PoolFile.Failure) {
            if resolution.configuration.hasNodes { try KeptFiles.agree(resolution.configuration) }
            pool = try PoolFile.identifiers(of: resolution.configuration)
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
        var wish = wish
        do throws(StoreError) { try wish.take(from: resolution.configuration, output) } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
        do throws(LocalKeys.Failure) {
            let data = resolution.configuration.data
            let keys = try LocalKeys.keys(in: data) { path in
                // Asked for in another folder than the server's, a token would be refused without a word that says why.
                output.report(
                    "homeport: a new signing key was made: \(path). Only a server with this data folder (\(data)) takes "
                        + "its tokens; name that of another with --data")
            }
            let issuer = LocalIssuer(
                keys.signer, ofPool: pool.userPoolID, clientID: pool.clientID,
                base: resolution.configuration.ownAddress)
            var claims = wish.known
            for claim in given { claims.set(claim.key, to: claim.value) }
            let token = issuer.token(
                LocalIssuer.Use(rawValue: wish.use) ?? .id, username: wish.username, groups: wish.groups,
                claims: claims, lifeSeconds: seconds)
            guard token.utf8.count <= AccessLimits.tokenBytesMax else {
                output.report(
                    "homeport: a token of more than \(AccessLimits.tokenBytesMax) bytes is refused by servers")
                return .usage
            }
            // So that its key is published for as long, whatever becomes of it.
            do throws(PoolFile.Failure) {
                try KeptFiles.sharingKeys(resolution.configuration) { () throws(LocalKeys.Failure) in
                    try LocalKeys.note(tokenUntil: Timestamp.now.seconds + seconds, in: data)
                }
            } catch {
                output.report("homeport: \(error.message): with another key, this token may be refused before it ends")
            }
            output.print(token)
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return .unwritableOutput
        }
    }

    /// The claims by their names. A value that is JSON counts as that, any other is a text.
    private static func claims(_ texts: [String], _ output: CommandOutput) -> JSONObject? {
        var claims = JSONObject()
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                output.report("homeport: --claim is NAME=VALUE, not \"\(text)\"")
                return nil
            }
            let value = String(text[text.index(after: sign)...])
            claims.set(String(text[..<sign]), to: (try? JSONReader.value(of: value)) ?? .string(value))
        }
        return claims
    }

    /// Why the server of this configuration would refuse a token of the local issuer.
    private static func problem(_ resolution: ConfigurationResolver.Resolution) -> String? {
        let configuration = resolution.configuration
        let mode = AuthMode.userPools.rawValue
        if let issuer = configuration.auth.userPools.issuer {
            return "its user pool is \(issuer). Without auth.userPools.issuer it is the built-in one"
        }
        // A schema in TypeScript says its modes itself. Without a schema here the configuration has to do.
        let blueprint = try? ProjectSchema.read(resolution).blueprint
        let modes = (blueprint?.settings ?? configuration.project).modes.map(\.rawValue)
        if modes.contains(mode) { return nil }
        return "\(mode) is none of its modes, which are \(modes.joined(separator: ", ")). Add it to auth.additional"
    }
}

extension TokenCommand.Wish {
    /// Takes what the pool of the database knows of the user, if there is one of that name: a token is then that of this user.
    fileprivate mutating func take(from configuration: Configuration, _ output: CommandOutput) throws(StoreError) {
        guard let reader = try configuration.database.readerBeside() else { return }
        switch try StoredUser.finding(of: username, in: reader, configuration.signIn.pool) {
        case .emptyPool: return
        case .nobody:
            output.report(
                "homeport: nobody in the pool is called \(username): the token is of a user whom only tokens know")
        case .user(let user):
            username = user.name
            for group in user.groups.reversed() where !groups.contains(where: { ByteText($0) == ByteText(group) }) {
                groups.insert(group, at: 0)
            }
            if use == LocalIssuer.Use.id.rawValue { known = user.attributes }
            known.set("sub", to: .string(user.sub))
        }
    }
}
