import Glibc
import JSON
import TestSupport
import Testing

@testable import Server

/// What becomes of the file that an app has, and of what developers change in the one that a server writes.
@Suite("Files for apps that are there")
struct ClientFileKeeperTests {
    private static let name = "amplify_outputs.json"
    private static let cloud = #"{"version":"1","auth":{"user_pool_id":"eu-west-1_REAL"}}"#

    private static func edited(_ project: ClientProject, _ url: String) throws {
        var file = try #require(try project.value(name).object)
        var data = try #require(file["data"]?.object)
        data["url"] = .string(url)
        file["data"] = .object(data)
        file["custom"] = ["mine": 1]
        try project.folder.write(JSONWriter.text(of: .object(file)), to: name)
    }

    @Test("an address that a developer changed stays, and the first file is the original for ever")
    func keepsOriginal() throws {
        let project = try ClientProject.version2()
        try project.folder.write(Self.cloud, to: Self.name)
        #expect(try project.write(Self.name).contains(".homeport/clients/amplify_outputs.json"))
        // Nothing lies beside the app's file, where version control would take it.
        #expect(!project.folder.names.contains { $0.contains("before-homeport") })
        try Self.edited(project, "HTTP://localhost:20002/graphql")
        for port in [20_002, 20_003] {
            #expect(try project.write(Self.name, port: port).isEmpty)
            let file = try project.value(Self.name)
            #expect(file["data"]?["url"] == "HTTP://localhost:20002/graphql" && file["custom"] == ["mine": 1])
        }
        // A deployment writes the file anew: that one is kept too, and is not what was there first.
        try project.folder.write(#"{"version":"1","auth":{"user_pool_id":"eu-west-1_NEWER"}}"#, to: Self.name)
        #expect(try project.write(Self.name).contains("clients/amplify_outputs-2.json"))
        #expect(try project.restore().contains("is what it was before Homeport"))
        #expect(project.folder.read(Self.name) == Self.cloud)
        #expect(project.folder.read(".homeport/clients/amplify_outputs-2.json").contains("NEWER"))
        #expect(try project.restore().isEmpty)
    }

    /// Addresses that somebody put in, and whether the file is still the server's.
    static let addressCases: [(url: String, stays: Bool)] = [
        ("HTTP://127.0.0.1:20002/graphql", true), ("https://dev.example.com/graphql", true),
        ("https://abc.appsync-api.eu-west-1.amazonaws.com/graphql", false), ("none", false),
    ]

    @Test("an address of the cloud makes the file another's", arguments: addressCases)
    func tellsAddresses(url: String, stays: Bool) throws {
        let project = try ClientProject.version2()
        try project.write(Self.name)
        try Self.edited(project, url)
        #expect(try project.write(Self.name).isEmpty == stays)
        #expect(
            try project.value(Self.name)["data"]?["url"]?.string == (stays ? url : "http://127.0.0.1:20002/graphql"))
    }

    @Test(
        "a file that a server wrote is known without the data folder that it had", arguments: [nil, "^6.15.0"],
        [false, true])
    func knowsItsOwn(version: String?, isExports: Bool) throws {
        let project = try ClientProject.version2(asking: version)
        let name = isExports ? "aws-exports.js" : Self.name
        try project.write(name)
        try eraseData(project)
        #expect(try project.write(name, port: 20_003).isEmpty)
        #expect(project.folder.read(name).contains(":20003/graphql"))
        #expect(try project.restore().contains("is removed"))
    }

    private func eraseData(_ project: ClientProject) throws {
        unlink(project.folder.file(".homeport/outputs.json"))
        rmdir(project.folder.file(".homeport/clients"))
        #expect(!project.folder.read(".homeport/.gitignore").isEmpty)
    }

    @Test("links of several apps to one file stay links")
    func followsLinks() throws {
        let project = try ClientProject.version2()
        try project.folder.write(Self.cloud, to: "shared/\(Self.name)")
        #expect(symlink("shared/\(Self.name)", project.folder.file(Self.name)) == 0)
        try project.write(Self.name)
        #expect(project.folder.read("shared/\(Self.name)").contains("/graphql"))
        try project.restore()
        #expect(project.folder.read("shared/\(Self.name)") == Self.cloud)
        var status = stat()
        #expect(lstat(project.folder.file(Self.name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    // MARK: exec

    private static func loan(_ project: ClientProject, _ lines: LogQueue) -> ClientFileLoan {
        ClientFileLoan(in: project.folder.file(".homeport"), Log(LogSettings(), to: lines))
    }

    /// What was there before a command was run; nil: nothing.
    static let formerContents: [String?] = [nil, cloud, "served"]

    @Test(
        "a command's file is the app's own, and what was there is back behind it, byte by byte",
        arguments: formerContents)
    func lends(before: String?) throws {
        let project = try ClientProject.version2(asking: "^6.15.0")
        if before == "served" { try project.write(Self.name) }
        if let before, before != "served" { try project.folder.write(before, to: Self.name) }
        let former = project.folder.read(Self.name)
        let lines = LogQueue(.text)
        defer { lines.stop() }
        let loan = Self.loan(project, lines)
        loan.begin(try project.file(port: 20_005), at: [project.folder.file(Self.name)])
        #expect(project.folder.read(Self.name).contains(":20005/graphql"))
        // Another one leaves it alone.
        let second = Self.loan(project, lines)
        second.begin(try project.file(port: 20_006), at: [project.folder.file(Self.name)])
        second.end()
        #expect(project.folder.read(Self.name).contains(":20005/graphql"))
        loan.end()
        loan.end()
        #expect(project.folder.read(Self.name) == former)
        #expect(access(project.folder.file(".homeport/clients/\(Self.name)"), F_OK) != 0)
        if before == "served" { #expect(try project.write(Self.name).isEmpty) }
    }

    @Test("a command that was killed loses no original")
    func survivesKill() throws {
        let project = try ClientProject.version2()
        try project.folder.write(Self.cloud, to: Self.name)
        let lines = LogQueue(.text)
        defer { lines.stop() }
        let loan = Self.loan(project, lines)
        loan.begin(try project.file(port: 20_005), at: [project.folder.file(Self.name)])
        // What a kill leaves: the file of a server that is gone, and what the data folder remembers.
        #expect(try project.write(Self.name).isEmpty)
        #expect(try project.restore().contains("is what it was before Homeport"))
        #expect(project.folder.read(Self.name) == Self.cloud)
    }
}
