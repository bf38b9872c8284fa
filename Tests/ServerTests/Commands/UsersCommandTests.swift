import JSON
import Testing

@testable import Server

@Suite("The list of users")
struct UsersCommandTests {
    private static let id = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

    @Test(
        "names a user by the address that they sign in by, where the pool has made the name",
        arguments: [
            (id, ["sub": id, "email": "ann@example.org", "phone_number": "+4712345678"], "ann@example.org"),
            (id, ["sub": id, "email": "", "phone_number": "+4712345678"], "+4712345678"), (id, ["sub": id], id),
            // A name that somebody has chosen.
            ("ann", ["sub": id, "email": "ann@example.org"], "ann"),
            (id, ["sub": "another", "email": "ann@example.org"], id),
        ])
    func names(username: String, attributes: [String: String], shown: String) {
        let user: JSONValue = [
            "Username": .string(username),
            "Attributes": .array(attributes.map { ["Name": .string($0.key), "Value": .string($0.value)] }),
        ]
        #expect(UsersCommand.shownName(of: user) == shown)
    }
}
