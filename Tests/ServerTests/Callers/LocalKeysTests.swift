import Access
import TestSupport
import Testing

@testable import Server

@Suite("The keys of the local issuer")
struct LocalKeysTests {
    private let folder = TemporaryFolder()

    @Test("are made once, for their owner's eyes, and survive")
    func survive() throws {
        let data = "\(folder.path)/data"
        let keys = try LocalKeys.keys(in: data)
        #expect(try LocalKeys.keys(in: data).published == keys.published)
        #expect(folder.mode(of: "data/issuer-key.pem") == 0o600)
        #expect(folder.mode(of: "data/issuer-keys.json") == 0o600)
    }

    @Test("are an error that names the file where it holds none, or cannot be")
    func broken() throws {
        try folder.write("no key", to: "issuer-key.pem")
        let path = "\(folder.path)/issuer-key.pem"
        #expect(throws: LocalKeys.Failure("\(path) holds no RSA key; delete it, and a new one is made")) {
            try LocalKeys.keys(in: folder.path)
        }
        #expect(throws: LocalKeys.Failure("cannot make the folder /dev/null/nowhere: Not a directory")) {
            try LocalKeys.keys(in: "/dev/null/nowhere")
        }
    }

    @Test("are read from a file up to a limit")
    func limit() throws {
        try folder.write(String(repeating: " ", count: 100), to: "jwks.json")
        guard case .local(let name, let read) = TokenIssuer.Keys.file("\(folder.path)/jwks.json") else {
            return #expect(Bool(false))
        }
        #expect(name.hasSuffix("jwks.json"))
        #expect(read(100)?.count == 100)
        #expect(read(99) == nil)
        let missing = TokenIssuer.Keys.file("\(folder.path)/none.json")
        guard case .local(_, let readMissing) = missing else { return #expect(Bool(false)) }
        #expect(readMissing(100) == nil)
    }

    @Test("are published as long as one of their tokens may be good, and not longer")
    func former() throws {
        let data = folder.path
        let now: Int64 = 1_800_000_000
        let first = try LocalKeys.keys(in: data).signer.keyID
        let mark = try #require(LocalKeys.mark(in: data))
        let rotated = try LocalKeys.rotate(in: data, tokenSeconds: 3_600, now: now)
        #expect(LocalKeys.mark(in: data) != mark)
        #expect(rotated.signer.keyID != first)
        #expect(rotated.former.map(\.id) == [first])
        // A day at least, whatever the clients have now.
        #expect(rotated.former.map(\.until) == [now + 86_400 + 300])
        try LocalKeys.note(tokenUntil: now + 30 * 86_400, in: data, now: now)
        let second = try LocalKeys.rotate(in: data, tokenSeconds: 3_600, now: now)
        #expect(second.former.map(\.until) == [now + 86_400 + 300, now + 30 * 86_400 + 300])
        let third = try LocalKeys.rotate(in: data, tokenSeconds: 3_600, now: now + 2 * 86_400)
        #expect(third.former.map(\.id) == [rotated.signer.keyID, second.signer.keyID])
    }

    @Test("are no more than can be published, and one that was made stays in use")
    func formerMax() throws {
        let now: Int64 = 1_800_000_000
        var last = ""
        for _ in 0..<LocalKeys.formerMax {
            last = try LocalKeys.rotate(in: folder.path, tokenSeconds: 0, now: now).signer.keyID
        }
        #expect(throws: LocalKeys.Failure.self) {
            try LocalKeys.rotate(in: folder.path, tokenSeconds: 0, now: now)
        }
        #expect(try LocalKeys.keys(in: folder.path).signer.keyID == last)
    }

    @Test("of several who make one at once all are published")
    func atOnce() async throws {
        let path = folder.path
        let made = try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask { try LocalKeys.rotate(in: path, tokenSeconds: 0).signer.keyID }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        let keys = try LocalKeys.keys(in: path)
        #expect(made.count == 3)
        #expect(made.isSubset(of: Set(keys.former.map(\.id) + [keys.signer.keyID])))
    }
}
