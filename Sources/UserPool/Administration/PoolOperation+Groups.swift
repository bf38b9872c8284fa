import Cloud
import JSON
import Store

extension PoolOperation {
    /// Groups, and who is in them.
    static let groups: [PoolOperation] = [
        PoolOperation("CreateGroup", .administrators, .groupOfPool + .groupContent) { run throws(PoolError) in
            let run = try run.administrator()
            let name = try run.input.required("GroupName")
            let given = Group(name: name, created: run.now).changed(by: run.input)
            let made = try await run.write { change throws(PoolError) -> Group in
                guard try change.session.count(Group.countOfAll) < PoolLimits.groupsMax else {
                    throw PoolError("LimitExceededException", "The pool has as many groups as it can have.")
                }
                guard try change.create(given) else {
                    throw PoolError("GroupExistsException", "A group with the name already exists.")
                }
                return given
            }
            return run.answer(made)
        },
        PoolOperation("GetGroup", .administrators, .groupOfPool) { run throws(PoolError) in
            let run = try run.administrator()
            let name = try run.input.required("GroupName")
            return run.answer(try await run.read { reader throws(PoolError) in try reader.knownGroup(name) })
        },
        PoolOperation("UpdateGroup", .administrators, .groupOfPool + .groupContent) { run throws(PoolError) in
            let run = try run.administrator()
            let name = try run.input.required("GroupName")
            let input = run.input
            let changed = try await run.write { change throws(PoolError) -> Group in
                var group = try change.session.knownGroup(name).changed(by: input)
                group.modified = change.now
                try change.save(group)
                return group
            }
            return run.answer(changed)
        },
        PoolOperation("DeleteGroup", .administrators, .groupOfPool) { run throws(PoolError) in
            let run = try run.administrator()
            let name = try run.input.required("GroupName")
            try await run.write { change throws(PoolError) in
                try change.deleteGroup(change.session.knownGroup(name).name)
            }
            return nil
        },
        PoolOperation("AdminAddUserToGroup", .administrators, .groupOfPool + .userOfGroup) { run throws(PoolError) in
            try await run.administrator().changeMembership { user, group, change throws(PoolError) in
                try change.add(user, to: group)
            }
        },
        PoolOperation("AdminRemoveUserFromGroup", .administrators, .groupOfPool + .userOfGroup) {
            run throws(PoolError) in
            try await run.administrator().changeMembership { user, group, change throws(PoolError) in
                try change.remove(user, from: group)
            }
        },
    ]
}

extension MemberShape {
    static let groupName = MemberShape.text(1...128, .name)
}

extension [MemberShape.Member] {
    /// The pool, and a group of it.
    static let groupOfPool: Self = [
        .init("UserPoolId", .poolID, isRequired: true), .init("GroupName", .groupName, isRequired: true),
    ]
    fileprivate static let groupContent: Self = [
        .init("Description", .text(0...2_048)), .init("RoleArn", .text(20...2_048, .arn)),
        .init("Precedence", .integer(0...Int64(Int32.max))),
    ]
    fileprivate static let userOfGroup: Self = [.init("Username", .username, isRequired: true)]
}

extension PoolRun {
    fileprivate func answer(_ group: Group) -> JSONObject {
        JSONObject([("Group", .object(group.record(inPool: pool.identifiers.userPoolID)))])
    }

    /// Changes whether the user whom the request names is in the group that it names. The answer has no body.
    fileprivate func changeMembership(
        _ body: @escaping @Sendable (User, Group, PoolWriting) throws(PoolError) -> Void
    ) async throws(PoolError) -> JSONObject? {
        let name = name(try input.required("Username"))
        let group = try input.required("GroupName")
        try await write { change throws(PoolError) in
            guard let user = try change.session.user(named: name) else { throw .userNotFound }
            try body(user, change.session.knownGroup(group), change)
        }
        return nil
    }
}

extension Group {
    /// A group of which nothing is said but its name.
    init(name: String, created: Int64) {
        self.init(
            name: name, description: nil, role: nil, precedence: nil, created: created, modified: created)
    }

    /// What a request says of it; the rest stays.
    fileprivate func changed(by input: PoolInput) -> Group {
        var group = self
        if let description = input.text("Description") { group.description = description }
        if let role = input.text("RoleArn") { group.role = role }
        if let precedence = input.integer("Precedence") { group.precedence = precedence }
        return group
    }

    /// As the service tells of it.
    func record(inPool pool: String) -> JSONObject {
        var record = JSONObject([("GroupName", .string(name)), ("UserPoolId", .string(pool))])
        record["Description"] = description.map(JSONValue.string)
        record["RoleArn"] = role.map(JSONValue.string)
        record["Precedence"] = precedence.map(JSONValue.integer)
        record.set("LastModifiedDate", to: .moment(modified))
        record.set("CreationDate", to: .moment(created))
        return record
    }
}
