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
}
