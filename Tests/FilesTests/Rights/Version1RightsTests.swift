import TestSupport
import Testing

@testable import Files

@Suite("Rights of amplify add storage")
struct Version1RightsTests {
    private static let owner = "us-east-1:11111111-2222-4333-8444-555555555555"
    private static let other = "us-east-1:99999999-2222-4333-8444-555555555555"

    /// P put, G get, D delete, L list under that prefix; for the owner, another user, a guest.
    struct Row: Sendable, CustomStringConvertible {
        let key: String
        let owner: String
        let other: String
        let guest: String
        var description: String { key }
    }

    private static let rows: [Row] = [
        Row(key: "public/x", owner: "PGDL", other: "PGDL", guest: "PGDL"),
        Row(key: "public/", owner: "PGDL", other: "PGDL", guest: "PGDL"),
        Row(key: "protected/\(owner)/x", owner: "PGDL", other: "GL", guest: "GL"),
        Row(key: "protected/\(owner)/", owner: "PGDL", other: "GL", guest: "GL"),
        Row(key: "protected/", owner: "GL", other: "GL", guest: "GL"),
        Row(key: "protected/\(owner)", owner: "GL", other: "GL", guest: "GL"),
        Row(key: "protected/\(owner)x/y", owner: "GL", other: "GL", guest: "GL"),
        Row(key: "private/\(owner)/x", owner: "PGDL", other: "", guest: ""),
        Row(key: "private/\(owner)/", owner: "PGDL", other: "", guest: ""),
        Row(key: "uploads/x", owner: "P", other: "P", guest: "P"),
        Row(key: "private/\(owner)", owner: "", other: "", guest: ""),
        Row(key: "private/\(owner)x/y", owner: "", other: "", guest: ""),
        Row(key: "private/", owner: "", other: "", guest: ""),
        Row(key: "private//x", owner: "", other: "", guest: ""),
        Row(key: "private/../public/x", owner: "", other: "", guest: ""),
        Row(key: "public/../private/\(owner)/x", owner: "PGDL", other: "PGDL", guest: "PGDL"),
        Row(key: "uploads", owner: "", other: "", guest: ""),
        Row(key: "public", owner: "", other: "", guest: ""),
        Row(key: "", owner: "", other: "", guest: ""),
        Row(key: "/public/x", owner: "", other: "", guest: ""),
        Row(key: "Public/x", owner: "", other: "", guest: ""),
        Row(key: "publi\u{327}c/x", owner: "", other: "", guest: ""),
        Row(key: "anything/else", owner: "", other: "", guest: ""),
    ]

    private static let letters: [(FileAction, Character)] = [(.put, "P"), (.get, "G"), (.delete, "D"), (.list, "L")]

    private func allowed(_ key: String, to caller: FileCaller, by rights: any FileRights) -> String {
        String(Self.letters.filter { rights.allow($0.0, key, to: caller) }.map(\.1))
    }

    @Test("are those of the table when everything is permitted", arguments: rows)
    func followTheTable(row: Row) {
        let open = Version1Rights(users: .all, guests: .all)
        #expect(allowed(row.key, to: .user(identity: Self.owner), by: open) == row.owner)
        #expect(allowed(row.key, to: .user(identity: Self.other), by: open) == row.other)
        #expect(allowed(row.key, to: .guest(identity: Self.other), by: open) == row.guest)
        #expect(allowed(row.key, to: .guest(identity: Self.owner), by: open) == row.guest)
        let usersOnly = Version1Rights(users: .all)
        #expect(allowed(row.key, to: .user(identity: Self.owner), by: usersOnly) == row.owner)
        #expect(allowed(row.key, to: .guest(identity: Self.owner), by: usersOnly) == "")
        for caller in [FileCaller.anonymous, .member(group: "g", identity: Self.owner), .function(name: "f")] {
            #expect(allowed(row.key, to: caller, by: open) == "")
        }
        #expect(allowed(row.key, to: .administrator, by: usersOnly) == "PGDL")
    }

    @Test("are those of the permissions that were chosen, each by itself", arguments: rows)
    func followPermissions(row: Row) {
        let permissions: [(FileActions, String)] = [(.put, "P"), (.read, "GL"), (.delete, "D")]
        for number in 0..<8 {
            let chosen = permissions.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
            let actions = chosen.reduce(into: FileActions()) { $0.formUnion($1.0) }
            let letters = chosen.map(\.1).joined()
            let rights = Version1Rights(users: actions, guests: actions)
            #expect(
                allowed(row.key, to: .user(identity: Self.owner), by: rights) == row.owner.filter(letters.contains))
            #expect(
                allowed(row.key, to: .user(identity: Self.other), by: rights) == row.other.filter(letters.contains))
            #expect(
                allowed(row.key, to: .guest(identity: Self.other), by: rights) == row.guest.filter(letters.contains))
        }
    }

    @Test("of a group and of a function are those of the whole bucket", arguments: rows)
    func followGroups(row: Row) {
        let rights = Version1Rights(
            users: .all, guests: .all, groups: ["readers": .read, "all": .all], functions: ["resize": [.get, .put]])
        #expect(allowed(row.key, to: .member(group: "readers", identity: Self.owner), by: rights) == "GL")
        #expect(allowed(row.key, to: .member(group: "all", identity: Self.owner), by: rights) == "PGDL")
        #expect(allowed(row.key, to: .member(group: "others", identity: Self.owner), by: rights) == "")
        #expect(allowed(row.key, to: .function(name: "resize"), by: rights) == "PG")
        #expect(allowed(row.key, to: .function(name: "readers"), by: rights) == "")
    }

    @Test("of a look-alike are another's", arguments: LookAlikes.all)
    func tellLookAlikesApart(pair: LookAlikes) {
        let rights = Version1Rights(users: .all, groups: [pair.one: .all])
        #expect(rights.allow(.get, "private/\(pair.one)/x", to: .user(identity: pair.one)))
        #expect(!rights.allow(.get, "private/\(pair.one)/x", to: .user(identity: pair.other)))
        #expect(rights.allow(.get, "x", to: .member(group: pair.one, identity: "i")))
        #expect(!rights.allow(.get, "x", to: .member(group: pair.other, identity: "i")))
    }

    @Test("of an identity without an id, or with a slash in it, are nobody's", arguments: ["", "a/b", "/"])
    func refuseStrangeIdentities(identity: String) {
        let rights = Version1Rights(users: .all)
        #expect(!rights.allow(.get, "private/\(identity)/x", to: .user(identity: identity)))
        #expect(!rights.allow(.put, "protected/\(identity)/x", to: .user(identity: identity)))
    }
}
