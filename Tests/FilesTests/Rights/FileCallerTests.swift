import Access
import Testing

@testable import Files

@Suite("Callers of files")
struct FileCallerTests {
    private func principal(
        _ role: IAMPrincipal.Role, identity: String? = "r:1", inGroup: Bool = false, group: String? = nil,
        function: String? = nil
    ) -> IAMPrincipal {
        IAMPrincipal(
            role: role, accessKeyID: "AKIA", identityID: identity, isInGroupRole: inGroup, group: group,
            function: function)
    }

    @Test("are who their credentials say")
    func areWhoTheyAre() {
        let rows: [(principal: IAMPrincipal, caller: FileCaller)] = [
            (principal(.authenticated), .user(identity: "r:1")),
            (principal(.authenticated, identity: nil), .user(identity: "")),
            (principal(.unauthenticated), .guest(identity: "r:1")),
            (principal(.administrator, identity: nil), .administrator),
            (principal(.authenticated, inGroup: true, group: "editors"), .member(group: "editors", identity: "r:1")),
            (principal(.authenticated, inGroup: true), .member(group: "", identity: "r:1")),
            (principal(.administrator, inGroup: true, group: "g"), .member(group: "g", identity: "r:1")),
            (principal(.administrator, function: "resize"), .function(name: "resize")),
            (principal(.authenticated, inGroup: true, group: "g", function: "resize"), .function(name: "resize")),
        ]
        for row in rows { #expect(FileCaller(row.principal) == row.caller) }
    }

    @Test("in the role of a group that is not known have no rights")
    func haveNoRights() {
        let caller = FileCaller(principal(.authenticated, inGroup: true))
        #expect(!Version1Rights(users: .all, groups: ["editors": .all]).allow(.get, "public/x", to: caller))
        #expect(
            !Version2Rights([("public/*", [PathRule(.authenticated, .all), PathRule(.group("editors"), .all)])])
                .allow(.get, "public/x", to: caller))
    }
}
