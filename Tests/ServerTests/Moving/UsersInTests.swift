import Foundation
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("homeport move-in of users")
struct UsersInTests {
    private static let ann = "11111111-2222-4333-8444-555555555555"
    private static let users = """
        {"Users":[{"Username":"ann","Attributes":[{"Name":"email","Value":"ann@example.com"},{"Name":"email_verified","Value":"true"},{"Name":"sub","Value":"\(ann)"}],"UserCreateDate":"2024-05-01T10:00:00.123000+02:00","UserLastModifiedDate":1714557600.123,"Enabled":true,"UserStatus":"CONFIRMED"},
        {"Username":"Google_1234","Attributes":[{"Name":"identities","Value":"[{\\"userId\\":\\"1234\\",\\"providerName\\":\\"Google\\",\\"providerType\\":\\"Google\\",\\"issuer\\":null,\\"primary\\":true,\\"dateCreated\\":1700000000000}]"}],"UserCreateDate":1700000000.123,"Enabled":false,"UserStatus":"EXTERNAL_PROVIDER"}]}
        """

    private func exported(_ world: MoveWorld) throws -> [JSONValue] {
        try world.users().map { try JSONReader.value(of: $0) }
    }

    private func moved(_ world: MoveWorld) throws -> MoveWorld.Said {
        try world.moveIn {
            $0.tables = []
            $0.users = [world.folder.file("people")]
        }
    }

    @Test("brings users with their sub, dates, groups and links")
    func brings() throws {
        let world = try MoveWorld()
        try world.folder.write(Self.users, to: "people/users.json")
        try world.folder.write(
            #"{"Groups":[{"GroupName":"admins","UserPoolId":"us-east-1_abcDEF123","Precedence":1,"CreationDate":1700000000.1}]}"#,
            to: "people/groups.json")
        try world.folder.write(
            #"{"Users":[{"Username":"ann","Attributes":[],"Enabled":true,"UserStatus":"CONFIRMED"}]}"#,
            to: "people/groups/admins.json")
        let said = try moved(world)
        #expect(said.code == .success, "\(said.all)")
        #expect(said.output.contains("2 users of 2 came"), "\(said.all)")
        let lines = try exported(world)
        let ann = try #require(lines.first { $0["username"]?.string == "ann" })
        #expect(ann["sub"]?.string == Self.ann)
        #expect(ann["status"]?.string == "RESET_REQUIRED")
        #expect(ann["created"]?.string == "2024-05-01T08:00:00.123Z")
        #expect(ann["modified"]?.string == "2024-05-01T10:00:00.123Z")
        #expect(ann["groups"]?.array == ["admins"])
        #expect(lines.contains { $0["group"]?.string == "admins" && $0["precedence"]?.integer == 1 })
        let linked = try #require(lines.first { $0["username"]?.string == "Google_1234" })
        #expect(linked["enabled"]?.bool == false)
        #expect(linked["status"]?.string == "EXTERNAL_PROVIDER")
        #expect(linked["links"]?.array?.first?["subject"]?.string == "1234")
        let again = try moved(world)
        #expect(again.output.contains("0 users of 2 came, 2 were there already"), "\(again.all)")
    }

    @Test("takes hashes and factors of other files, and Cognito's table")
    func others() throws {
        let world = try MoveWorld()
        try world.folder.write(Self.users, to: "people/users.json")
        let hash = "$2b$10$N9qo8uLOickgx2ZMRZoMyeDcyTu.Nr6vUoF9FuTn655w2h94VGm4S"
        try world.folder.write(#"{"username":"ann","passwordHash":"\#(hash)"}"# + "\n", to: "people/hashes.jsonl")
        try world.folder.write(
            #"{"Username":"ann","UserAttributes":[],"UserMFASettingList":["SOFTWARE_TOKEN_MFA"],"PreferredMfaSetting":"SOFTWARE_TOKEN_MFA"}"#
                + "\n", to: "people/details.jsonl")
        try world.folder.write(
            "cognito:username,name,email,email_verified,cognito:mfa_enabled\nbob,\"Bob\",bob@example.com,TRUE,FALSE\n",
            to: "people/more.csv")
        let said = try moved(world)
        #expect(said.code == .success, "\(said.all)")
        #expect(said.diagnostics.contains("1 user had an authenticator app"), "\(said.all)")
        let lines = try exported(world)
        let ann = try #require(lines.first { $0["username"]?.string == "ann" })
        #expect(ann["status"]?.string == "CONFIRMED")
        #expect(ann["passwordHash"]?.string == hash)
        #expect(lines.contains { $0["username"]?.string == "bob" })
    }

    static let misfits: [(user: String, reason: String)] = [
        (#"{"Attributes":[]}"#, "it has no Username"),
        (#"{"Username":"ann","UserStatus":"GONE"}"#, "its UserStatus is GONE"),
        (#"{"Username":"ann","UserCreateDate":"yesterday"}"#, "UserCreateDate is no time: yesterday"),
        (
            #"{"Username":"x","Attributes":[{"Name":"custom:plan","Value":"gold"}],"UserStatus":"CONFIRMED"}"#,
            "custom:plan"
        ),
        (
            #"{"Username":"x","Attributes":[{"Name":"identities","Value":"?"}]}"#,
            "the attribute identities is no JSON list"
        ),
        (#"{"Username":"good","UserStatus":"CONFIRMED"}"#, "the user good came already: a list has it twice"),
        ("7", "expected an object, found an integer"),
    ]

    @Test("lists users who cannot come, with the place and the reason", arguments: misfits)
    func lists(user: String, reason: String) throws {
        let world = try MoveWorld()
        try world.folder.write(
            #"{"Users":[{"Username":"good","UserStatus":"CONFIRMED"},\#(user)]}"#, to: "people/users.json")
        let said = try moved(world)
        #expect(said.code == .failure)
        #expect(said.diagnostics.contains("people/users.json, element 2: "), "\(said.all)")
        #expect(said.diagnostics.contains(reason), "\(said.all)")
        #expect(try exported(world).count == 1)
    }
}
