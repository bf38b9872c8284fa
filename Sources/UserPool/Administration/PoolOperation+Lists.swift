import JSON
import Store

extension PoolOperation {
    /// Lists of users and groups, page by page.
    static let lists: [PoolOperation] = [
        PoolOperation(
            "ListUsers", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true),
                .init("AttributesToGet", .list(.attributeName, max: PoolLimits.attributesMax)),
                .init("Limit", .integer(0...Int64(PoolLimits.pageCountMax))),
                .init("PaginationToken", .text(1...131_072, .solid, isSecret: true)),
                .init("Filter", .text(0...256, isSecret: true)),
            ]
        ) { run throws(PoolError) in try await run.administrator().listUsers() },
        PoolOperation("ListUsersInGroup", .administrators, .groupOfPool + .page) { run throws(PoolError) in
            try await run.administrator().listUsersInGroup()
        },
        PoolOperation(
            "ListGroups", .administrators, [.init("UserPoolId", .poolID, isRequired: true)] + .page
        ) { run throws(PoolError) in try await run.administrator().listGroups() },
        PoolOperation(
            "AdminListGroupsForUser", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true), .init("Username", .username, isRequired: true),
            ] + .page
        ) { run throws(PoolError) in try await run.administrator().listGroupsOfUser() },
    ]
}

extension PoolRun {
    fileprivate func listUsers() async throws(PoolError) -> JSONObject {
        let text = input.text("Filter") ?? ""
        let filter = try UserFilter(text)
        let wanted = try wantedAttributes()
        let count = pageCount("Limit")
        let position = try self.position("PaginationToken", of: "ListUsers", text).flatMap { Int64($0) } ?? 0
        let page = try await users(behind: position, filter, count: count)
        var answer = JSONObject([
            ("Users", .array(page.users.map { .object($0.record(attributesAs: "Attributes", only: wanted)) }))
        ])
        if let last = page.next { answer.set("PaginationToken", to: token(behind: "\(last)", of: "ListUsers", text)) }
        return answer
    }

    /// The attributes that a request wants to have; nil: all.
    private func wantedAttributes() throws(PoolError) -> Set<ByteText>? {
        guard let names = input.texts("AttributesToGet") else { return nil }
        let isKnown: (String) -> Bool = { name in
            name == "sub" || AttributeSchema.standard.contains(name) || AttributeSchema.verifications.contains(name)
                || name.hasPrefix("custom:")
        }
        guard names.allSatisfy(isKnown) else {
            throw .invalidParameter("One or more requested attributes do not exist.")
        }
        return Set(texts: names)
    }

    /// Users in the order in which they came, and behind whom it goes on. Where all have to be looked at, it is done piece by
    /// piece, with turns for others between.
    func users(
        behind position: Int64, _ filter: UserFilter?, count: Int
    ) async throws(PoolError) -> (users: [User], next: Int64?) {
        if let lookup = filter?.lookup(in: settings) {
            let found = try await read { reader throws(PoolError) in
                try reader.users(lookup, behind: position, count: count + 1)
            }
            let page = Array(found.prefix(count))
            let admitted = page.filter { filter?.admits($0, in: settings) ?? true }
            return (admitted, found.count > count ? page.last?.number : nil)
        }
        var users: [User] = []
        var position = position
        while true {
            let piece = try await read { [position] reader throws(PoolError) in
                try reader.users(behind: position, count: PoolLimits.usersAtOnceMax)
            }
            for user in piece where filter?.admits(user, in: settings) ?? true {
                // One more than there is room for says that it goes on.
                guard users.count < count else { return (users, users.last?.number) }
                users.append(user)
            }
            guard piece.count == PoolLimits.usersAtOnceMax, let last = piece.last else { return (users, nil) }
            position = last.number
            await Task.yield()
        }
    }

    fileprivate func listUsersInGroup() async throws(PoolError) -> JSONObject {
        let list = "ListUsersInGroup"
        let name = try input.required("GroupName")
        let group = try await read { reader throws(PoolError) in try reader.knownGroup(name) }
        let count = pageCount("Limit")
        let position = try self.position("NextToken", of: list, group.name).flatMap { Int64($0) } ?? 0
        let found = try await read { reader throws(PoolError) in
            try reader.users(of: group, behind: position, count: count + 1)
        }
        let page = found.prefix(count)
        var answer = JSONObject([
            ("Users", .array(page.map { .object($0.record(attributesAs: "Attributes")) }))
        ])
        if found.count > count, let last = page.last {
            answer.set("NextToken", to: token(behind: "\(last.number)", of: list, group.name))
        }
        return answer
    }

    fileprivate func listGroups() async throws(PoolError) -> JSONObject {
        let list = "ListGroups"
        let count = pageCount("Limit")
        let position = try position("NextToken", of: list) ?? ""
        let found = try await read { reader throws(PoolError) in
            try reader.groups(behind: position, count: count + 1)
        }
        let page = found.prefix(count)
        var answer = JSONObject([("Groups", records(page))])
        if found.count > count, let last = page.last {
            answer.set("NextToken", to: token(behind: last.name, of: list))
        }
        return answer
    }

    fileprivate func listGroupsOfUser() async throws(PoolError) -> JSONObject {
        let list = "AdminListGroupsForUser"
        let user = try await user()
        let count = pageCount("Limit")
        let groups = try await read { reader throws(PoolError) in try reader.groups(of: user.number) }
        let position = try self.position("NextToken", of: list, "\(user.number)")
        // They are few, and in the order of their precedence: what was shown last is found by its name.
        let start = position.flatMap { name in groups.firstIndex { ByteText($0.name) == ByteText(name) } }
        let rest = groups.dropFirst(start.map { $0 + 1 } ?? 0)
        let page = rest.prefix(count)
        var answer = JSONObject([("Groups", records(page))])
        if rest.count > count, let last = page.last {
            answer.set("NextToken", to: token(behind: last.name, of: list, "\(user.number)"))
        }
        return answer
    }

    private func records(_ groups: some Sequence<Group>) -> JSONValue {
        .array(groups.map { .object($0.record(inPool: pool.identifiers.userPoolID)) })
    }
}

extension RoomReading {
    /// Users in the order in which they came.
    func users(behind position: Int64, count: Int) throws(PoolError) -> [User] {
        try users(UserRow.page, [.integer(position), .integer(Int64(count))])
    }

    /// Those whom a name or an address may mean.
    func users(_ lookup: UserLookup, behind position: Int64, count: Int) throws(PoolError) -> [User] {
        let (statement, text) =
            switch lookup {
            case .name(let name): (UserRow.pageByName, name)
            case .email(let address): (UserRow.pageByEmail, address)
            case .phone(let number): (UserRow.pageByPhone, number)
            }
        return try users(statement, [.text(text), .integer(position), .integer(Int64(count))])
    }

    func users(of group: Group, behind position: Int64, count: Int) throws(PoolError) -> [User] {
        try users(UserRow.pageOfGroup, [.text(group.name), .integer(position), .integer(Int64(count))])
    }

    private func users(_ statement: RoomStatement, _ values: [StoredValue]) throws(PoolError) -> [User] {
        var users: [User] = []
        try rows(statement, values) { row throws(PoolError) in
            users.append(try UserRow.user(row))
            return true
        }
        return users
    }

    /// Groups in the order of their names.
    func groups(behind name: String, count: Int) throws(PoolError) -> [Group] {
        var groups: [Group] = []
        try rows(Group.page, [.text(name), .integer(Int64(count))]) { row throws(PoolError) in
            groups.append(Group(row))
            return true
        }
        return groups
    }
}

extension UserRow {
    fileprivate static let page = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users WHERE number > ? ORDER BY number LIMIT ?
        """)
    fileprivate static let pageByName = RoomStatement(
        """
        SELECT number, sub, users.name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_user_names AS names JOIN _homeport_users AS users ON users.number = names.user
        WHERE names.name = ? AND number > ? LIMIT ?
        """)
    fileprivate static let pageByEmail = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users WHERE email = ? AND number > ? ORDER BY number LIMIT ?
        """)
    fileprivate static let pageByPhone = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users WHERE phone = ? AND number > ? ORDER BY number LIMIT ?
        """)
    fileprivate static let pageOfGroup = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_group_members AS members JOIN _homeport_users ON number = members.user
        WHERE members.groupName = ? AND members.user > ? ORDER BY members.user LIMIT ?
        """)
}
