import Crypto
import Glibc
import JSON
import Network
import Synchronization
import TestSupport
import Testing

@testable import Server

/// What tokens of `homeport token` say, and that all commands of a folder call its pool by the same names.
@Suite("Tokens of a data folder")
struct TokenCommandTests {
    private static let schema = "type Note @model @auth(rules: [{ allow: owner }]) { id: ID! text: String }"

    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(Self.schema, to: "schema.graphql")
    }

    private func resolution(
        data: String = "data", _ more: [String: [String]] = [:]
    ) throws -> ConfigurationResolver.Resolution {
        let options = ["schema": [folder.file("schema.graphql")], "data": ["\(folder.path)/\(data)"]]
        return try ConfigurationResolver.resolve(options: options.merging(more) { $1 })
    }

    private func run(
        _ body: (CommandOutput) -> ExitCode
    ) throws -> (output: String, diagnostics: String) {
        let output = Mutex("")
        let diagnostics = Mutex("")
        let code = body(
            CommandOutput(
                standard: { text in output.withLock { $0 += text } },
                diagnostics: { text in diagnostics.withLock { $0 += text } }))
        try #require(code == .success, "\(diagnostics.withLock { $0 })")
        return (output.withLock { $0 }, diagnostics.withLock { $0 })
    }

    private func token(
        _ name: String, _ use: String = "id", groups: [String] = [], claims: [String] = []
    ) throws -> (claims: JSONValue, diagnostics: String) {
        let resolution = try resolution()
        let (output, diagnostics) = try run {
            TokenCommand.run(
                resolution, TokenCommand.Wish(use, username: name, groups: groups, claims: claims), $0)
        }
        let payload = output.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        return (try JSONReader.value(of: try #require(Base64.bytes(of: payload.utf8))), diagnostics)
    }

    private func add(_ name: String, groups: [String]) throws {
        var wish = UsersCommand.Wish(.add)
        wish.name = name
        wish.email = "\(name)@example.com"
        wish.attributes = ["family_name=Smith", "given_name=\(name)"]
        wish.password = "Secret-1234"
        wish.groups = groups
        let resolution = try resolution()
        _ = try run { UsersCommand.run(resolution, wish, $0) }
    }

    @Test("of a name that the pool has are those of its user, with sub, attributes and groups")
    func knownUser() throws {
        let before = try token("bob")
        #expect(before.claims["cognito:groups"] == nil && !before.diagnostics.contains("nobody"))
        try add("bob", groups: ["Editors", "Readers"])
        let known = try token("bob", groups: ["Readers", "More"], claims: ["given_name=Robert"]).claims
        #expect(known["sub"]?.string != before.claims["sub"]?.string)
        #expect(known["cognito:username"] == "bob" && known["email"] == "bob@example.com")
        #expect(known["email_verified"] == true && known["family_name"] == "Smith" && known["given_name"] == "Robert")
        let groups = Set(known["cognito:groups"]?.array?.compactMap(\.string) ?? [])
        #expect(groups == ["Editors", "Readers", "More"] && known["cognito:groups"]?.array?.count == 3)
        // By their address it is the same user, and in whatever case.
        for name in ["BOB", known["sub"]?.string ?? ""] {
            #expect(try token(name).claims["sub"] == known["sub"])
            #expect(try token(name).claims["cognito:username"] == "bob")
        }
        let access = try token("bob", "access").claims
        #expect(access["sub"] == known["sub"] && access["username"] == "bob" && access["email"] == nil)
        #expect(access["cognito:groups"]?.array?.count == 2)
    }

    @Test("of a name that the pool has not are told of as such, once it has users")
    func unknownUser() throws {
        try add("bob", groups: [])
        let (claims, diagnostics) = try token("ann")
        #expect(claims["cognito:username"] == "ann")
        #expect(diagnostics.contains("homeport: nobody in the pool is called ann: "))
    }

    /// The ways in which a folder may be written, and who comes first.
    static let ways: [(paths: [String], memoryFirst: Bool)] = [
        (["data"], true), (["data"], false), (["./data", "data", "data/"], true), (["sub/../data", "data"], false),
        (["deep/down/data", "deep/./down/data"], true),
    ]

    @Test("name its pool, client and buckets alike, in memory or not, whoever was first", arguments: ways)
    func names(_ way: (paths: [String], memoryFirst: Bool)) throws {
        var found: [String] = []
        func note(_ path: String, inMemory: Bool) throws {
            let configuration =
                try resolution(data: path, inMemory ? ["database": [":memory:"]] : [:]).configuration
            let identifiers = try PoolFile.identifiers(of: configuration)
            let buckets = try PoolFile.seedOfBuckets(of: configuration)
            found.append(
                "\(identifiers) \(String(decoding: buckets, as: UTF8.self)) \(try PoolFile.nativeClient(of: configuration).id)"
            )
        }
        for path in way.paths {
            try note(path, inMemory: way.memoryFirst)
            try note(path, inMemory: !way.memoryFirst)
        }
        #expect(Set(found).count == 1, "\(found)")
        try note("other", inMemory: true)
        #expect(Set(found).count == 2)
    }

    @Test("a folder that was moved keeps its names")
    func moved() throws {
        let before = try PoolFile.identifiers(of: try resolution().configuration)
        try #require(rename("\(folder.path)/data", "\(folder.path)/moved") == 0)
        for options in [[:], ["database": [":memory:"]]] {
            let after = try PoolFile.identifiers(of: try resolution(data: "moved", options).configuration)
            #expect("\(after)" == "\(before)")
        }
    }

    @Test("what a command beside a server finds leads to that server, from any folder")
    func beside() throws {
        let configuration = try resolution(data: "x/../data", ["database": [":memory:"], "port": ["0"]]).configuration
        let place = GuestPlace()
        defer { place.remove() }
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 4_711))
        let variables = place.variables(
            ["HOME": "/h"], configuration, at: address, database: "/m/data.sqlite", files: "/m/files",
            region: "eu-west-1", testKey: nil, hasFile: false)
        #expect(variables["HOMEPORT_URL"] == "http://127.0.0.1:4711" && variables["HOMEPORT_PORT"] == "4711")
        #expect(variables["HOMEPORT_DATA"] == DataFolder.absolute("\(folder.path)/data"))
        #expect(variables["HOMEPORT_SCHEMA"] == DataFolder.absolute(folder.file("schema.graphql")))
        #expect(variables["HOME"] == "/h")
        let found = try ConfigurationResolver.resolve(environment: variables)
        #expect(found.warnings == [])
        #expect(found.configuration.listeners.map(\.description) == ["127.0.0.1:4711"])
        // The names that the server has.
        #expect(
            "\(try PoolFile.identifiers(of: found.configuration))"
                == "\(try PoolFile.identifiers(of: configuration))")
    }
}
