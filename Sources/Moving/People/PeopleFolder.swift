import JSON
import Network

/// Files of Cognito's lists: users, groups, who is in a group, what `AdminGetUser` says, and hashes of passwords.
///
///     users.json                  pages of `list-users`, joined or not
///     groups.json                 pages of `list-groups`
///     groups/admins.json          pages of `list-users-in-group` of the group admins; also `group-admins.json`
///     details.jsonl               answers of `admin-get-user`, a line each
///     hashes.jsonl                {"username": …, "passwordHash": …}, a line each
///     users.csv                   Cognito's table of users
package struct PeopleFolder: Sendable {
    package enum Kind: Sendable {
        case users
        case members(group: String)
        /// A line for each user.
        case lines
        case table

        package var isUsers: Bool { if case .users = self { true } else { false } }
        package var isLines: Bool { if case .lines = self { true } else { false } }
        package var isTable: Bool { if case .table = self { true } else { false } }
    }

    package let files: [(path: String, kind: Kind)]
    /// Files that are none of these.
    package let others: [String]

    package init(_ path: String) throws(MovingFault) {
        var files: [(String, Kind)] = []
        var others: [String] = []
        if FileStatus.isFile(path) {
            guard let kind = Self.kind(of: path) else {
                throw MovingFault(path, "it is neither .json, .jsonl nor .csv")
            }
            files.append((path, kind))
        } else {
            try FolderWalk.files(below: path, wrong: { $0 }) { name throws(MovingFault) in
                let file = "\(path)/\(name)"
                if let kind = Self.kind(of: file) { files.append((file, kind)) } else { others.append(file) }
            }
        }
        self.files = files
        self.others = others
    }

    private static func kind(of path: String) -> Kind? {
        let parts = path.parts(separatedBy: "/")
        guard let name = parts.last else { return nil }
        func without(_ end: String) -> String? { name.hasSuffix(end) ? String(name.dropLast(end.utf8.count)) : nil }
        if without(".csv") != nil { return .table }
        if without(".jsonl") ?? without(".jsonl.gz") != nil { return .lines }
        guard let stem = without(".json") ?? without(".json.gz") else { return nil }
        if parts.count > 1, ["groups", "members"].contains(parts[parts.count - 2]) { return .members(group: stem) }
        for prefix in ["group-", "members-", "list-users-in-group-"] where stem.hasPrefix(prefix) {
            return .members(group: String(stem.dropFirst(prefix.count)))
        }
        return .users
    }

    /// Hands each entry of a file to the closure, with the name of its list and its place.
    package static func entries<Failure: Error>(
        of path: String, _ kind: Kind, wrong: (MovingFault) -> Failure,
        _ body: (_ list: String, _ place: String, _ entry: Result<JSONObject, CognitoUser.Misfit>) throws(Failure) ->
            Void
    ) throws(Failure) {
        var stop: Failure?
        do throws(MovingFault) {
            let file = try SourceFile(path)
            func hand(_ list: String, _ place: String, _ bytes: UnsafeRawBufferPointer) throws(MovingFault) {
                let entry = Result { () throws(CognitoUser.Misfit) in try object(of: bytes) }
                do throws(Failure) { try body(list, place, entry) } catch {
                    stop = error
                    throw MovingFault(path, "stopped")
                }
            }
            if kind.isLines {
                var lines = SourceLines(file)
                var number = 0
                while try lines.next({ bytes throws(MovingFault) in
                    number += 1
                    guard bytes.contains(where: { $0 > 0x20 }) else { return }
                    try hand("", "\(path):\(number)", bytes)
                }) {}
            } else {
                var elements = SourceElements(file)
                var number = 0
                while try elements.next({ list, bytes throws(MovingFault) in
                    number += 1
                    try hand(list, "\(path), element \(number)", bytes)
                }) {}
            }
        } catch { throw stop ?? wrong(error) }
    }

    package static func object(of bytes: UnsafeRawBufferPointer) throws(CognitoUser.Misfit) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
            throw CognitoUser.Misfit(
                reason: "column \(error.position.column): expected \(error.expected), found \(error.found)")
        }
        guard let object = value.object else {
            throw CognitoUser.Misfit(reason: "expected an object, found \(value.kind)")
        }
        return object
    }
}
