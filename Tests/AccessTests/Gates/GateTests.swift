import Blueprint
import JSON
import Testing

@testable import Access

@Suite("What AppSync admits before any rule")
struct GateTests {
    private static let schema = """
        type Own @model @auth(rules: [{allow: owner}]) { id: ID! }
        type Mixed @model @auth(rules: [{allow: owner}, {allow: public, operations: [read]}]) { id: ID! }
        type Key @model @auth(rules: [{allow: public}]) { id: ID! }
        type Plain { x: String }
        type Marked @aws_api_key @aws_cognito_user_pools(cognito_groups: ["Admin", "Root"]) {
          y: String
          z: String @aws_iam
        }
        type Query {
          plain: Plain @function(name: "f")
          grouped: String @function(name: "f") @aws_auth(cognito_groups: ["Devs"])
        }
        """

    static let rows: [(type: String, field: String, admitted: [String])] = [
        ("Query", "getOwn", ["alice", "bob", "carol"]),
        ("Own", "id", ["alice", "bob", "carol"]),
        ("Query", "getMixed", ["apiKey", "alice", "bob", "carol"]),
        ("Mutation", "createMixed", ["alice", "bob", "carol"]),
        ("Mixed", "id", ["apiKey", "alice", "bob", "carol"]),
        ("Query", "listKeys", ["apiKey"]),
        ("Key", "id", ["apiKey"]),
        ("ModelKeyConnection", "items", ["apiKey"]),
        ("Query", "plain", ["alice", "bob", "carol"]),
        ("Plain", "x", ["alice", "bob", "carol"]),
        ("Marked", "y", ["apiKey", "alice"]),
        ("Marked", "z", ["signedIn", "guest"]),
        ("Query", "grouped", ["bob"]),
        ("Nowhere", "nothing", ["alice", "bob", "carol"]),
    ]

    @Test("a field's directives decide, else its type's, else the default mode", arguments: rows.indices)
    func admits(row: Int) throws {
        let (type, field, admitted) = Self.rows[row]
        let test = try TestPolicy(Self.schema)
        let gate = test.policy.gate(type: type, field: field)
        for (name, identity) in Callers.all {
            let isAdmitted = name == "administrator" || admitted.contains(name)
            #expect(gate.admits(test.policy.caller(identity)) == isAdmitted, "\(name)")
        }
    }

    private static let sandbox = """
        input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }
        type Open @model { id: ID! head: Head }
        type Head { text: String }
        type Marked @aws_cognito_user_pools { y: String }
        type Query {
          plain: Head @function(name: "f")
          lone: Marked @aws_lambda @function(name: "f")
        }
        """

    static let opened: [(type: String, field: String, modes: Set<AuthMode>)] = [
        ("Query", "getOpen", [.apiKey, .iam]), ("Open", "id", [.apiKey]), ("Head", "text", [.apiKey, .iam]),
        ("Query", "plain", [.apiKey, .iam]), ("Query", "lone", [.lambda, .iam]), ("Marked", "y", [.userPools, .iam]),
        ("Mutation", "createOpen", [.apiKey]),
    ]

    @Test("what sandbox mode opens to IAM stays open to the API key", arguments: opened.indices)
    func admitsInSandbox(row: Int) throws {
        let (type, field, modes) = Self.opened[row]
        let test = try TestPolicy(Self.sandbox, default: .apiKey)
        let gate = test.policy.gate(type: type, field: field)
        let callers: [(AuthMode, Identity)] = [
            (.apiKey, Callers.apiKey), (.iam, Callers.signedIn), (.userPools, Callers.alice),
            (.lambda, Callers.function),
        ]
        for (mode, identity) in callers {
            #expect(gate.admits(test.policy.caller(identity)) == modes.contains(mode), "\(mode)")
        }
    }

    @Test("an authorizer's denied fields are denied, by name and by ARN")
    func deniedFields() throws {
        let test = try TestPolicy(
            "type Doc @model @auth(rules: [{allow: custom}]) { id: ID! a: String b: String }", default: .lambda)
        let caller = test.policy.caller(
            .lambda(deniedFields: [
                "Doc.b", "arn:aws:appsync:us-east-1:1:apis/x/types/Mutation/fields/createDoc", "arn:aws:nonsense",
            ]))
        #expect(!test.policy.gate(type: "Doc", field: "b").admits(caller))
        #expect(!test.policy.gate(type: "Mutation", field: "createDoc").admits(caller))
        #expect(test.policy.gate(type: "Doc", field: "a").admits(caller))
        #expect(test.policy.gate(type: "Query", field: "getDoc").admits(caller))
    }

    private static let principals = """
        type Pub @model @auth(rules: [{allow: public, provider: identityPool, operations: [read]}]) { id: ID! }
        type Priv @model @auth(rules: [{allow: private, provider: iam}]) { id: ID! }
        type Own @model @auth(rules: [{allow: owner}]) { id: ID! }
        type None @model { id: ID! }
        type Query {
          open: String @function(name: "f")
          guests: String @function(name: "f") @auth(rules: [{allow: public, provider: identityPool}])
          users: String @function(name: "f") @auth(rules: [{allow: private}])
        }
        """

    static let policies: [(type: String, field: String, guest: Bool, signedIn: Bool)] = [
        ("Query", "getPriv", false, true),
        ("Priv", "id", false, true),
        ("Subscription", "onCreatePriv", false, true),
        ("Query", "getOwn", false, false),
        ("Mutation", "createOwn", false, false),
        ("Query", "getNone", false, false),
        ("Query", "users", false, false),
        ("Own", "id", true, true),
        ("Mutation", "deletePub", true, true),
        ("Pub", "id", true, true),
        ("Query", "guests", true, true),
        ("Query", "open", true, true),
        ("Query", "__typename", true, true),
    ]

    @Test(
        "a principal has policies for the models with a rule for it, whatever the operations",
        arguments: policies.indices)
    func demands(row: Int) throws {
        let (type, field, guest, signedIn) = Self.policies[row]
        let test = try TestPolicy(Self.principals, default: .iam)
        let demand = test.policy.demand(type: type, field: field)
        #expect(demand.isMet(by: test.policy.caller(Callers.guest)) == guest)
        #expect(demand.isMet(by: test.policy.caller(Callers.signedIn)) == signedIn)
        // The role of a group takes the place of that of signed-in users, and has no policy.
        #expect(!demand.isMet(by: test.policy.caller(Callers.inGroupRole)))
        for identity in [Callers.administrator, Callers.apiKey, Callers.bob, Callers.ann] {
            #expect(demand.isMet(by: test.policy.caller(identity)))
        }
    }

    @Test("every operation that is made for a model asks a principal for the policy of that model")
    func everyOperation() throws {
        let test = try TestPolicy(
            """
            type Own @model @searchable @auth(rules: [{allow: owner}]) {
              id: ID! team: String @index(name: "byTeam", sortKeyFields: ["place"], queryField: "ownsByTeam")
              place: Int @index(name: "byPlace", queryField: "ownsByPlace")
            }
            type Priv @model @searchable @auth(rules: [{allow: private, provider: iam}]) {
              id: ID! team: String @index(name: "byTeam", queryField: "privsByTeam")
            }
            """, default: .iam
        ) { $0.conflictStrategy = .automerge }
        var asked = 0
        for model in test.blueprint.models {
            let operations = model.operations
            let queries =
                [operations.get, operations.list, operations.sync, model.search?.name] + model.indexes.map(\.query)
            let names =
                queries.map { ("Query", $0) }
                + [operations.create, operations.update, operations.delete].map { ("Mutation", $0) }
                + operations.subscriptions.map { ("Subscription", $0.name) }
            for case (let type, let name?) in names {
                let demand = test.policy.demand(type: type, field: name)
                #expect(!demand.isMet(by: test.policy.caller(Callers.guest)), "\(name)")
                #expect(demand.isMet(by: test.policy.caller(Callers.signedIn)) == (model.name == "Priv"), "\(name)")
                asked += 1
            }
        }
        #expect(asked == 23)
    }
}
