import JSON
import Network

extension ConsoleEndpoint {
    /// Users, messages and files, by the rooms that keep them.
    static let rooms: [ConsoleEndpoint] = users + messages + files

    private static let users: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/users") { console, request throws(ConsoleError) in
            let users = try UserCalls(try console.host, on: request.loop)
            return .json(
                try await users.page(
                    search: request.parameter("search"), limit: try request.number("limit", default: 50, 1...60),
                    cursor: request.parameter("cursor")))
        },
        ConsoleEndpoint(.post, "/users") { console, request throws(ConsoleError) in
            let input = try request.members()
            let user = try await UserCalls(try console.host, on: request.loop).create(input)
            console.audit.note("user.create", user["username"]?.string ?? "", by: request)
            return .json(user)
        },
        ConsoleEndpoint(.get, "/users/*") { console, request throws(ConsoleError) in
            .json(try await UserCalls(try console.host, on: request.loop).user(request.path[1]))
        },
        ConsoleEndpoint(.delete, "/users/*") { console, request throws(ConsoleError) in
            try await UserCalls(try console.host, on: request.loop).act("AdminDeleteUser", request.path[1])
            console.audit.note("user.delete", request.path[1], by: request)
            return .nothing
        },
        ConsoleEndpoint(.post, "/users/*/*") { console, request throws(ConsoleError) in
            try await console.changeUser(request)
        },
        ConsoleEndpoint(.get, "/groups") { console, request throws(ConsoleError) in
            .json(try await UserCalls(try console.host, on: request.loop).allGroups())
        },
        ConsoleEndpoint(.post, "/groups") { console, request throws(ConsoleError) in
            let input = try request.members()
            try await UserCalls(try console.host, on: request.loop).makeGroup(input)
            console.audit.note("group.create", try input.text("name"), by: request)
            return .nothing
        },
        ConsoleEndpoint(.delete, "/groups/*") { console, request throws(ConsoleError) in
            try await UserCalls(try console.host, on: request.loop).removeGroup(request.path[1])
            console.audit.note("group.delete", request.path[1], by: request)
            return .nothing
        },
    ]
}

extension Console {
    /// What is done to a user by a path of its own.
    fileprivate func changeUser(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let (name, action) = (request.path[1], request.path[2])
        let users = try UserCalls(try host, on: request.loop)
        let input = try request.members()
        var detail = ""
        switch action {
        case "confirm": try await users.act("AdminConfirmSignUp", name)
        case "enable": try await users.act("AdminEnableUser", name)
        case "disable": try await users.act("AdminDisableUser", name)
        case "sign-out": try await users.act("AdminUserGlobalSignOut", name)
        case "reset": try await users.act("AdminResetUserPassword", name)
        case "password":
            try await users.setPassword(
                name, try input.text("password"), isPermanent: try input.flag("isPermanent", default: true))
        case "attributes":
            let attributes = try input.objectMember("attributes")
            try await users.setAttributes(name, attributes)
            detail = attributes.keys.joined(separator: ", ")
        case "groups":
            let groups = try input.texts("groups", max: ConsoleLimits.valuesMax) ?? []
            try await users.setGroups(name, groups)
            detail = groups.joined(separator: ", ")
        default: throw .notFound("There is nothing at \(request.head.path).")
        }
        audit.note("user.\(action)", name, detail, by: request)
        return .json(try await users.user(name))
    }
}
