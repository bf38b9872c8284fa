import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Store
import Testing

@testable import Realtime

@Suite("The gate of an API with rules")
struct AccessGateTests {
    private static let source = """
        type Post @model @auth(rules: [
          { allow: owner, identityClaim: "username" }
          { allow: owner, ownerField: "readers", operations: [read], identityClaim: "username" }
          { allow: groups, groups: ["Admin"] }
        ]) { id: ID! title: String owner: String readers: [String] }
        type Note @model @auth(rules: [{ allow: public }, { allow: private, provider: identityPool }]) {
          id: ID! text: String! meta: Meta metas: [Meta] guarded: String @aws_iam @aws_cognito_user_pools
          otherID: ID other: Other @belongsTo(fields: ["otherID"])
        }
        type Meta @aws_api_key @aws_iam @aws_cognito_user_pools(cognito_groups: ["Staff"]) {
          open: String
          hidden: String @aws_cognito_user_pools
          staff: String @aws_api_key @aws_cognito_user_pools(cognito_groups: ["Staff"])
          inner: Meta
        }
        type Other @model @auth(rules: [{ allow: public }, { allow: private, provider: identityPool }]) {
          id: ID! notes: [Note] @hasMany(fields: ["id"])
        }
        type Plan @model @auth(rules: [
          { allow: groups, groupsField: "team" } { allow: groups, groupsField: "teams" }
        ]) { id: ID! team: String teams: [String] }
        type Subscription {
          onAnyNote: Note @aws_subscribe(mutations: ["createNote"])
          onStaffNote: Note @aws_subscribe(mutations: ["createNote"]) @auth(rules: [{ allow: groups, groups: ["Admin"] }])
        }
        """

    private static let settings = {
        var settings = Settings()
        settings.additionalModes = [.userPools, .iam]
        return settings
    }()

    private struct Fixture {
        let gate: AccessGate
        let schema: Schema

        init(_ source: String = AccessGateTests.source) throws {
            let blueprint = try #require(SDLReader.read(source, settings: AccessGateTests.settings).blueprint)
            let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { _ in }
            let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
            schema = engine.schema
            gate = AccessGate(engine, blueprint, on: EngineShard()) { request in
                request.fields.values(of: "x-api-key") == ["good"] ? .success(.apiKey) : .failure(.notAuthorized)
            }
        }

        func admission(_ query: String, _ identity: Identity) async throws -> (PreparedSubscription, Admission) {
            var documents = SubscriptionDocuments(schema: schema, limits: RealtimeLimits())
            let (operation, document, _) = try #require(try documents.operation(of: OperationRequest(query: query)))
            let prepared = try PreparedSubscription(
                operation, of: document, JSONObject(), limits: RealtimeLimits())
            return (prepared, await gate.admit(identity, to: prepared.request))
        }
    }

    static let alice = Identity.userPool(username: "alice", sub: "sub-alice")
    static let admin = Identity.userPool(username: "root", sub: "sub-root", groups: ["Admin"])
    static let theirs = EventFilter.any([
        .condition("owner", .eq, [.text("alice")]), .condition("readers", .contains, [.text("alice")]),
    ])

    struct Row: Sendable {
        let query: String
        let identity: Identity
        let filter: EventFilter?
        let refusal: RealtimeRefusal?
    }

    static let member = Identity.userPool(username: "eve", sub: "sub-eve", groups: ["Red", "Blue"])
    static let groups: [FilterValue] = [.text("Red"), .text("Blue")]

    static let rows: [Row] = [
        Row(
            query: "subscription { onAnyNote { __typename } }", identity: alice, filter: nil,
            refusal: .field("onAnyNote")),
        Row(
            query: "subscription { onStaffNote { __typename } }", identity: alice, filter: nil,
            refusal: .field("onStaffNote")),
        Row(
            query: "subscription { onStaffNote { __typename } }", identity: .apiKey, filter: nil,
            refusal: .field("onStaffNote")),
        Row(query: "subscription { onStaffNote { __typename } }", identity: admin, filter: nil, refusal: nil),
        Row(
            query: "subscription { onCreatePlan { id } }", identity: member,
            filter: .any([.condition("team", .in, groups), .condition("teams", .containsAny, groups)]), refusal: nil),
        Row(query: "subscription { onCreatePost { id } }", identity: alice, filter: theirs, refusal: nil),
        Row(
            query: #"subscription { onCreatePost(owner: "bob") { id } }"#, identity: alice, filter: nil,
            refusal: .field("onCreatePost")),
        Row(query: "subscription { onCreatePost { id } }", identity: admin, filter: nil, refusal: nil),
        Row(
            query: "subscription { onCreatePost { id } }", identity: .apiKey, filter: nil,
            refusal: .field("onCreatePost")),
        Row(query: "subscription { onCreateNote { id } }", identity: .apiKey, filter: nil, refusal: nil),
        Row(
            query: "subscription { onCreateNote { id } }", identity: .iam(.unauthenticated), filter: nil,
            refusal: RealtimeRefusal(errorType: "UnauthorizedException", message: "Permission denied")),
    ]

    @Test("rules are asked at the start, and what they filter by becomes a part of the subscription", arguments: rows)
    func admits(_ row: Row) async throws {
        let (_, admission) = try await Fixture().admission(row.query, row.identity)
        switch admission {
        case .granted(let grant):
            #expect(row.refusal == nil)
            #expect(grant.filter == row.filter)
        case .denied(let refusal):
            #expect(refusal == row.refusal)
        }
    }

    @Test("who is calling is told by the credentials of the handshake, as if they were a request's")
    func identifies() async throws {
        let gate = try Fixture().gate
        guard case .accepted = await gate.identify(RealtimeCredentials(fields: [("X-Api-Key", "good")])) else {
            Issue.record("refused")
            return
        }
        guard case .refused(let refusal) = await gate.identify(RealtimeCredentials(fields: [("x-api-key", "bad")]))
        else {
            Issue.record("accepted")
            return
        }
        #expect(refusal == .unauthorized)
        let connection = AccessGate.request(RealtimeCredentials(fields: [("host", "h")], authority: "a:1"))
        #expect(
            (connection.line.path, connection.line.authority ?? "", String(decoding: connection.body, as: UTF8.self))
                == (
                    "/graphql/connect", "a:1", "{}"
                ))
        let operation = AccessGate.request(RealtimeCredentials(fields: [("host", "h")], purpose: .operation("x")))
        #expect(
            (operation.line.path, operation.line.authority ?? "", String(decoding: operation.body, as: UTF8.self)) == (
                "/graphql", "h", "x"
            ))
    }

    @Test("a caller whose token has run out gets nothing more")
    func expires() async throws {
        let blueprint = try #require(SDLReader.read(Self.source, settings: Self.settings).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { _ in }
        let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        let rows: [(expires: Int64?, milliseconds: Int64?)] = [(1_000, 1_000_000), (.max, .max), (nil, nil)]
        for row in rows {
            let gate = AccessGate(engine, blueprint, on: EngineShard()) { _ in
                .success(Identity(mode: .apiKey, proof: .apiKey, expires: row.expires))
            }
            guard case .accepted(let caller) = await gate.identify(RealtimeCredentials(fields: [])) else {
                Issue.record("refused")
                continue
            }
            #expect(caller.expiresAtMilliseconds == row.milliseconds)
        }
    }

    @Test("a field that a caller may not ask for is null with AppSync's error")
    func hides() async throws {
        let (prepared, _) = try await Fixture().admission("subscription { onCreateNote { id text } }", .apiKey)
        #expect(
            prepared.request.selected == [
                FieldCoordinate(type: "Subscription", name: "onCreateNote"), FieldCoordinate(type: "Note", name: "id"),
                FieldCoordinate(type: "Note", name: "text"),
            ])
        let event = MutationEvent(
            mutationField: "createNote", typeName: "Note", value: ["id": "1", "text": "t"], sequence: 1)
        let hidden = prepared.selection.hiding([FieldCoordinate(type: "Note", name: "text")])
        #expect(
            Said.text(try #require(EventWriter.response(to: event, hidden.plan, bytesMax: .max)))
                == #"{"data":{"onCreateNote":null},"errors":[{"errorType":"Unauthorized","message":"Not Authorized to access text on type Note","path":["onCreateNote","text"]}]}"#
        )
    }

    /// Who listens, and what of the event they may not ask for.
    static let listeners: [(identity: Identity, hidden: [FieldCoordinate])] = [
        (.apiKey, [.init(type: "Note", name: "guarded"), .init(type: "Meta", name: "hidden")]),
        (.iam(.authenticated), [.init(type: "Meta", name: "hidden"), .init(type: "Meta", name: "staff")]),
        (.iam(.administrator), []),
    ]

    @Test(
        "what directives withhold from a listener never reaches them, wherever in an event it is", arguments: listeners)
    func withholds(_ row: (identity: Identity, hidden: [FieldCoordinate])) async throws {
        let meta = "open hidden h: hidden staff"
        let (prepared, admission) = try await Fixture().admission(
            "subscription { onCreateNote { id guarded meta { \(meta) inner { \(meta) } } metas { \(meta) } } }",
            row.identity)
        guard case .granted(let grant) = admission else {
            Issue.record("denied")
            return
        }
        #expect(grant.hidden == Set(row.hidden))
        let secrets = ["hidden", "staff", "guarded"]
        let value: JSONValue = ["open": "o", "hidden": "hidden-value", "staff": "staff-value"]
        let whole: JSONValue = [
            "open": "o", "hidden": "hidden-value", "staff": "staff-value", "inner": value,
        ]
        let event = MutationEvent(
            mutationField: "createNote", typeName: "Note",
            value: ["id": "1", "guarded": "guarded-value", "meta": whole, "metas": .array([whole, value])],
            sequence: 1)
        let registry = SubscriptionRegistry(limits: RealtimeLimits(), counters: RealtimeCounters())
        let carrier = RegistryTests.Carrier()
        _ = registry.add(prepared, grant, carrier, head: [])
        registry.deliver([event])
        let text = try #require(carrier.received.first)
        for secret in secrets {
            let isHidden = row.hidden.contains { $0.name == secret }
            #expect(text.contains("\(secret)-value") != isHidden, "\(text)")
            #expect(text.contains("Not Authorized to access \(secret) on type") == isHidden, "\(text)")
        }
        #expect(text.contains(#""open":"o""#))
    }

    @Test("a principal needs a policy for everything that it listens to, not for the root alone")
    func demandsBelow() async throws {
        let source = """
            type Note @model @auth(rules: [{ allow: public, provider: iam }, { allow: private, provider: iam }]) {
              id: ID! otherID: ID other: Other @belongsTo(fields: ["otherID"])
            }
            type Other @model @auth(rules: [{ allow: private, provider: iam }]) {
              id: ID! noteID: ID note: Note @hasOne(fields: ["noteID"])
            }
            """
        let fixture = try Fixture(source)
        let denied = RealtimeRefusal(errorType: "UnauthorizedException", message: "Permission denied")
        for (selection, isDenied) in [
            ("id", false), ("other { id }", true), ("id other { __typename }", false),
            ("o: other { note { id } }", true),
            ("... on Note { other { id } }", true),
        ] {
            for operation in ["Create", "Update", "Delete"] {
                let query = "subscription { on\(operation)Note { \(selection) } }"
                let (_, guests) = try await fixture.admission(query, .iam(.unauthenticated))
                let refusal: RealtimeRefusal? = if case .denied(let refusal) = guests { refusal } else { nil }
                #expect(refusal == (isDenied ? denied : nil), "\(query)")
                guard case (_, .granted) = try await fixture.admission(query, .iam(.authenticated)) else {
                    Issue.record("denied to the signed-in: \(query)")
                    continue
                }
            }
        }
    }

    @Test(
        "queries and mutations are noted with their callers and errors, whatever carries them",
        arguments: [
            ("{ __typename }", Identity.apiKey, "apiKey 0"), ("{ nothing }", .apiKey, "apiKey 1"),
            ("{ __typename }", alice, "userPool 0"), ("{", alice, "userPool 1"),
        ])
    func counts(_ row: (query: String, caller: Identity, note: String)) async throws {
        let blueprint = try #require(SDLReader.read(Self.source, settings: Self.settings).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { _ in }
        let engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        let gate = AccessGate(engine, blueprint, on: EngineShard(), recognise: { _ in .failure(.notAuthorized) })
        let note = OperationNote()
        _ = await gate.respond(to: OperationRequest(query: row.query), for: row.caller, noting: note)
        #expect("\(CallerKind(row.caller.mode)) \(note.errorCount)" == row.note)
    }

    @Test("a query is answered by the engine")
    func responds() async throws {
        let gate = try Fixture().gate
        guard
            case .response(let bytes) = await gate.respond(
                to: OperationRequest(query: "{ __typename }"), for: Identity.apiKey,
                noting: OperationNote())
        else {
            Issue.record("refused")
            return
        }
        #expect(Said.text(bytes) == #"{"data":{"__typename":"Query"}}"#)
    }
}
