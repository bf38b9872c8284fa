import JSON
import Testing

@testable import Access

@Suite("Whether two proofs are of one caller")
struct SamenessTests {
    private static func token(_ claims: String) throws -> Identity {
        .userPool(claims: try #require(try JSONReader.value(of: claims).object))
    }

    @Test(
        "a renewed token is, one that says anything else is not",
        arguments: [
            (#"{"sub":"a","iss":"i","iat":2,"exp":3,"auth_time":2,"jti":"y","origin_jti":"z"}"#, true),
            (#"{"iss":"i","sub":"a"}"#, true), (#"{"sub":"b","iss":"i"}"#, false), (#"{"sub":"a","iss":"j"}"#, false),
            (#"{"sub":"a","iss":"i","cognito:groups":["Admin"]}"#, false), (#"{"sub":"a"}"#, false),
            (#"{"sub":"\u212B","iss":"i"}"#, false),
        ])
    func tokens(_ row: (claims: String, isSame: Bool)) throws {
        let one = try Self.token(#"{"sub":"a","iss":"i","iat":1,"exp":2,"jti":"x"}"#)
        #expect(one.isSameCaller(as: try Self.token(row.claims)) == row.isSame)
    }

    @Test("texts are the same when their bytes are")
    func bytes() throws {
        let kelvin = try Self.token(#"{"sub":"\u212Aate"}"#)
        #expect(!kelvin.isSameCaller(as: try Self.token(#"{"sub":"Kate"}"#)))
        #expect(kelvin.isSameCaller(as: try Self.token(#"{"sub":"\u212Aate"}"#)))
    }

    @Test("an identity of a pool is the same with keys that were given out anew, and nobody else with another key")
    func newKeys() {
        func signer(_ key: String, _ identity: String?, inGroup: Bool = false) -> Identity {
            .iam(IAMPrincipal(role: .authenticated, accessKeyID: key, identityID: identity, isInGroupRole: inGroup))
        }
        #expect(signer("A", "1").isSameCaller(as: signer("B", "1")))
        #expect(!signer("A", "1").isSameCaller(as: signer("B", "2")))
        #expect(!signer("A", "1").isSameCaller(as: signer("B", "1", inGroup: true)))
        #expect(!signer("A", nil).isSameCaller(as: signer("B", nil)))
        #expect(!signer("A", nil).isSameCaller(as: signer("B", "1")))
    }

    @Test("callers of other modes are not, and of the others those who have the same rights")
    func modes() {
        let context = JSONObject([("tenant", "a")])
        let callers: [Identity] = [
            .apiKey, .oidc(claims: JSONObject([("sub", "a")])), .userPool(claims: JSONObject([("sub", "a")])),
            .iam(.authenticated, identityID: "1"), .iam(.authenticated, identityID: "2"), .iam(.administrator),
            .lambda(deniedFields: [String]()), .lambda(resolverContext: context, deniedFields: [String]()),
            .lambda(resolverContext: context, deniedFields: ["Query.a"]),
        ]
        for (place, one) in callers.enumerated() {
            for (other, caller) in callers.enumerated() {
                #expect(one.isSameCaller(as: caller) == (place == other), "\(place) \(other)")
            }
        }
        #expect(Identity.apiKey.isSameCaller(as: .apiKey(expires: 1)))
    }
}
