import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Store
import Testing

@testable import Realtime

/// An event is what the one who made a change was answered. Its subscribers may be allowed less.
@Suite("An event shows a subscriber what a query would")
struct EventGuardTests {
    private static let source = """
        type Post @model @auth(rules: [{allow: private}, {allow: custom}]) {
          id: ID! title: String
          note: Note notes: [Note]
        }
        type Doc @model @auth(rules: [{allow: owner, ownerField: "owners"}, {allow: custom}]) {
          id: ID! owners: [String] staff: Staff @hasOne memos: [Memo] @hasMany
        }
        type Note { text: String adminText: String @auth(rules: [{allow: groups, groups: ["Admin"]}]) deeper: Note }
        type Staff @model @auth(rules: [{allow: groups, groups: ["Admin"]}]) { id: ID! data: String }
        type Memo @model @auth(rules: [{allow: groups, groupsField: "team"}]) { id: ID! team: String data: String }
        type Page @model(subscriptions: {level: public}) @auth(rules: [{allow: private}]) {
          id: ID! owner: String title: String
          own: String @auth(rules: [{allow: owner}])
          secret: String @auth(rules: [{allow: groups, groups: ["Admin"]}])
        }
        type Bundle { page: Page pages: [Page] }
        type Mutation { publish: Page @function(name: "f") @auth(rules: [{allow: private}]) bundle: Bundle @function(name: "f") @auth(rules: [{allow: private}]) }
        type Subscription {
          onPublish: Page @aws_subscribe(mutations: ["publish"])
          onBundle: Bundle @aws_subscribe(mutations: ["bundle"])
        }
        """

    private struct Fixture {
        let gate: AccessGate
        let engine: Engine
        var schema: Schema { engine.schema }

        init(inherits: Bool = false) throws {
            var settings = Settings()
            settings.defaultMode = .userPools
            settings.additionalModes = [.apiKey, .lambda]
            settings.subscriptionsInheritPrimaryAuth = inherits
            let reading = SDLReader.read(EventGuardTests.source, settings: settings)
            let blueprint = try #require(reading.blueprint, "\(reading.diagnostics.map(\.message))")
            let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { _ in }
            engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
            gate = AccessGate(engine, blueprint, on: EngineShard()) { _ in .failure(.notAuthorized) }
        }

        func prepared(_ query: String) throws -> PreparedSubscription {
            var documents = SubscriptionDocuments(schema: schema, limits: RealtimeLimits())
            let (operation, document, _) = try #require(try documents.operation(of: OperationRequest(query: query)))
            return try PreparedSubscription(
                operation, of: document, JSONObject(), limits: RealtimeLimits(), isFilter: gate.isFilter)
        }

        func admission(_ query: String, _ identity: Identity) async throws -> (PreparedSubscription, Admission) {
            let prepared = try prepared(query)
            return (prepared, await gate.admit(identity, to: prepared.request))
        }

        /// What the caller gets of an event; nil when they get nothing.
        func response(_ query: String, _ event: String, type: String, _ identity: Identity) async throws -> String? {
            let (prepared, admission) = try await admission(query, identity)
            guard case .granted(let grant) = admission else { return nil }
            let value = try #require(try JSONReader.value(of: event).object)
            guard prepared.filter(for: grant).matches(value) else { return nil }
            let event = MutationEvent(mutationField: "x", typeName: type, value: .object(value), sequence: 0)
            let selection = prepared.selection.hiding(grant.hidden, grant.guards)
            let response = EventWriter.response(to: event, selection.plan, bytesMax: RealtimeLimits().eventBytes)
            return String(decoding: try #require(response), as: UTF8.self)
        }
    }

    private static let admin = Identity.userPool(username: "root", sub: "sub-root", groups: ["Admin"])
    private static let bob = Identity.userPool(username: "bob", sub: "sub-bob", groups: ["red"])

    struct Row: Sendable {
        let query: String
        let event: String
        let type: String
        let admin: String
        let bob: String
    }

    static let rows = [
        Row(
            query:
                "subscription { onCreatePost { title note { text adminText deeper { adminText } } notes { adminText } } }",
            event:
                #"{"title":"t","note":{"text":"a","adminText":"b","deeper":{"adminText":"c"}},"notes":[{"adminText":"d"}]}"#,
            type: "Post",
            admin:
                #"{"title":"t","note":{"text":"a","adminText":"b","deeper":{"adminText":"c"}},"notes":[{"adminText":"d"}]}"#,
            bob:
                #"{"title":"t","note":{"text":"a","adminText":null,"deeper":{"adminText":null}},"notes":[{"adminText":null}]}"#
        ),
        Row(
            query: "subscription { onCreatePost { id note { secret: adminText } } }",
            event: #"{"id":"1","note":{"adminText":"b"}}"#, type: "Post",
            admin: #"{"id":"1","note":{"secret":"b"}}"#, bob: #"{"id":"1","note":{"secret":null}}"#),
        Row(
            query: "subscription { onPublish { id own secret } }",
            event: #"{"id":"1","owner":"bob","own":"o","secret":"s"}"#, type: "Page",
            admin: #"{"id":"1","own":null,"secret":"s"}"#, bob: #"{"id":"1","own":"o","secret":null}"#),
        Row(
            query: "subscription { onPublish { id own } }", event: #"{"id":"1","own":"o"}"#, type: "Page",
            admin: #"{"id":"1","own":null}"#, bob: #"{"id":"1","own":null}"#),
        Row(
            query: "subscription { onUpdatePage { id own secret } }",
            event: #"{"id":"1","owner":"bob","own":"o","secret":"s"}"#, type: "Page",
            admin: #"{"id":"1","own":null,"secret":"s"}"#, bob: #"{"id":"1","own":"o","secret":null}"#),
        Row(
            query: "subscription { onBundle { page { secret } pages { own secret } } }",
            event:
                #"{"page":{"secret":"s"},"pages":[{"owner":"bob","own":"o","secret":"s"},{"owner":"ann","own":"o"}]}"#,
            type: "Bundle",
            admin: #"{"page":{"secret":"s"},"pages":[{"own":null,"secret":"s"},{"own":null,"secret":null}]}"#,
            bob: #"{"page":{"secret":null},"pages":[{"own":"o","secret":null},{"own":null,"secret":null}]}"#),
    ]

    @Test("in every nested type, with null and no error for the rest", arguments: rows)
    func fields(_ row: Row) async throws {
        let fixture = try Fixture()
        let name = try fixture.prepared(row.query).selection.root.responseName
        for (identity, expected) in [(Self.admin, row.admin), (Self.bob, row.bob)] {
            let response = try await fixture.response(row.query, row.event, type: row.type, identity)
            #expect(response == #"{"data":{"\#(name)":\#(expected)}}"#, "\(identity.name)")
        }
    }

    @Test("of the records that relations lead to, unless the project wants subscribers of the parent to see them")
    func relations() async throws {
        let query = "subscription { onUpdateDoc { id staff { data } memos { items { data } nextToken } } }"
        let memos = #"[{"team":"red","data":"r"},{"team":"blue","data":"b"},{"data":"n"}]"#
        let event =
            #"{"id":"1","owners":["bob","root"],"staff":{"data":"s"},"memos":{"items":\#(memos),"nextToken":null}}"#
        let (fixture, open) = (try Fixture(), try Fixture(inherits: true))
        let doc = try #require(fixture.engine.policy.model("Doc"))
        // The rules do not empty them in the mutation: whoever they admit sees them there.
        try #require(doc.relation("staff")?.isEmptiedInMutations == false)
        try #require(doc.relation("memos")?.isEmptiedInMutations == false)
        func shown(_ staff: String, _ memos: String) -> String {
            #"{"data":{"onUpdateDoc":{"id":"1","staff":\#(staff),"memos":\#(memos)}}}"#
        }
        let (staff, all) = (#"{"data":"s"}"#, #"{"items":[{"data":"r"},{"data":"b"},{"data":"n"}],"nextToken":null}"#)
        let rows = [
            (fixture, Self.admin, shown(staff, #"{"items":[],"nextToken":null}"#)),
            (fixture, Self.bob, shown("null", #"{"items":[{"data":"r"}],"nextToken":null}"#)),
            (fixture, .lambda(deniedFields: []), shown("null", "null")),
            (open, Self.bob, shown(staff, all)),
        ]
        for (fixture, identity, expected) in rows {
            #expect(try await fixture.response(query, event, type: "Doc", identity) == expected, "\(identity.name)")
        }
    }

    @Test("and its filter compares only what the subscriber may read")
    func filters() async throws {
        let fixture = try Fixture()
        let denied = Identity.lambda(deniedFields: ["Post.title"])
        let byTitle = #"subscription { onCreatePost(filter: {or: [{title: {beginsWith: "a"}}]}) { id } }"#
        guard case .denied(let refusal) = try await fixture.admission(byTitle, denied).1 else {
            Issue.record("admitted")
            return
        }
        #expect(refusal == .field("title", of: "Post"))
        for identity in [Identity.lambda(deniedFields: []), Self.bob] {
            guard case .granted = try await fixture.admission(byTitle, identity).1 else {
                Issue.record("refused")
                return
            }
        }
        // A rule that compares records is asked of the event.
        let byOwn = #"subscription { onCreatePage(filter: {own: {beginsWith: "o"}}) { id } }"#
        let event = #"{"id":"1","owner":"bob","own":"o"}"#
        #expect(try await fixture.response(byOwn, event, type: "Page", Self.bob) != nil)
        #expect(try await fixture.response(byOwn, event, type: "Page", Self.admin) == nil)
        let bySecret = #"subscription { onCreatePage(filter: {secret: {ne: "o"}}) { id } }"#
        guard case .denied = try await fixture.admission(bySecret, Self.bob).1 else {
            Issue.record("admitted")
            return
        }
    }

    @Test("an input of the author's own is a value, whatever it is called")
    func authorsInput() throws {
        let source = """
            type Todo @model @auth(rules: [{allow: public}]) { id: ID! title: String }
            input ModelSubscriptionMineFilterInput { title: String }
            type Subscription {
              onMine(filter: ModelSubscriptionMineFilterInput): Todo @aws_subscribe(mutations: ["createTodo"])
            }
            """
        let blueprint = try #require(SDLReader.read(source).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { _ in }
        let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        let gate = AccessGate(engine, blueprint, on: EngineShard()) { _ in .failure(.notAuthorized) }
        #expect(gate.isFilter("filter", of: "onCreateTodo"))
        #expect(!gate.isFilter("title", of: "onCreateTodo") && !gate.isFilter("filter", of: "onMine"))
        var documents = SubscriptionDocuments(schema: engine.schema, limits: RealtimeLimits())
        let (operation, document, _) = try #require(
            try documents.operation(
                of: OperationRequest(query: #"subscription { onMine(filter: {title: "t"}) { id } }"#)))
        let prepared = try PreparedSubscription(
            operation, of: document, JSONObject(), limits: RealtimeLimits(), isFilter: gate.isFilter)
        #expect(!prepared.request.hasClientFilter)
        #expect(
            prepared.filter(for: SubscriptionGrant())
                == .equals("filter", FilterValue(["title": "t"])))
    }
}
