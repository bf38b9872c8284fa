import Crypto
import JSON
import Store

/// Writes all groups and users of a pool as lines of JSON, as they are at one moment, such that an import makes the same ones.
///
/// What proves their passwords and shows their codes is among it: whoever reads it can try passwords. Devices, sign-ins and codes
/// on their way are not.
package struct UserExport {
    /// How far it is.
    package struct Progress: Sendable, Equatable {
        package var users = 0
        package let usersMax: Int
    }

    private let reader: Reader
    private let poolName: String

    /// - Parameter reader: of the pool's database; a server may run beside it.
    package init(_ reader: Reader, of identifiers: PoolIdentifiers) {
        self.reader = reader
        poolName = identifiers.poolName
    }

    /// Writes everything, and answers with the number of users.
    package func run(
        to descriptor: Int32, name: String, report: (Progress) -> Void = { _ in }
    ) throws(TransferError) -> Int {
        var buffer: [UInt8] = []
        let count = try lines { line, progress throws(TransferError) in
            Self.append(line, to: &buffer)
            guard buffer.count >= StoreLimits.exportBufferBytes else { return }
            try RecordExport.write(&buffer, to: descriptor, name)
            report(progress)
        }
        try RecordExport.write(&buffer, to: descriptor, name)
        return count
    }

    /// Hands the line of each group, then that of each user to the closure, and answers with the number of users. The closure ends it by
    /// throwing.
    package func lines(
        _ body: (JSONObject, Progress) throws(TransferError) -> Void
    ) throws(TransferError) -> Int {
        do throws(StoreError) { guard try reader.has(PoolTables.all) else { return 0 } } catch { throw .store(error) }
        var failure: TransferError?
        do throws(PoolError) {
            var progress = Progress(usersMax: Int(clamping: try reader.count(UserRow.countOfAll)))
            func hand(_ line: JSONObject) -> Bool {
                do throws(TransferError) { try body(line, progress) } catch { failure = error }
                return failure == nil
            }
            try reader.rows(Self.allGroups, []) { row throws(PoolError) in hand(Self.line(of: Group(row))) }
            if let failure { throw failure.ofPool }
            // While it stands at a user, what is asked for beside them is of the same moment.
            try reader.rows(UserRow.all, []) { row throws(PoolError) in
                progress.users += 1
                return hand(try line(of: UserRow.user(row)))
            }
            if let failure { throw failure.ofPool }
            return progress.users
        } catch {
            throw failure ?? .store(error.ofStore ?? StoreError(.unexpected, error.message))
        }
    }

    private static let allGroups = RoomStatement(
        "SELECT name, description, role, precedence, created, modified FROM _homeport_groups ORDER BY name")

    private static func append(_ line: JSONObject, to buffer: inout [UInt8]) {
        buffer += JSONWriter.bytes(of: .object(line))
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func line(of group: Group) -> JSONObject {
        var line = JSONObject([("group", .string(group.name))])
        line["description"] = group.description.map(JSONValue.string)
        line["role"] = group.role.map(JSONValue.string)
        line["precedence"] = group.precedence.map(JSONValue.integer)
        return line
    }

    private func line(of user: User) throws(PoolError) -> JSONObject {
        var line = JSONObject([
            ("username", .string(user.name)), ("sub", .string(user.sub)), ("status", .string(user.status.rawValue)),
            ("enabled", .bool(user.isEnabled)), ("created", Self.time(user.created)),
            ("modified", Self.time(user.modified)),
        ])
        line["temporaryUntil"] = user.temporaryUntil.map(Self.time)
        var attributes = user.attributes
        // It follows from the links.
        attributes.remove(ForeignUser.attribute)
        line.set("attributes", to: .object(attributes))
        let groups = try reader.groups(of: user.number)
        if !groups.isEmpty { line.set("groups", to: .array(groups.map { .string($0.name) })) }
        if let password = user.password {
            line.set("srp", to: Self.verifier(password.salt, password.verifier, poolName, user.name))
        } else if let text = user.foreignHash {
            if case .srp(let verifier, let poolName, let userID)? = ForeignHash(text) {
                line.set("srp", to: Self.verifier(verifier.salt, verifier.number, poolName, userID))
            } else {
                line.set("passwordHash", to: .string(text))
            }
        }
        var factors = JSONObject()
        if !user.secondFactors.enabled.isEmpty {
            factors.set("enabled", to: .array(user.secondFactors.enabled.map { .string($0.rawValue) }))
        }
        factors["preferred"] = user.secondFactors.preferred.map { .string($0.rawValue) }
        factors["secret"] = user.totpSecret.map { .string(Base32.text(of: $0)) }
        if !factors.isEmpty { line.set("mfa", to: .object(factors)) }
        let links = try reader.links(of: user)
        if !links.isEmpty {
            line.set(
                "links",
                to: .array(links.map { ["provider": .string($0.provider), "subject": .string($0.subject)] }))
        }
        return line
    }

    private static func verifier(_ salt: [UInt8], _ number: [UInt8], _ pool: String, _ user: String) -> JSONValue {
        [
            "pool": .string(pool), "user": .string(user), "salt": .string(Hexadecimal.text(of: salt)),
            "verifier": .string(Hexadecimal.text(of: number)),
        ]
    }

    private static func time(_ milliseconds: Int64) -> JSONValue {
        .string(Timestamp(seconds: milliseconds / 1_000, milliseconds: Int(milliseconds % 1_000)).text)
    }
}

extension TransferError {
    /// Ends a walk over the pool's rows; what is told is the error itself.
    fileprivate var ofPool: PoolError { PoolError(StoreError(.unexpected, description)) }
}
