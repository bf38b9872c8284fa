import Glibc
import JSON
import Moving
import Store
import UserPool

/// Brings users in from Cognito's lists: groups and members first, which users then come with.
final class UsersIn {
    private let folders: [PeopleFolder]
    private let report: MoveProgress
    private let isWanted: @Sendable () -> Bool
    private var groups: [JSONObject] = []
    private var memberships: [ByteText: [String]] = [:]
    private var details: [ByteText: JSONObject] = [:]
    private var hashes: [ByteText: String] = [:]
    private var seen: Set<ByteText> = []
    private var withAuthenticator = 0
    private(set) var outcome = UserImport.Outcome()
    /// Entries that were read.
    private(set) var read = 0

    /// - Parameter isWanted: is asked after each transaction; false ends the move there, as a kill would.
    init(_ folders: [PeopleFolder], isWanted: @escaping @Sendable () -> Bool, _ report: MoveProgress) {
        self.folders = folders
        self.isWanted = isWanted
        self.report = report
    }

    /// Tables come last: they say less of a user than a list.
    private var files: [(path: String, kind: PeopleFolder.Kind)] {
        let all = folders.flatMap(\.files)
        return all.filter { !$0.kind.isTable } + all.filter { $0.kind.isTable }
    }

    /// Reads what users come with. The users themselves are read when they are brought in.
    func prepare() throws(MoveFailure) {
        for (path, kind) in files where !kind.isTable {
            try PeopleFolder.entries(of: path, kind, wrong: { MoveFailure($0) }) {
                list, place, entry throws(MoveFailure) in
                guard case .success(let object) = entry else { return }
                take(object, list, kind, place)
            }
        }
        for other in folders.flatMap(\.others).prefix(FaultList.shownMax) {
            report.note("\(other): not read, it is no list of Cognito's")
        }
    }

    private func take(_ object: JSONObject, _ list: String, _ kind: PeopleFolder.Kind, _ place: String) {
        if list == "Groups" {
            do throws(CognitoUser.Misfit) { groups.append(try CognitoUser.group(object)) } catch {
                report.fault(FaultList.Fault(place: place, record: "a group", reason: error.reason))
            }
        } else if case .members(let group) = kind, let name = object["Username"]?.string {
            memberships[ByteText(name), default: []].append(group)
        } else if kind.isLines, let name = object["username"]?.string, let hash = object["passwordHash"]?.string {
            hashes[ByteText(name)] = hash
        } else if kind.isLines, let name = object["Username"]?.string {
            var factors = JSONObject()
            for member in ["UserMFASettingList", "PreferredMfaSetting"] { factors[member] = object[member] }
            details[ByteText(name)] = factors
        }
    }

    // MARK: The users

    /// Brings them into a pool; without one they are read and counted.
    func bring(into pool: UserPool?) async throws(MoveFailure) {
        var waiting: [(place: String, name: String)] = []
        var lines: [JSONObject] = []
        // One file after the other: a page is not kept for longer than its users are in the queue.
        for group in groups {
            lines.append(group)
            waiting.append(("groups", group["group"]?.string ?? ""))
        }
        try await flush(&lines, &waiting, into: pool)
        for (path, kind) in files {
            if kind.isTable {
                try await bringTable(path, into: pool)
                continue
            }
            guard kind.isUsers else { continue }
            let reader = UserReader(path)
            while true {
                let (entries, isAtEnd): ([UserReader.Entry], Bool)
                do throws(TransferError) {
                    (entries, isAtEnd) = try reader.next(PoolLimits.importedUsersPerTransaction)
                } catch { throw MoveFailure(error) }
                for entry in entries { add(entry, to: &lines, &waiting) }
                try await flush(&lines, &waiting, into: pool)
                if isAtEnd { break }
            }
        }
        if withAuthenticator > 0 {
            report.note(
                "\(Counted.text(withAuthenticator, "user")) had an authenticator app: AWS does not give its secret, they set "
                    + "it up anew")
        }
    }

    private func add(
        _ entry: UserReader.Entry, to lines: inout [JSONObject], _ waiting: inout [(place: String, name: String)]
    ) {
        do throws(CognitoUser.Misfit) {
            var object = try entry.object.get()
            read += 1
            if let name = object["Username"]?.string, let more = details[ByteText(name)] {
                for member in more { object.set(member.key, to: member.value) }
            }
            var user = try CognitoUser(object)
            guard seen.add(user.username) else {
                throw CognitoUser.Misfit(reason: "the user \(user.username) came already: a list has it twice")
            }
            user.add(groups: memberships[ByteText(user.username)] ?? [], passwordHash: hashes[ByteText(user.username)])
            if user.hadAuthenticator { withAuthenticator += 1 }
            lines.append(user.line)
            waiting.append((entry.place, user.username))
        } catch {
            let name = (try? entry.object.get())?["Username"]?.string ?? "a user"
            report.fault(FaultList.Fault(place: entry.place, record: name, reason: error.reason))
        }
    }

    private func flush(
        _ lines: inout [JSONObject], _ waiting: inout [(place: String, name: String)], into pool: UserPool?
    ) async throws(MoveFailure) {
        guard !lines.isEmpty else { return }
        let (all, names) = (lines, waiting)
        lines.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
        report.records(all.count)
        guard let pool else {
            outcome.made += all.count { $0["username"] != nil }
            return
        }
        var index = 0
        let file = UserFile(name: "users") { () throws(TransferError) in
            guard index < all.count else { return nil }
            defer { index += 1 }
            return (index, all[index])
        }
        do throws(TransferError) {
            add(
                try await UserImport(into: pool).run(file, on: PoolShard()) { number, why in
                    guard names.indices.contains(number) else { return }
                    report.fault(FaultList.Fault(place: names[number].place, record: names[number].name, reason: why))
                })
        } catch { throw MoveFailure(error) }
        guard isWanted() else { throw MoveFailure.stopped }
    }

    private func bringTable(_ path: String, into pool: UserPool?) async throws(MoveFailure) {
        guard let pool else {
            report.note("\(path): a table is checked when it is brought in, by its user pool")
            return
        }
        let came: UserImport.Outcome
        do throws(TransferError) {
            let file = UserFile(try LineReader(opening: path))
            came = try await UserImport(into: pool).run(file, on: PoolShard()) { line, why in
                report.fault(FaultList.Fault(place: "\(path):\(line)", record: "a user", reason: why))
            }
        } catch { throw MoveFailure(error) }
        guard isWanted() else { throw MoveFailure.stopped }
        read += came.made + came.present + came.refused
        add(came)
    }

    private func add(_ more: UserImport.Outcome) {
        outcome.made += more.made
        outcome.present += more.present
        outcome.refused += more.refused
        outcome.withForeignPassword += more.withForeignPassword
        outcome.withoutPassword += more.withoutPassword
    }
}

/// The users of a file, some at a time, while others write those of before.
private final class UserReader {
    struct Entry {
        let place: String
        let object: Result<JSONObject, CognitoUser.Misfit>
    }

    private let path: String
    private var elements: SourceElements?
    private var count = 0

    init(_ path: String) {
        self.path = path
    }

    /// So many entries of `Users` at most, and whether the file is at its end.
    func next(_ max: Int) throws(TransferError) -> ([Entry], Bool) {
        var entries: [Entry] = []
        do throws(MovingFault) {
            if elements == nil { elements = SourceElements(try SourceFile(path)) }
            while entries.count < max {
                let isThere = try elements?.next { list, bytes throws(MovingFault) in
                    count += 1
                    guard list == "Users" || list.isEmpty else { return }
                    let object = Result { () throws(CognitoUser.Misfit) in try PeopleFolder.object(of: bytes) }
                    entries.append(Entry(place: "\(path), element \(count)", object: object))
                }
                guard isThere == true else { return (entries, true) }
            }
            return (entries, false)
        } catch { throw .unreadable(error.description) }
    }
}
