import JSON
import Network

extension ConsoleEndpoint {
    /// Signing in and out, and what was done.
    static let session: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/session", isGuarded: false) { console, request throws(ConsoleError) in
            .json(console.sessionJSON(try await console.door.standing(of: request.head, request.visit)))
        },
        ConsoleEndpoint(.post, "/setup", body: small, isGuarded: false) { console, request throws(ConsoleError) in
            let input = try request.members()
            let token = try await console.door.setUp(
                try input.text("token"), try input.text("password"), request.head, request.visit)
            console.audit.note(
                "operator.setup", "administrator", who: "administrator", address: request.visit.address)
            return try await console.signedIn(with: token, request)
        },
        ConsoleEndpoint(.post, "/sign-in", body: small, isGuarded: false) { console, request throws(ConsoleError) in
            let token: String
            do throws(ConsoleError) {
                token = try await console.door.signIn(
                    try request.members().text("password"), request.head, request.visit)
            } catch {
                if error.code == "wrongPassword" {
                    console.audit.note(
                        "operator.wrongPassword", "administrator", who: "somebody", address: request.visit.address)
                }
                throw error
            }
            console.audit.note(
                "operator.signIn", "administrator", who: "administrator", address: request.visit.address)
            return try await console.signedIn(with: token, request)
        },
        ConsoleEndpoint(.post, "/sign-out", body: small, isGuarded: false) { console, request throws(ConsoleError) in
            let standing = try await console.door.standing(of: request.head, request.visit)
            try await console.door.signOut(standing, everywhere: try request.members().flag("everywhere"))
            return console.signedOut(request)
        },
        ConsoleEndpoint(.post, "/password", body: small) { console, request throws(ConsoleError) in
            guard case .signedIn(let session, _) = try await console.door.standing(of: request.head, request.visit)
            else { throw ConsoleError(409, "conflict", "Nobody signs in here, so there is no password to change.") }
            let input = try request.members()
            try await console.door.change(
                try input.text("password"), to: try input.text("newPassword"), session, request.head, request.visit)
            console.audit.note("operator.password", "administrator", by: request)
            return .nothing
        },
        ConsoleEndpoint(.get, "/audit") { console, request throws(ConsoleError) in
            .json(
                try await console.audit.page(
                    before: request.parameter("before").flatMap { Int64($0) },
                    limit: try request.number("limit", default: 100, 1...1_000)))
        },
    ]

    private static let small = Body.collected(16 << 10)
}

extension Console {
    func sessionJSON(_ standing: OperatorDoor.Standing) -> JSONValue {
        let word: String
        var ends: Int64?
        switch standing {
        case .free: word = "none"
        case .setup: word = "setup"
        case .stranger: word = "needed"
        case .signedIn(let session, _): (word, ends) = ("done", session.ends)
        }
        return .members([
            "signIn": .string(word), "csrf": .text(door.csrfToken(for: standing)),
            "environment": .string(settings.isDevelopment ? "development" : "production"),
            "name": .string(settings.name), "version": .string(settings.version), "expiresAt": .moment(ends),
        ])
    }

    fileprivate func signedIn(with token: String, _ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer
    {
        let standing = try await door.standing(ofSession: token)
        var response = ConsoleAnswer.json(sessionJSON(standing)).response
        if door.mark.browser(of: request.head) == nil {
            response.fields.append("set-cookie", door.mark.setting(isSecure: request.visit.isSecure))
        }
        response.fields.append("set-cookie", door.cookie.setting(token, isSecure: request.visit.isSecure))
        return .raw(response)
    }

    fileprivate func signedOut(_ request: ConsoleRequest) -> ConsoleAnswer {
        let standing: OperatorDoor.Standing =
            door.isDevelopment && request.visit.isFromThisMachine ? .free : .stranger
        var response = ConsoleAnswer.json(sessionJSON(standing)).response
        response.fields.append("set-cookie", door.cookie.removal(isSecure: request.visit.isSecure))
        return .raw(response)
    }
}
