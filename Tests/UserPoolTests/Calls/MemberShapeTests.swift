import Cloud
import JSON
import Testing

@testable import UserPool

@Suite("What members of requests are of")
struct MemberShapeTests {
    private static let texts: [(form: MemberPattern, admitted: [String], refused: [String])] = [
        (
            .identifier, ["us-east-1_abcDEF123", "a_0", "us_east_1_x", "_a_0"],
            [
                "us-east-1", "abc", "us-east-1_", "_abc", "us-east-1_a-b", "us-east-1_é", "us east_1", "us-east-1_a ",
                "a_b\n",
            ]
        ),
        (
            .deviceKey, ["us-east-1_11111111-2222-4333-8444-555555555555", "a_0", "a_-"],
            ["x", "us-east-1", "us-east-1_", "_0", "us-east-1_G", "us-east-1_AB", "us-east-1_0 ", "a_0\u{0}"]
        ),
        (.base64, ["abcXYZ019+/=", "_", "="], ["a b", "a-b", "é", "a\n", "a\u{0}", "\u{202E}"]),
        (
            .name, ["ann", "Ünï", "用户", "a+b@example.com", "e\u{301}", "😀", "\u{FFFD}"],
            ["a b", "a\tb", "a\u{A0}", "a\u{200B}", "\u{202E}a", "a\u{0}", "\u{FEFF}a", "a\u{85}", "a\u{2028}"]
        ),
        (.digits, ["0", "123456"], ["12 345", "-1", "+1", "１２３", "१२३", "1\u{301}"]),
        (
            .identity, ["us-east-1:11111111-2222-4333-8444-555555555555"],
            ["us-east-1", ":0", "us-east-1:", "us-east-1:G", "us-east-1:0:1", "us-east-1:../0", "us east:0"]
        ),
    ]

    @Test("are of the characters that the service's patterns name, in their places", arguments: texts)
    func characters(form: MemberPattern, admitted: [String], refused: [String]) {
        for text in admitted { #expect(form.admits(text), "\(form) \(text.debugDescription)") }
        for text in refused { #expect(!form.admits(text), "\(form) \(text.debugDescription)") }
    }

    @Test("the pool of a request is looked for only where it can be one's name")
    func pools() async throws {
        let pool = try TestPool()
        for (name, type) in [
            ("us-east-1_other0000", "ResourceNotFoundException"), ("other", "InvalidParameterException"),
            ("us-east-1_", "InvalidParameterException"), ("_abcDEF123", "InvalidParameterException"),
        ] {
            do throws(PoolError) {
                try await pool.call("ListUsers", ["UserPoolId": .string(name)], by: true)
                Issue.record("\(name) is a pool")
            } catch {
                #expect(error.type == type, "\(name)")
            }
        }
    }
}
