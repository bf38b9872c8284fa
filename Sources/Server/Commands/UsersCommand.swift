import Glibc
import JSON
import Store
import Synchronization
import Threads
import UserPool

/// `homeport users`: the users of the built-in pool, beside a running server.
///
/// It calls the pool's own operations over a store of its own, as an administrator does. SQLite lets two processes change a
/// database, one after the other: both begin their changes with the right to write and wait up to `StoreLimits.busyMilliseconds`
/// for it. The server keeps nothing of users in memory, so its next call sees what was changed here.
package enum UsersCommand {
    package enum Action: String, CaseIterable, Sendable {
        case list
        case add
        case confirm
        case password
        case groups
        case disable
        case enable
        case delete
        case `import`
        case export
        case keys

        /// The value behind it.
        fileprivate var operand: String? {
            switch self {
            case .list, .import, .export, .keys: nil
            case .add, .confirm, .password, .groups, .disable, .enable, .delete: "the name of a user"
            }
        }
    }

    /// The operation, and its user.
    package struct Wish: Sendable {
        package let action: Action
        /// Of a user; of a file, where users come from one or go to one.
        package var name: String?
        package var email: String?
        package var phone: String?
        /// `NAME=VALUE`, each.
        package var attributes: [String] = []
        package var password: String?
        /// True if the user has to choose their own password when they sign in.
        package var isTemporary = false
        /// Groups to join.
        package var groups: [String] = []
        /// Groups to leave.
        package var formerGroups: [String] = []
        package var filter: String?
        package var asJSON = false

        package init(_ action: Action) {
            self.action = action
        }
    }

    private typealias Failure = CommandStore.Failure

    package static func run(
        _ resolution: ConfigurationResolver.Resolution, _ wish: Wish, _ output: CommandOutput
    ) -> ExitCode {
        let configuration = resolution.configuration
        if wish.action == .keys, configuration.auth.userPools.issuer == nil {
            return KeysCommand.run(configuration, wish.name, output)
        }
        guard configuration.database != .memory else {
            output.report("homeport: users in memory are known to their server alone; serve with --database FILE")
            return .configuration
        }
        if let issuer = configuration.auth.userPools.issuer {
            output.report(
                "homeport: the users are those of \(issuer). Without auth.userPools.issuer the pool is built in")
            return .configuration
        }
        if let operand = wish.action.operand, (wish.name ?? "").isEmpty {
            output.report("homeport: users \(wish.action.rawValue) needs \(operand)")
            return .usage
        }
        if wish.action == .export { return UsersTransfer.export(configuration, to: wish.name, output) }
        if wish.action == .import, wish.name == nil, isatty(0) == 1 {
            output.report("homeport: expected a file, or lines on standard input, found a terminal")
            return .usage
        }
        let opened: CommandStore
        do throws(CommandStore.End) { opened = try CommandStore(resolution, output) } catch { return error.code }
        let identifiers: PoolIdentifiers
        do throws(PoolFile.Failure) { identifiers = try PoolFile.identifiers(of: configuration) } catch {
            output.report("homeport: \(error.message)")
            return .unwritableOutput
        }
        return opened.use(configuration, output) { store in
            let lines = Lines()
            let pool = UserPool(
                identifiers, configuration.signIn.pool, over: store, keys: { nil }, report: { lines.report($0) })
            let failure = WaitedFor.value { () async -> Failure? in
                do throws(Failure) {
                    try await act(wish, Caller(pool), lines)
                    return nil
                } catch {
                    return error
                }
            }
            lines.show(on: output)
            return failure
        }
    }

    /// Calls the pool as an administrator.
    private struct Caller: Sendable {
        let pool: UserPool
        let shard = PoolShard()

        init(_ pool: UserPool) {
            self.pool = pool
        }

        @discardableResult
        func call(_ operation: String, _ members: [(String, JSONValue?)]) async throws(Failure) -> JSONValue {
            var body = JSONObject([("UserPoolId", .string(pool.identifiers.userPoolID))])
            for member in members { body[member.0] = member.1 }
            let call = PoolCall(
                target: "AWSCognitoIdentityProviderService.\(operation)",
                body: JSONWriter.bytes(of: .object(body)), base: "http://localhost", address: "127.0.0.1",
                isByAdministrator: true)
            switch await pool.answer(call, on: shard) {
            case .success(let bytes): return (try? JSONReader.value(of: bytes)) ?? .object(JSONObject())
            case .refusal(let error): throw Failure(message: error.message)
            }
        }
    }

    /// The lines to print, from whichever thread they come.
    final class Lines: Sendable {
        private let printed = Mutex<[String]>([])
        private let reported = Mutex<[String]>([])

        func print(_ text: String) { printed.withLock { $0.append(text) } }
        func report(_ text: String) { reported.withLock { $0.append(text) } }

        func show(on output: CommandOutput) {
            for text in printed.withLock({ $0 }) { output.print(text) }
            for text in reported.withLock({ $0 }) { output.report(text) }
        }
    }

    private static func act(_ wish: Wish, _ caller: Caller, _ output: Lines) async throws(Failure) {
        let name: (String, JSONValue?) = ("Username", .string(wish.name ?? ""))
        switch wish.action {
        case .list: try await list(wish, caller, output)
        case .add: try await add(wish, caller, output)
        case .confirm: try await caller.call("AdminConfirmSignUp", [name])
        case .password:
            guard let password = wish.password else {
                throw Failure(message: "users password needs --password, the new one")
            }
            try await caller.call(
                "AdminSetUserPassword",
                [name, ("Password", .string(password)), ("Permanent", .bool(!wish.isTemporary))])
        case .groups: try await changeGroups(wish, caller, output)
        case .disable: try await caller.call("AdminDisableUser", [name])
        case .enable: try await caller.call("AdminEnableUser", [name])
        case .delete: try await caller.call("AdminDeleteUser", [name])
        case .import:
            let refused: Int
            do throws(TransferError) {
                refused = try await UsersTransfer.load(wish.name, into: caller.pool, on: caller.shard, output)
            } catch {
                throw Failure(message: error.description, code: ExitCode(error))
            }
            guard refused == 0 else {
                throw Failure(
                    message: "\(Counted.text(refused, "line")) left out. Correct them and import again: who is there "
                        + "already is passed over")
            }
        case .export, .keys: break
        }
    }

    private static func add(_ wish: Wish, _ caller: Caller, _ output: Lines) async throws(Failure) {
        var attributes: [(String, String)] = []
        // Whoever may do this knows the addresses: they count as proved.
        if let email = wish.email { attributes += [("email", email), ("email_verified", "true")] }
        if let phone = wish.phone { attributes += [("phone_number", phone), ("phone_number_verified", "true")] }
        for text in wish.attributes {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw Failure(message: "--attribute is NAME=VALUE, not \"\(text)\"")
            }
            attributes.append((String(text[..<sign]), String(text[text.index(after: sign)...])))
        }
        let list = attributes.map { JSONValue.object(JSONObject([("Name", .string($0.0)), ("Value", .string($0.1))])) }
        // Without a password they get a temporary one with the message.
        let made = try await caller.call(
            "AdminCreateUser",
            [
                ("Username", .string(wish.name ?? "")), ("UserAttributes", .array(list)),
                ("MessageAction", wish.password == nil ? nil : "SUPPRESS"),
                ("TemporaryPassword", wish.isTemporary ? wish.password.map(JSONValue.string) : nil),
            ])
        let name = made["User"]?["Username"] ?? .string(wish.name ?? "")
        if let password = wish.password, !wish.isTemporary {
            do throws(Failure) {
                try await caller.call(
                    "AdminSetUserPassword",
                    [("Username", name), ("Password", .string(password)), ("Permanent", true)])
            } catch {
                // Nobody is left who was not asked for.
                try await caller.call("AdminDeleteUser", [("Username", name)])
                throw error
            }
        }
        for group in wish.groups {
            try await join(group, name, caller)
        }
        if wish.asJSON { output.print(JSONWriter.text(of: made["User"] ?? .null)) }
    }

    private static func changeGroups(_ wish: Wish, _ caller: Caller, _ output: Lines) async throws(Failure) {
        let name: (String, JSONValue?) = ("Username", .string(wish.name ?? ""))
        for group in wish.groups { try await join(group, .string(wish.name ?? ""), caller) }
        for group in wish.formerGroups {
            try await caller.call("AdminRemoveUserFromGroup", [name, ("GroupName", .string(group))])
        }
        let groups = try await pages("AdminListGroupsForUser", "Groups", "NextToken", [name], caller)
        if wish.asJSON {
            output.print(JSONWriter.text(of: .array(groups)))
        } else {
            for group in groups { output.print(group["GroupName"]?.string ?? "") }
        }
    }

    /// Puts a user into a group, which is made where there is none.
    private static func join(_ group: String, _ user: JSONValue, _ caller: Caller) async throws(Failure) {
        let group: (String, JSONValue?) = ("GroupName", .string(group))
        do throws(Failure) { try await caller.call("GetGroup", [group]) } catch {
            try await caller.call("CreateGroup", [group])
        }
        try await caller.call("AdminAddUserToGroup", [("Username", user), group])
    }

    private static func list(_ wish: Wish, _ caller: Caller, _ output: Lines) async throws(Failure) {
        let users = try await pages(
            "ListUsers", "Users", "PaginationToken", [("Filter", wish.filter.map(JSONValue.string))], caller)
        guard !wish.asJSON else {
            for user in users { output.print(JSONWriter.text(of: user)) }
            return
        }
        let rows = users.map { user in
            [
                shownName(of: user),
                (user["UserStatus"]?.string ?? "") + (user["Enabled"]?.bool == false ? ", disabled" : ""),
                attribute("email", of: user), attribute("phone_number", of: user),
            ]
        }
        for line in table([["NAME", "STATUS", "EMAIL", "PHONE"]] + rows) { output.print(line) }
    }

    /// The name, or the address by which they sign in where the pool has made the name.
    static func shownName(of user: JSONValue) -> String {
        let name = user["Username"]?.string ?? ""
        let addresses = [attribute("email", of: user), attribute("phone_number", of: user)]
        guard attribute("sub", of: user) == name else { return name }
        return addresses.first { !$0.isEmpty } ?? name
    }

    private static func attribute(_ name: ByteText, of user: JSONValue) -> String {
        user["Attributes"]?.array?.first { $0["Name"]?.text == name }?["Value"]?.string ?? ""
    }

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (text, width) in zip(row, widths) {
                line += text + String(repeating: " ", count: width - text.count + 2)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return line
        }
    }

    /// All elements of a list.
    private static func pages(
        _ operation: String, _ elements: String, _ token: String, _ members: [(String, JSONValue?)], _ caller: Caller
    ) async throws(Failure) -> [JSONValue] {
        var all: [JSONValue] = []
        var next: JSONValue?
        repeat {
            let answer = try await caller.call(operation, members + [(token, next)])
            all += answer[elements]?.array ?? []
            next = answer[token]
        } while next != nil
        return all
    }
}
