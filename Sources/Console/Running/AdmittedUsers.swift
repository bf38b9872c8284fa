import JSON
import Network

/// Puts users of the pool in the place of those who are made up with their names: who would be let in is best somebody who is there.
struct AdmittedUsers: Sendable {
    let host: any ConsoleHost
    let loop: EventLoop

    /// Names that are looked for in an answer.
    private static let looksMax = 20

    /// The denials of a report, with users where records name them.
    func named(in denials: JSONValue) async -> JSONValue {
        guard host.pool != nil, let blocks = denials.array, !blocks.isEmpty else { return denials }
        var looks = 0
        var known: [ByteText: JSONValue] = [:]
        var named: [JSONValue] = []
        for block in blocks {
            guard var denial = block.object, let allowed = denial["allowed"]?.array else {
                named.append(block)
                continue
            }
            var callers: [JSONValue] = []
            for caller in allowed {
                guard caller["field"] != nil, var members = caller.object, let wish = caller["as"],
                    let name = wish["username"]?.string, wish["provider"] == "userPools",
                    wish["groups"]?.array?.isEmpty ?? false
                else {
                    callers.append(caller)
                    continue
                }
                let key = ByteText(JSONWriter.text(of: wish))
                if known[key] == nil, looks < Self.looksMax {
                    looks += 1
                    known[key] = await isUser(name, claiming: wish["claims"]?.object) ? user(name) : wish
                }
                members.set("as", to: known[key] ?? wish)
                callers.append(.object(members))
            }
            denial.set("allowed", to: .array(callers))
            named.append(.object(denial))
        }
        return .array(named)
    }

    private func user(_ name: String) -> JSONValue { ["kind": "user", "username": .string(name)] }

    /// Whether there is such a user, of whom all of this is true: another one may have a name that somebody had before.
    private func isUser(_ name: String, claiming claims: JSONObject?) async -> Bool {
        guard let user = try? await CallerResolver(host: host, loop: loop).resolved(.user(name)),
            let token = user.identity.token
        else { return false }
        return claims?.members.allSatisfy { token.claims[$0.key] == $0.value } ?? true
    }
}
