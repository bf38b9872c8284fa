import JSON
import Store
import Testing

@testable import UserPool

@Suite("Identities that wait for their users")
struct WaitingIdentityTests {
    private typealias Pool = TestIdentityPool
    static let moved = "us-east-1:99999999-2222-4333-8444-555555555555"

    @Test("nobody acts under one by naming it: its user gets it from the operator, and nobody else does after that")
    func attackers() async throws {
        let test = try await Pool()
        let (ann, eve) = (try await test.makeUser("ann"), try await test.makeUser("eve"))
        let owners = IdentityImport(into: test.pool)
        #expect(try await owners.hold([Self.moved, Self.moved], on: PoolShard()) == [Self.moved, Self.moved])
        for operation in ["GetCredentialsForIdentity", "GetOpenIdToken"] {
            let guest = await test.ask(operation, Self.moved)
            #expect(guest["!"]?.string == "ResourceNotFoundException: Identity '\(Self.moved)' not found.")
            // A login gets an identity of its own, as with any name that it has made up.
            let answer = await test.ask(operation, Self.moved, token: test.token(eve))
            let own = try #require(answer["IdentityId"]?.string, "\(answer)")
            #expect(own != Self.moved && test.pool.identityNames.isOwn(own))
        }
        let unlinked = await test.ask(
            "UnlinkIdentity", Self.moved, token: test.token(eve), remove: [TestIdentityPool.provider])
        #expect(unlinked["!"] != nil)

        let pairs = [("ann", Self.moved), ("eve", Self.moved)].map { IdentityImport.Pair(user: $0.0, id: $0.1) }
        let outcomes = try await owners.run(pairs, on: PoolShard())
        guard case .made = outcomes[0], case .refused(let why) = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(why.hasPrefix("the user eve has the identity us-east-1:"))
        #expect(try await test.identity(of: test.token(ann)) == Self.moved)
        #expect(await test.ask("GetCredentialsForIdentity", Self.moved, token: test.token(ann))["Credentials"] != nil)
        #expect(
            await test.ask("GetCredentialsForIdentity", Self.moved, token: test.token(eve))["!"]?.string?
                .hasPrefix("NotAuthorizedException") == true)
        #expect(
            await test.ask("GetCredentialsForIdentity", Self.moved)["!"]?.string
                == "NotAuthorizedException: Access to Identity '\(Self.moved)' is forbidden.")
        // It has its user: it waits for none any more.
        #expect(try await owners.hold([Self.moved], on: PoolShard()) == [])
        #expect(try test.store.readerBeside().isWaiting(Self.moved) == false)
    }

    @Test("one that its user has left is nobody's for ever, also for the operator")
    func left() async throws {
        let test = try await Pool()
        let ann = try await test.makeUser("ann")
        let owners = IdentityImport(into: test.pool)
        let pair = [IdentityImport.Pair(user: "ann", id: Self.moved)]
        _ = try await owners.run(pair, on: PoolShard())
        let answer = await test.ask(
            "UnlinkIdentity", Self.moved, token: test.token(ann), remove: [TestIdentityPool.provider])
        #expect(answer["!"] == nil, "\(answer)")
        #expect(try await owners.hold([Self.moved], on: PoolShard()) == [Self.moved])
        guard case .refused = try await owners.run(pair, on: PoolShard())[0] else {
            Issue.record("it was given again")
            return
        }
        #expect(await test.ask("GetCredentialsForIdentity", Self.moved)["!"] != nil)
    }
}
