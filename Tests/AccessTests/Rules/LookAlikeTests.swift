import JSON
import TestSupport
import Testing

@testable import Access

/// A user whose name looks like another's owns nothing of theirs, whatever decides.
@Suite("Somebody with a name that looks like another's")
struct LookAlikeTests {
    private let test: TestPolicy

    private static let claims = ["sub::username", "username", "email"]

    init() throws {
        let owners = Self.claims.enumerated().map { place, claim in
            """
            type Note\(place) @model @auth(rules: [{allow: owner, identityClaim: "\(claim)"}, {allow: public}]) {
              id: ID! owner: String text: String
              secret: String @auth(rules: [{allow: owner, identityClaim: "\(claim)"}])
            }
            type Mail\(place) @model
              @auth(rules: [{allow: owner, ownerField: "email", identityClaim: "\(claim)"}, {allow: public}]) {
              email: String! @primaryKey(sortKeyFields: ["num"]) num: Int!
              by: String @index(name: "byBy", sortKeyFields: ["email"], queryField: "mail\(place)By")
            }
            type Shared\(place) @model
              @auth(rules: [{allow: owner, ownerField: "editors", identityClaim: "\(claim)"}]) {
              id: ID! editors: [String]
            }
            """
        }
        test = try TestPolicy(
            owners.joined(separator: "\n") + """
                type Plan @model @auth(rules: [{allow: groups, groupsField: "team"}]) { id: ID! team: String }
                type Squad @model @auth(rules: [{allow: groups, groupsField: "teams"}]) { id: ID! teams: [String] }
                """)
    }

    private func caller(_ name: String, groups: [String] = []) -> Caller {
        let claims = JSONObject([
            ("sub", .string(name)), ("username", .string(name)), ("email", .string(name)),
            ("cognito:groups", .array(groups.map(JSONValue.string))),
        ])
        return test.policy.caller(
            Identity(mode: .userPools, proof: .token(TokenClaims(claims: claims))))
    }

    /// What a record may hold of somebody.
    private func stored(_ name: String, _ claim: String) -> [String] {
        claim == "sub::username" ? [name, "\(name)::\(name)"] : [name]
    }

    private func having(_ field: String, _ value: JSONValue) -> (String) -> JSONValue? {
        { $0 == field ? value : nil }
    }

    /// Each decision about what one owns, with whether it lets the caller.
    private func decisions(of caller: Caller, about name: String) throws -> [(what: String, lets: Bool)] {
        var found: [(what: String, lets: Bool)] = []
        for (place, claim) in Self.claims.enumerated() {
            let note = try test.model("Note\(place)")
            let mail = try test.model("Mail\(place)")
            let shared = try test.model("Shared\(place)")
            for owner in stored(name, claim) {
                let value = JSONValue.string(owner)
                let record = having("owner", value)
                let input = JSONObject([("owner", value)])
                let list = having("editors", .array([.string("x"), value]))
                found += [
                    ("creates as \(owner)", note.create.outcome(for: caller, input: input) != .deny),
                    ("updates", note.update.decision(for: caller, input: JSONObject(), record: record) != .deny),
                    ("deletes", note.delete.decision(for: caller, record: record) != .deny),
                    ("gets", note.get.decision(for: caller).admits(record)),
                    ("lists", note.list.decision(for: caller).admits(record)),
                    ("syncs", note.sync.decision(for: caller).admits(record)),
                    ("searches", note.search.decision(for: caller).admits(record)),
                    ("reads a field", note.field("secret")?.decision(for: caller).admits(record) ?? true),
                    ("is an editor", shared.list.decision(for: caller).admits(list)),
                    (
                        "updates as an editor",
                        shared.update.decision(for: caller, input: JSONObject(), record: list) != .deny
                    ),
                    ("gets by its key", lets(mail.get, caller, owner)),
                    ("lists by its key", lets(mail.list, caller, owner)),
                    ("queries an index", mail.query("mail\(place)By").map { lets($0, caller, owner) } ?? true),
                ]
            }
            let heard = note.listen.outcome(for: caller, hasClientFilter: false) { $0 == "owner" ? name : nil }
            found.append(("listens as \(name)", heard != .deny))
            if case .start(let filter?, _) = note.listen.outcome(
                for: caller, hasClientFilter: true, argument: { _ in nil })
            {
                found.append(("hears", filter.isMet(by: having("owner", .string(name)))))
            }
        }
        return found
    }

    private func lets(_ access: ReadAccess, _ caller: Caller, _ key: String) -> Bool {
        let decision = access.decision(for: caller) { $0 == "email" ? .equals(ByteText(key)) : .equals("x") }
        return decision.admits(having("email", .string(key)))
    }

    @Test("has nothing of what an owner has, who has all of it", arguments: LookAlikes.all)
    func owners(_ pair: LookAlikes) throws {
        for (what, lets) in try decisions(of: caller(pair.one), about: pair.one) {
            #expect(lets, "\(pair.one) \(what)")
        }
        for (what, lets) in try decisions(of: caller(pair.other), about: pair.one) {
            #expect(!lets, "\(pair.other) \(what) of \(pair.one)")
        }
    }

    @Test("or who is in a group that looks like another one", arguments: LookAlikes.all)
    func groups(_ pair: LookAlikes) throws {
        let schema = try TestPolicy(
            """
            type Room @model @auth(rules: [{allow: groups, groups: ["\(pair.one)"]}]) {
              id: ID! key: String @auth(rules: [{allow: groups, groups: ["\(pair.one)"]}])
            }
            type Query { hall: Room @aws_cognito_user_pools(cognito_groups: ["\(pair.one)"]) }
            """)
        for (group, isMember) in [(pair.one, true), (pair.other, false)] {
            let identity = Identity.userPool(username: "ann", sub: "sub-ann", groups: [group])
            let member = schema.policy.caller(identity)
            let room = try schema.model("Room")
            #expect((room.list.decision(for: member) == .allow) == isMember)
            #expect((room.create.outcome(for: member, input: JSONObject()) != .deny) == isMember)
            #expect((room.listen.outcome(for: member, hasClientFilter: false) { _ in nil } != .deny) == isMember)
            #expect(schema.policy.gate(type: "Query", field: "hall").admits(member) == isMember)
            let caller = caller("ann", groups: [group])
            let (text, list) = (JSONValue.string(pair.one), JSONValue.array([.string("x"), .string(pair.one)]))
            #expect(
                try test.model("Plan").get.decision(for: caller).admits(having("team", text)) == isMember)
            #expect(
                try test.model("Squad").get.decision(for: caller).admits(having("teams", list)) == isMember)
            #expect(
                (try test.model("Plan").create.outcome(for: caller, input: JSONObject([("team", text)])) != .deny)
                    == isMember)
        }
    }

    @Test("gets fields that an authorizer denies under another name only as it says", arguments: LookAlikes.all)
    func deniedFields(_ pair: LookAlikes) throws {
        let context = AuthorizerContext(deniedFields: ["Post.\(pair.one)", "arn:x/types/T/fields/\(pair.one)"])
        #expect(context.deniedFields.contains("Post.\(pair.one)") && context.deniedFields.contains("T.\(pair.one)"))
        #expect(!context.deniedFields.contains("Post.\(pair.other)"))
    }

    @Test("is not answered from what is kept of the other one's token", arguments: LookAlikes.all)
    func keptTokens(_ pair: LookAlikes) {
        var cache = GenerationCache<Int>(countMax: 4)
        cache.insert(1, for: pair.one, expires: 10)
        #expect(cache.value(of: pair.one, now: 0) == 1)
        #expect(cache.value(of: pair.other, now: 0) == nil)
    }
}
