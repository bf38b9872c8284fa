import Blueprint
import JSON
import Testing

@testable import Access

/// Rules guard the operations that they name; every other is open to the default mode.
@Suite("The rules of version 1 of the transformer")
struct Version1Tests {
    /// A policy of version 1, whose default mode is the user pool.
    private static func policy(
        _ schema: String, default usual: AuthMode = .userPools, open: OpenOperations = .all
    ) throws -> TestPolicy {
        try TestPolicy(schema, default: usual) { settings in
            settings.transformerVersion = 1
            settings.useSubUsernameForDefaultIdentityClaim = false
            settings.version1OpenOperations = open
        }
    }

    private static let fields = "{ id: ID! text: String team: String owner: String editors: [String] }"

    private static func note(_ rules: String, open: OpenOperations = .all) throws -> TestPolicy {
        try policy("type Note @model @auth(rules: [\(rules)]) \(fields)", open: open)
    }

    /// What a caller gets of an operation, in a word.
    private static func answers(_ test: TestPolicy, _ identity: Identity, record: String) throws -> [String: String] {
        let model = try test.model("Note")
        let caller = test.policy.caller(identity)
        let record = try object(record)
        func read(_ decision: Decision) -> String {
            switch decision {
            case .allow: "all"
            case .deny: "denied"
            case .filter(let predicate) where predicate.isOfNothing: "none"
            case .filter, .narrow: decision.admits({ record[$0] }) ? "theirs" : "others'"
            }
        }
        func write(_ decision: WriteDecision) -> String {
            switch decision {
            case .allow: "all"
            case .deny: "denied"
            case .failsCondition: "fails"
            case .denyFields: "fields"
            }
        }
        func start(_ outcome: ListenAccess.Outcome) -> String {
            switch outcome {
            case .deny: "denied"
            case .start(nil, true): "all"
            case .start: "filtered"
            }
        }
        let creation =
            switch model.create.outcome(for: caller, input: JSONObject()) {
            case .allow(let filled): filled.isEmpty ? "all" : JSONWriter.text(of: .object(filled))
            case .deny: "denied"
            case .denyFields: "fields"
            }
        return [
            "get": read(model.get.decision(for: caller)), "list": read(model.list.decision(for: caller)),
            "sync": read(model.sync.decision(for: caller)), "search": read(model.search.decision(for: caller)),
            "create": creation,
            "update": write(
                model.update.decision(for: caller, input: try object(#"{"id": "n", "text": "t"}"#)) { record[$0] }),
            "delete": write(model.delete.decision(for: caller) { record[$0] }),
            "listen": start(model.listen.outcome(for: caller, hasClientFilter: false) { _ in nil }),
        ]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rules: String
        let caller: Identity
        var record = #"{"owner": "alice", "team": "Admin", "editors": ["alice"]}"#
        /// By operations, as many as have the same answer.
        let answers: [String: String]

        var testDescription: String { "\(rules) \(caller.name)" }
    }

    private static let nobody = [
        "get": "denied", "list": "denied", "sync": "denied", "search": "denied", "create": "denied", "update": "denied",
        "delete": "denied", "listen": "denied",
    ]
    private static let reads = ["get": "all", "list": "all", "sync": "all", "search": "all", "listen": "all"]

    private static func all(_ value: String) -> [String: String] { nobody.mapValues { _ in value } }

    static let rows = [
        // What no rule names is open.
        Row(
            rules: "{allow: owner, operations: [create, update, delete]}", caller: Callers.bob,
            answers: reads.merging(["create": #"{"owner":"bob"}"#, "update": "fails", "delete": "fails"]) { $1 }),
        Row(
            rules: "{allow: owner, operations: [create]}", caller: Callers.bob,
            answers: reads.merging(["create": #"{"owner":"bob"}"#, "update": "all", "delete": "all"]) { $1 }),
        Row(
            rules: #"{allow: groups, groups: ["Admin"], operations: [read]}"#, caller: Callers.bob,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "denied", "create": "all",
                "update": "all", "delete": "all",
            ]),
        Row(
            rules: #"{allow: groups, groups: ["Admin"], queries: [get], mutations: null}"#, caller: Callers.bob,
            answers: all("all").merging(["get": "none"]) { $1 }),
        Row(
            rules: #"{allow: groups, groups: ["Admin"], queries: null}"#, caller: Callers.bob,
            answers: reads.merging(["create": "denied", "update": "denied", "delete": "denied"]) { $1 }),
        Row(
            rules: #"{allow: groups, groups: ["Admin"], queries: [list], mutations: [update], operations: [create]}"#,
            caller: Callers.bob, answers: all("all").merging(["create": "denied"]) { $1 }),
        Row(rules: "{allow: owner, operations: null}", caller: Callers.bob, answers: all("all")),
        Row(rules: "", caller: Callers.bob, answers: all("all")),
        // It is open to the default mode alone.
        Row(rules: "{allow: owner, operations: [create]}", caller: Callers.apiKey, answers: nobody),
        Row(rules: "{allow: owner, operations: [create]}", caller: Callers.ann, answers: nobody),
        Row(rules: "{allow: owner, operations: [create]}", caller: Callers.guest, answers: nobody),
        // Owners.
        Row(
            rules: "{allow: owner}", caller: Callers.alice,
            answers: [
                "get": "theirs", "list": "theirs", "sync": "theirs", "search": "theirs", "listen": "denied",
                "create": #"{"owner":"alice"}"#, "update": "all", "delete": "all",
            ]),
        Row(
            rules: "{allow: owner}", caller: Callers.bob,
            answers: [
                "get": "others'", "list": "others'", "sync": "others'", "search": "others'", "listen": "denied",
                "create": #"{"owner":"bob"}"#, "update": "fails", "delete": "fails",
            ]),
        Row(
            rules: "{allow: owner}", caller: Callers.bob, record: "{}",
            answers: [
                "get": "others'", "list": "others'", "sync": "others'", "search": "others'", "listen": "denied",
                "create": #"{"owner":"bob"}"#, "update": "fails", "delete": "fails",
            ]),
        Row(
            rules: "{allow: owner, ownerField: \"editors\"}", caller: Callers.alice,
            answers: [
                "get": "theirs", "list": "theirs", "sync": "theirs", "search": "theirs", "listen": "denied",
                "create": #"{"editors":["alice"]}"#, "update": "all", "delete": "all",
            ]),
        // A claim that the token lacks is a condition that nothing meets.
        Row(
            rules: "{allow: owner, identityClaim: \"sub::username\"}", caller: Callers.alice,
            record: #"{"owner": "sub-alice::alice"}"#,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "denied",
                "create": "denied", "update": "fails", "delete": "fails",
            ]),
        // Groups that the rule names: lists are empty, all else is denied.
        Row(
            rules: #"{allow: groups, groups: ["Admin"]}"#, caller: Callers.bob,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "denied",
                "create": "denied", "update": "denied", "delete": "denied",
            ]),
        Row(rules: #"{allow: groups, groups: ["Admin"]}"#, caller: Callers.alice, answers: all("all")),
        Row(rules: #"{allow: groups, groups: ["Admin"]}"#, caller: Callers.apiKey, answers: nobody),
        // Groups that records name: no guard of subscriptions.
        Row(
            rules: #"{allow: groups, groupsField: "team"}"#, caller: Callers.bob,
            answers: [
                "get": "others'", "list": "others'", "sync": "others'", "search": "others'", "listen": "all",
                "create": "denied", "update": "fails", "delete": "fails",
            ]),
        Row(
            rules: #"{allow: groups, groupsField: "team"}"#, caller: Callers.carol,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "all",
                "create": "denied", "update": "denied", "delete": "denied",
            ]),
        Row(
            rules: #"{allow: groups, groupsField: "team"}, {allow: groups, groups: ["Root"]}"#, caller: Callers.carol,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "denied",
                "create": "denied", "update": "denied", "delete": "denied",
            ]),
        Row(
            rules: "{allow: groups, groups: []}", caller: Callers.alice,
            answers: [
                "get": "none", "list": "none", "sync": "none", "search": "none", "listen": "denied",
                "create": "denied", "update": "denied", "delete": "denied",
            ]),
        // An owner is stored whoever else admits the creator; without a check there is none.
        Row(
            rules: #"{allow: owner}, {allow: groups, groups: ["Admin"]}"#, caller: Callers.alice,
            answers: all("all").merging(["create": #"{"owner":"alice"}"#]) { $1 }),
        Row(rules: "{allow: private}, {allow: owner}", caller: Callers.bob, answers: all("all")),
        Row(
            rules: "{allow: owner}, {allow: private, operations: [read]}", caller: Callers.bob,
            answers: reads.merging(["create": #"{"owner":"bob"}"#, "update": "fails", "delete": "fails"]) { $1 }),
        // A rule for the user pool frees nobody of another mode.
        Row(
            rules: "{allow: private}, {allow: owner, provider: oidc, identityClaim: \"sub\"}", caller: Callers.ben,
            answers: [
                "get": "others'", "list": "others'", "sync": "others'", "search": "others'", "listen": "denied",
                "create": #"{"owner":"sub-ben"}"#, "update": "fails", "delete": "fails",
            ]),
        // Other modes are let in by rules for them, and asked nothing more.
        Row(rules: "{allow: public}, {allow: owner}", caller: Callers.apiKey, answers: all("all")),
        Row(rules: "{allow: public, provider: iam}", caller: Callers.guest, answers: all("all")),
        Row(rules: "{allow: public, provider: iam}", caller: Callers.signedIn, answers: all("all")),
        Row(rules: "{allow: private, provider: iam}", caller: Callers.signedIn, answers: all("all")),
        Row(rules: "{allow: owner}", caller: Callers.administrator, answers: all("all")),
    ]

    @Test("an operation is guarded by the rules that name it", arguments: rows)
    func operations(row: Row) throws {
        let answers = try Self.answers(try Self.note(row.rules), row.caller, record: row.record)
        #expect(answers == row.answers)
    }

    @Test("what no rule names can be closed, for writers or for all", arguments: OpenOperations.allCases)
    func closing(open: OpenOperations) throws {
        let rules = #"{allow: groups, groups: ["Admin"], operations: [create]}"#
        for schema in ["type Note @model \(Self.fields)", "type Note @model @auth(rules: [\(rules)]) \(Self.fields)"] {
            let test = try Self.policy(schema, open: open)
            let answers = try Self.answers(test, Callers.carol, record: "{}")
            let isFree = open == .all
            #expect(answers["update"] == (isFree ? "all" : "denied"))
            #expect(answers["delete"] == (isFree ? "all" : "denied"))
            for operation in Self.reads.keys { #expect(answers[operation] == (open == .nothing ? "denied" : "all")) }
        }
    }

    @Test("a null or an empty list names no owner, and somebody else is refused")
    func namedOwners() throws {
        let test = try Self.note(#"{allow: owner}, {allow: owner, ownerField: "editors", operations: [update]}"#)
        let list = try Self.note(#"{allow: owner, ownerField: "editors"}"#)
        let rows: [(TestPolicy, String, CreateAccess.Outcome)] = [
            (test, #"{"owner": "bob"}"#, .allow(filling: JSONObject())), (test, #"{"owner": "alice"}"#, .deny),
            (test, #"{"owner": null}"#, .deny), (test, #"{"owner": ""}"#, .deny),
            (list, #"{"editors": ["alice", "bob"]}"#, .allow(filling: JSONObject())),
            (list, #"{"editors": []}"#, .deny),
            (list, #"{"editors": null}"#, .deny), (list, #"{"editors": ["alice"]}"#, .deny),
        ]
        for (test, input, outcome) in rows {
            let caller = test.policy.caller(Callers.bob)
            #expect(try test.model("Note").create.outcome(for: caller, input: try object(input)) == outcome, "\(input)")
        }
    }

    @Test("an owner listens by naming themselves, in a list as well")
    func listening() throws {
        let rows: [(String, [String: String], Bool)] = [
            ("{allow: owner}", ["owner": "bob"], true), ("{allow: owner}", ["owner": "alice"], false),
            ("{allow: owner}", ["owner": ""], false),
            (#"{allow: owner, ownerField: "editors"}"#, ["editors": "bob"], true),
            (#"{allow: owner}, {allow: owner, ownerField: "editors"}"#, ["owner": "alice", "editors": "bob"], true),
            (#"{allow: owner}, {allow: groups, groups: ["Devs"]}"#, ["owner": "alice"], true),
            (#"{allow: owner}, {allow: groups, groups: ["Root"]}"#, [:], false),
            (#"{allow: owner}, {allow: groups, groupsField: "team"}"#, [:], false),
        ]
        for (rules, arguments, starts) in rows {
            let test = try Self.note(rules)
            let outcome = try test.model("Note").listen
                .outcome(for: test.policy.caller(Callers.bob), hasClientFilter: false) { arguments[$0] }
            #expect(outcome == (starts ? .start(filter: nil, comparesArguments: true) : .deny), "\(rules) \(arguments)")
        }
    }

    @Test("the subscriptions of a level that is public ask nothing")
    func publicLevel() throws {
        let test = try Self.policy(
            "type Note @model(subscriptions: {level: public}) @auth(rules: [{allow: owner}]) \(Self.fields)")
        let outcome = try test.model("Note").listen
            .outcome(for: test.policy.caller(Callers.carol), hasClientFilter: false) { _ in nil }
        #expect(outcome == .start(filter: nil, comparesArguments: true))
    }

    @Test("an owner in the key is compared with records, not with arguments")
    func keys() throws {
        let test = try Self.policy(
            """
            type Note @model @auth(rules: [{allow: owner}]) @key(fields: ["owner", "id"])
              @key(name: "byTeam", fields: ["team", "owner"], queryField: "notesOf") {
              id: ID! owner: String! team: String!
            }
            """)
        let model = try test.model("Note")
        let caller = test.policy.caller(Callers.bob)
        let own = Decision.filter(
            AccessPredicate(anyOf: [.init(field: "owner", values: ["bob"], isList: false)]))
        #expect(model.list.keyFields.isEmpty)
        #expect(model.list.decision(for: caller) { _ in .equals("alice") } == own)
        #expect(try #require(model.query("notesOf")).decision(for: caller) { _ in .equals("alice") } == own)
        #expect(model.get.decision(for: caller) { _ in .equals("bob") } == own)
    }

    // MARK: Fields

    private static let guarded = """
        type Note @model(subscriptions: {level: off}) @auth(rules: [{allow: private}]) {
          id: ID! text: String owner: String team: String
          secret: String @auth(rules: [{allow: groups, groups: ["Admin"], operations: [create, update]}])
          mine: String @auth(rules: [{allow: owner, operations: [update, read]}])
          kept: String @auth(rules: [{allow: groups, groupsField: "team", operations: [delete]}])
        }
        """

    static let changes: [(Identity, String, String, WriteDecision)] = [
        (Callers.bob, #"{"id": "n", "text": "t"}"#, "{}", .allow),
        (Callers.bob, #"{"id": "n", "secret": "s"}"#, "{}", .deny),
        (Callers.bob, #"{"id": "n", "secret": null}"#, "{}", .deny),
        (Callers.alice, #"{"id": "n", "secret": "s"}"#, "{}", .allow),
        (Callers.bob, #"{"id": "n", "mine": "m"}"#, #"{"owner": "bob"}"#, .allow),
        (Callers.bob, #"{"id": "n", "mine": null}"#, #"{"owner": "bob"}"#, .allow),
        (Callers.bob, #"{"id": "n", "mine": "m"}"#, #"{"owner": "alice"}"#, .failsCondition),
        (Callers.bob, #"{"id": "n", "mine": "m", "secret": "s"}"#, #"{"owner": "alice"}"#, .deny),
        (Callers.alice, #"{"id": "n", "mine": "m", "secret": "s"}"#, #"{"owner": "bob"}"#, .failsCondition),
        // Deleting a field is setting it to null.
        (Callers.bob, #"{"id": "n", "kept": "k"}"#, #"{"team": "Admin"}"#, .allow),
        (Callers.bob, #"{"id": "n", "kept": null}"#, #"{"team": "Admin"}"#, .failsCondition),
        (Callers.bob, #"{"id": "n", "kept": null}"#, #"{"team": "Devs"}"#, .allow),
        (Callers.carol, #"{"id": "n", "kept": null}"#, #"{"team": "Devs"}"#, .deny),
        (Callers.administrator, #"{"id": "n", "kept": null, "secret": "s", "mine": "m"}"#, "{}", .allow),
    ]

    @Test("a rule on a field guards changes of that field, and nothing else", arguments: changes.indices)
    func changedFields(row: Int) throws {
        let (identity, input, record, expected) = Self.changes[row]
        let test = try Self.policy(Self.guarded)
        let stored = try object(record)
        let model = try test.model("Note")
        let caller = test.policy.caller(identity)
        #expect(model.update.decision(for: caller, input: try object(input)) { stored[$0] } == expected)
        #expect(model.delete.decision(for: caller) { stored[$0] } == .allow)
    }

    @Test("a rule on a field guards creations with that field")
    func createdFields() throws {
        let test = try Self.policy(
            """
            type Note @model(subscriptions: {level: off}) @auth(rules: [{allow: private}]) {
              id: ID! text: String! owner: String
              secret: String @auth(rules: [{allow: groups, groups: ["Admin"]}])
              mine: String @auth(rules: [{allow: owner}])
            }
            """)
        let model = try test.model("Note")
        let rows: [(Identity, String, CreateAccess.Outcome)] = [
            (Callers.bob, #"{"text": "t"}"#, .allow(filling: JSONObject())),
            (Callers.bob, #"{"text": "t", "secret": "s"}"#, .deny),
            (Callers.bob, #"{"text": "t", "secret": null}"#, .deny),
            (Callers.alice, #"{"text": "t", "secret": "s"}"#, .allow(filling: JSONObject())),
            (Callers.bob, #"{"text": "t", "mine": "m"}"#, .allow(filling: JSONObject([("owner", "bob")]))),
            (Callers.bob, #"{"text": "t", "mine": "m", "owner": "alice"}"#, .deny),
            (Callers.administrator, #"{"text": "t", "secret": "s"}"#, .allow(filling: JSONObject())),
        ]
        for (identity, input, outcome) in rows {
            #expect(
                model.create.outcome(for: test.policy.caller(identity), input: try object(input)) == outcome,
                "\(identity.name) \(input)")
        }
    }

    @Test("a field is checked for readers where a rule on it names reading")
    func readFields() throws {
        let test = try Self.policy(Self.guarded)
        #expect(test.policy.field(type: "Note", field: "secret") == nil)
        #expect(test.policy.field(type: "Note", field: "kept") == nil)
        let mine = try #require(test.policy.field(type: "Note", field: "mine"))
        #expect(mine.recordFields == ["owner"])
        let decision = mine.decision(for: test.policy.caller(Callers.bob))
        #expect(decision.admits { _ in "bob" })
        #expect(!decision.admits { _ in "alice" })
        #expect(mine.decision(for: test.policy.caller(Callers.apiKey)) == .deny)
    }

    @Test("fields with a rule for reading are null in the results that rules on fields name")
    func nullFields() throws {
        func nulls(_ model: String, _ secret: String, _ other: String = "") throws -> MutationResults {
            let test = try Self.policy(
                """
                type Note @model\(model) @auth(rules: [{allow: private}]) {
                  id: ID secret: String @auth(rules: [{allow: private\(secret)}])
                  other: String \(other)
                }
                """)
            return try #require(test.policy.field(type: "Note", field: "secret")).nullIn
        }
        #expect(try nulls("", "") == [.created, .updated, .deleted])
        #expect(try nulls("(subscriptions: {level: off})", "") == [])
        #expect(try nulls("(subscriptions: {level: public})", "") == [])
        #expect(try nulls("", ", operations: [read]") == [])
        #expect(try nulls("", ", operations: [read, update]") == [.updated])
        #expect(
            try nulls("", ", operations: [read]", "@auth(rules: [{allow: private, operations: [create]}])")
                == [.created])
    }

    @Test("on fields that belong to no record, only groups that a rule names are asked")
    func fieldsWithoutRecords() throws {
        let test = try Self.policy(
            """
            type Query {
              mine: String @function(name: "f") @auth(rules: [{allow: owner}])
              team: String @function(name: "f") @auth(rules: [{allow: groups, groupsField: "team"}])
              mixed: String @function(name: "f") @auth(rules: [{allow: private}, {allow: groups, groups: ["Admin"]}])
              key: String @function(name: "f") @auth(rules: [{allow: public}, {allow: groups, groups: ["Admin"]}])
            }
            """)
        let users = ["alice", "bob", "carol"]
        let rows: [(field: String, allowed: [String])] = [
            ("mine", users), ("team", users), ("mixed", ["alice"]), ("key", ["alice", "apiKey"]),
        ]
        for row in rows {
            let field = try #require(test.policy.field(type: "Query", field: row.field))
            for (name, identity) in Callers.all {
                let isAllowed = name == "administrator" || row.allowed.contains(name)
                #expect(
                    field.decision(for: test.policy.caller(identity)) == (isAllowed ? .allow : .deny),
                    "\(name) \(row.field)")
            }
        }
    }

    // MARK: Relations and principals

    @Test("a relation is judged by the other side's rules for reading, and emptied for nobody")
    func relations() throws {
        let test = try Self.policy(
            """
            type Post @model @auth(rules: [{allow: private}]) {
              id: ID! topId: ID top: Comment @connection(fields: ["topId"])
              comments: [Comment] @connection(keyName: "byPost", fields: ["id"])
              tags: [Tag] @connection(keyName: "byPost", fields: ["id"])
            }
            type Comment @model @auth(rules: [{allow: owner}]) @key(name: "byPost", fields: ["postId"]) {
              id: ID! postId: ID! post: Post @connection(fields: ["postId"])
            }
            type Tag @model @auth(rules: [{allow: groups, groups: ["Admin"], operations: [create]}])
              @key(name: "byPost", fields: ["postId"]) { id: ID! postId: ID! }
            """)
        let caller = test.policy.caller(Callers.bob)
        let post = try test.model("Post")
        for field in ["top", "comments", "tags"] {
            #expect(try #require(post.relation(field)).isEmptiedInMutations == false)
        }
        let own = Decision.filter(AccessPredicate(anyOf: [.init(field: "owner", values: ["bob"], isList: false)]))
        #expect(post.relation("top")?.decision(for: caller) { _ in nil } == own)
        #expect(post.relation("comments")?.decision(for: caller) { _ in nil } == own)
        #expect(post.relation("tags")?.decision(for: caller) { _ in nil } == .allow)
        #expect(post.relation("tags")?.decision(for: test.policy.caller(Callers.apiKey)) { _ in nil } == .deny)
        let back = try #require(try test.model("Comment").relation("post"))
        #expect(back.decision(for: caller) { _ in nil } == .allow && !back.isEmptiedInMutations)
    }

    @Test("a principal has a policy for the operations that a rule for the identity pool names")
    func policies() throws {
        let test = try Self.policy(
            """
            type Note @model @auth(rules: [
              {allow: public, provider: iam, operations: [read]}, {allow: private, provider: iam, operations: [create]}
              {allow: owner}]) { id: ID! }
            """)
        let rows: [(String, String, IAMDemand)] = [
            ("Query", "getNote", []), ("Query", "listNotes", []), ("Subscription", "onCreateNote", []),
            ("Mutation", "createNote", .guestsLackPolicy),
            ("Mutation", "deleteNote", [.guestsLackPolicy, .signedInLackPolicy]),
        ]
        for (type, field, demand) in rows {
            #expect(
                test.policy.demand(type: type, field: field).subtracting([.query, .mutate, .listen]) == demand,
                "\(field)")
        }
    }

    @Test("a mode that a rule on a field brings in is asked nothing, where nobody else is kept out")
    func modesOfFields() throws {
        func answers(_ rules: String, _ usual: AuthMode) throws -> [String: String] {
            let test = try Self.policy(
                """
                type Note @model \(rules) {
                  id: ID text: String
                  open: String @auth(rules: [{allow: public}])
                  mine: String @auth(rules: [{allow: owner, operations: [read, update]}])
                }
                """, default: usual)
            let identity = usual == .apiKey ? Callers.bob : Callers.apiKey
            return try Self.answers(test, identity, record: #"{"owner": "alice"}"#)
        }
        let some = Self.nobody.merging(["get": "all", "list": "all", "update": "all"]) { $1 }
        #expect(try answers("@auth(rules: [{allow: public}])", .apiKey) == some)
        #expect(try answers("", .apiKey) == some)
        #expect(try answers("@auth(rules: [{allow: private}])", .userPools) == Self.nobody)
    }
}
