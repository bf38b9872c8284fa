import JSON
import Network
import UserPool

/// What the console does with users: each by a call of the pool's own, as an administrator makes it.
struct UserCalls: Sendable {
    private let calls: PoolCalls

    init(_ host: any ConsoleHost, on loop: EventLoop) throws(ConsoleError) {
        guard let pool = host.pool else {
            throw .notServed("The users of this API are not kept here: auth.userPools.issuer says where.")
        }
        calls = PoolCalls(pool: pool, shard: host.poolShard(on: loop))
    }

    // MARK: Reading

    func page(search: String?, limit: Int, cursor: String?) async throws(ConsoleError) -> JSONValue {
        var members = JSONObject([("Limit", .integer(Int64(min(limit, 60))))])
        if let cursor { members.set("PaginationToken", to: .string(cursor)) }
        if let search, !search.isEmpty {
            // Cognito's filters look at one attribute: what has an @ is an address.
            let field =
                search.utf8.contains(UInt8(ascii: "@")) ? "email" : search.hasPrefix("+") ? "phone_number" : "username"
            let text = search.parts(separatedBy: "\\").joined(separator: "\\\\")
                .parts(separatedBy: "\"").joined(separator: "\\\"")
            members.set("Filter", to: .string("\(field) ^= \"\(text)\""))
        }
        let found = try await calls.call("ListUsers", members)
        var users: [JSONValue] = []
        for user in found["Users"]?.array ?? [] {
            let name = user["Username"]?.string ?? ""
            let groups = try await calls.groups(of: name)
            users.append(.object(UserJSON.user(user, groups: groups, signIns: try await signIns(of: name))))
        }
        let described = try? await calls.call("DescribeUserPool", JSONObject())
        return [
            "users": .array(users), "next": found["PaginationToken"] ?? .null,
            "total": described?["UserPool"]?["EstimatedNumberOfUsers"] ?? .null,
        ]
    }

    func user(_ name: String) async throws(ConsoleError) -> JSONValue {
        let user = try await calls.call("AdminGetUser", ["Username": .string(name)])
        let signIns = try await signIns(of: user["Username"]?.string ?? name)
        var json = UserJSON.user(user, groups: try await calls.groups(of: name), signIns: signIns)
        json["attributes"] = UserJSON.attributes(user)
        json["sessions"] = UserJSON.sessions(signIns)
        return .object(json)
    }

    private func signIns(of name: String) async throws(ConsoleError) -> [KeptSignIn] {
        do {
            return try await calls.pool.signIns(of: name, max: ConsoleLimits.signInsMax)
        } catch {
            throw ConsoleError(503, "busy", "The sign-ins cannot be read: \(error).")
        }
    }

    // MARK: Changing

    func create(_ input: ConsoleInput) async throws(ConsoleError) -> JSONValue {
        let name = try input.text("username")
        var attributes: [JSONValue] = []
        func add(_ name: String, _ value: String) {
            attributes.append(["Name": .string(name), "Value": .string(value)])
        }
        for field in ["email", "phone_number"] {
            guard let value = try input.optionalText(field), !value.isEmpty else { continue }
            add(field, value)
            add("\(field)_verified", "true")
        }
        if input["attributes"] != nil {
            for member in try input.objectMember("attributes") {
                guard let value = member.value.string else { continue }
                add(member.key, value)
            }
        }
        var members = JSONObject([
            ("Username", .string(name)), ("UserAttributes", .array(attributes)), ("MessageAction", "SUPPRESS"),
        ])
        let password = try input.optionalText("password")
        let isPermanent = try input.flag("isPermanent", default: true)
        if let password, !isPermanent { members.set("TemporaryPassword", to: .string(password)) }
        try await calls.call("AdminCreateUser", members)
        do throws(ConsoleError) {
            if let password, isPermanent { try await setPassword(name, password, isPermanent: true) }
            for group in try input.texts("groups", max: ConsoleLimits.valuesMax) ?? [] {
                try await self.add(name, to: group)
            }
        } catch {
            // Half a user is none.
            _ = try? await calls.call("AdminDeleteUser", ["Username": .string(name)])
            throw error
        }
        var user = try await user(name).object ?? JSONObject()
        user.set("created", to: true)
        return .object(user)
    }

    func setPassword(_ name: String, _ password: String, isPermanent: Bool) async throws(ConsoleError) {
        _ = try await calls.call(
            "AdminSetUserPassword",
            ["Username": .string(name), "Password": .string(password), "Permanent": .bool(isPermanent)])
    }

    /// One of those that take nothing but a name.
    func act(_ operation: String, _ name: String) async throws(ConsoleError) {
        _ = try await calls.call(operation, ["Username": .string(name)])
    }

    func setAttributes(_ name: String, _ attributes: JSONObject) async throws(ConsoleError) {
        let removed = attributes.members.filter { $0.value.isNull }.map(\.key)
        let set = attributes.members.compactMap { member -> JSONValue? in
            member.value.string.map { ["Name": .string(member.key), "Value": .string($0)] }
        }
        if !set.isEmpty {
            _ = try await calls.call(
                "AdminUpdateUserAttributes", ["Username": .string(name), "UserAttributes": .array(set)])
        }
        if !removed.isEmpty {
            _ = try await calls.call(
                "AdminDeleteUserAttributes", ["Username": .string(name), "UserAttributeNames": .texts(removed)])
        }
    }

    /// Exactly these groups from now on.
    func setGroups(_ name: String, _ wanted: [String]) async throws(ConsoleError) {
        let present = Set(try await calls.groups(of: name).map { ByteText($0) })
        let wanted = Set(wanted.map { ByteText($0) })
        for group in wanted.subtracting(present) { try await add(name, to: group.string) }
        for group in present.subtracting(wanted) {
            _ = try await calls.call(
                "AdminRemoveUserFromGroup", ["Username": .string(name), "GroupName": .string(group.string)])
        }
    }

    private func add(_ name: String, to group: String) async throws(ConsoleError) {
        _ = try await calls.call("AdminAddUserToGroup", ["Username": .string(name), "GroupName": .string(group)])
    }

    // MARK: Groups

    func allGroups() async throws(ConsoleError) -> JSONValue {
        let found = try await calls.call("ListGroups", ["Limit": 60])
        var groups: [JSONValue] = []
        for group in found["Groups"]?.array ?? [] {
            let name = group["GroupName"]?.string ?? ""
            let members = try await calls.call("ListUsersInGroup", ["GroupName": .string(name), "Limit": 60])
            groups.append([
                "name": .string(name), "description": group["Description"] ?? .null,
                "precedence": group["Precedence"] ?? .null, "users": .count(members["Users"]?.array?.count),
                "hasMoreUsers": .bool(!(members["NextToken"]?.isNull ?? true)),
            ])
        }
        return ["groups": .array(groups)]
    }

    func makeGroup(_ input: ConsoleInput) async throws(ConsoleError) {
        var members = JSONObject([("GroupName", .string(try input.text("name")))])
        if let text = try input.optionalText("description"), !text.isEmpty {
            members.set("Description", to: .string(text))
        }
        if let number = input["precedence"] { members.set("Precedence", to: number) }
        try await calls.call("CreateGroup", members)
    }

    func removeGroup(_ name: String) async throws(ConsoleError) {
        _ = try await calls.call("DeleteGroup", ["GroupName": .string(name)])
    }
}
