import Access
import Blueprint
import JSON
import Programs
import Project
import Store
import Testing

@testable import Engine

/// What differs at run time when a schema is a Gen 2 one.
@Suite("APIs of Gen 2")
struct Gen2Tests {
    /// The API of the entries of a schema, with an engine of its own.
    private struct Bench {
        let engine: Engine
        let shard = EngineShard(outside: FakeOutside("null"))

        init(_ schema: String) throws {
            let module = TypeScriptSchema.read("resource.ts", Array(schema.utf8))
            try #require(module.diagnostics.isEmpty, "\(module.diagnostics)")
            var settings = module.settings
            settings.additionalModes = AuthMode.allCases.filter { $0 != settings.defaultMode }
            let reading = module.reading(settings: settings)
            let blueprint = try #require(reading.blueprint, "\(reading.diagnostics)")
            let store = try Store(.memory, for: blueprint, nowMilliseconds: 0, onFailure: { _ in })
            engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store)
        }

        func answer(_ query: String, _ identity: Identity) async -> String {
            var body = Array(#"{"query":"#.utf8)
            JSONWriter.writeString(query, to: &body)
            body.append(UInt8(ascii: "}"))
            return await text(of: engine.answer(body, from: Requester(identity), on: shard))
        }

        private func text(of answer: Engine.Answer) async -> String {
            switch answer {
            case .response(let bytes), .invalid(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .pending(let pending): return String(decoding: await pending.response(), as: UTF8.self)
            case .preparing(let preparation): return await text(of: preparation.answer())
            case .refused(let error): return "\(error.errorType): \(error.message)"
            case .unauthorized(let message, _): return message
            }
        }
    }

    private static let alice = Identity.userPool(username: "alice", sub: "sub-alice", groups: ["Admins"])
    private static let bob = Identity.userPool(username: "bob", sub: "sub-bob")
    private static let ann = Identity.oidc(claims: JSONObject([("sub", "sub-ann")]))
    private static let key = Identity.apiKey
    private static let guest = Identity.iam(.unauthenticated, identityID: "us-east-1:2")
    private static let signedIn = Identity.iam(.authenticated, identityID: "us-east-1:1")
    private static let developer = Identity.iam(.administrator)

    struct Step: Sendable {
        let identity: Identity
        let query: String
        /// A text that the answer holds.
        let answer: String

        init(_ identity: Identity, _ query: String, _ answer: String) {
            (self.identity, self.query, self.answer) = (identity, query, answer)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let schema: String
        let steps: [Step]
        var testDescription: String { name }
    }

    @Test("an API of Gen 2 does what one of Gen 1 does not", arguments: cases)
    func difference(_ testCase: Case) async throws {
        let bench = try Bench(testCase.schema)
        for step in testCase.steps {
            let answer = await bench.answer(step.query, step.identity)
            #expect(answer.contains(step.answer), "\(step.identity.name): \(step.query) gives \(answer)")
        }
    }

    private static func denied(_ field: String, _ type: String = "Query") -> String {
        "Not Authorized to access \(field) on type \(type)"
    }

    private static func notRun(_ field: String, _ type: String = "Query") -> String {
        #""message":"\#(field) on type \#(type) needs the model 'm:0' on AWS (@conversation), which this server cannot run"#
    }

    static let cases = [
        Case(
            name: "a rule without a provider has its strategy's own",
            schema: """
                a.schema({
                  Open: a.model({ x: a.string() }).authorization((allow) => allow.publicApiKey()),
                  Guest: a.model({ x: a.string() }).authorization((allow) => allow.guest()),
                  Inner: a.model({ x: a.string() }).authorization((allow) => allow.authenticated()),
                  Pool: a.model({ x: a.string() }).authorization((allow) => allow.authenticated('identityPool')),
                  Outer: a.model({ x: a.string() }).authorization((allow) => allow.authenticated('oidc')),
                  Group: a.model({ x: a.string() }).authorization((allow) => allow.group('Admins')),
                })
                """,
            steps: [
                Step(key, "{ listOpens { items { x } } }", #"{"listOpens":{"items":[]}}"#),
                Step(bob, "{ listOpens { items { x } } }", denied("listOpens")),
                Step(guest, "{ listGuests { items { x } } }", #"{"listGuests":{"items":[]}}"#),
                Step(signedIn, "{ listGuests { items { x } } }", denied("listGuests")),
                Step(bob, "{ listInners { items { x } } }", #"{"listInners":{"items":[]}}"#),
                Step(ann, "{ listInners { items { x } } }", denied("listInners")),
                Step(signedIn, "{ listPools { items { x } } }", #"{"listPools":{"items":[]}}"#),
                Step(guest, "{ listPools { items { x } } }", "Permission denied"),
                Step(ann, "{ listOuters { items { x } } }", #"{"listOuters":{"items":[]}}"#),
                Step(bob, "{ listOuters { items { x } } }", denied("listOuters")),
                Step(alice, "{ listGroups { items { x } } }", #"{"listGroups":{"items":[]}}"#),
                Step(bob, "{ listGroups { items { x } } }", denied("listGroups")),
            ]),
        Case(
            name: "credentials of no identity pool may do everything",
            schema: """
                a.schema({ Note: a.model({ text: a.string() }).authorization((allow) => allow.owner()) })
                """,
            steps: [
                Step(alice, #"mutation { createNote(input: {id: "n"}) { id } }"#, #"{"createNote":{"id":"n"}}"#),
                Step(developer, #"{ getNote(id: "n") { id } }"#, #"{"getNote":{"id":"n"}}"#),
                Step(
                    developer, #"mutation { deleteNote(input: {id: "n"}) { id } }"#, #"{"deleteNote":{"id":"n"}}"#),
                Step(signedIn, "{ listNotes { items { id } } }", "Permission denied"),
            ]),
        Case(
            name: "an owner is stored with both names, and shown with one",
            schema: """
                a.schema({
                  Note: a.model({ text: a.string() }).authorization((allow) => allow.owner()),
                  Held: a.model({ owner: a.string() }).authorization((allow) => allow.owner()),
                  Named: a.model({ by: a.string() }).authorization((allow) => [
                    allow.ownerDefinedIn('by').identityClaim('sub'), allow.authenticated('identityPool'),
                  ]),
                })
                """,
            steps: [
                Step(
                    alice, #"mutation { createNote(input: {id: "n"}) { owner } }"#, #"{"createNote":{"owner":"alice"}}"#
                ),
                Step(alice, #"{ getNote(id: "n") { owner } }"#, #"{"getNote":{"owner":"alice"}}"#),
                Step(bob, #"{ getNote(id: "n") { owner } }"#, denied("getNote")),
                Step(alice, #"mutation { createHeld(input: {id: "h"}) { owner } }"#, #"{"owner":"alice"}"#),
                Step(
                    alice, #"mutation { createHeld(input: {id: "s", owner: "sub-alice"}) { owner } }"#,
                    #"{"createHeld":{"owner":"sub-alice"}}"#),
                Step(
                    alice, #"mutation { createHeld(input: {id: "n", owner: "alice"}) { owner } }"#,
                    #"{"createHeld":{"owner":"alice"}}"#),
                Step(
                    alice, #"mutation { createHeld(input: {owner: "bob"}) { owner } }"#,
                    denied("createHeld", "Mutation")),
                Step(
                    alice, "{ listHelds { items { id owner } } }",
                    #"[{"id":"h","owner":"alice"},{"id":"s","owner":"sub-alice"},{"id":"n","owner":"alice"}]"#),
                Step(bob, "{ listHelds { items { id owner } } }", #"{"listHelds":{"items":[]}}"#),
                Step(
                    alice, #"mutation { createNamed(input: {id: "n"}) { by } }"#, #"{"createNamed":{"by":"sub-alice"}}"#
                ),
            ]),
        Case(
            name: "relations are nullable, and so are lists of them",
            schema: """
                a.schema({
                  Member: a.model({ teamId: a.id(), team: a.belongsTo('Team', 'teamId') }),
                  Team: a.model({ members: a.hasMany('Member', 'teamId'), boss: a.hasOne('Boss', 'teamId') }),
                  Boss: a.model({ teamId: a.id(), team: a.belongsTo('Team', 'teamId') }),
                }).authorization((allow) => allow.publicApiKey())
                """,
            steps: [
                Step(
                    key, #"{ __type(name: "Team") { fields { name type { kind } } } }"#,
                    #"{"name":"members","type":{"kind":"OBJECT"}},{"name":"boss","type":{"kind":"OBJECT"}}"#),
                Step(
                    key, #"mutation { createMember(input: {teamId: null}) { team { id } } }"#,
                    #""message":"One or more parameter values were invalid: Type mismatch for Index Key teamId"#),
                Step(
                    key, #"mutation { createTeam(input: {id: "t"}) { members { items { id } } boss { id } } }"#,
                    #"{"createTeam":{"members":{"items":[]},"boss":null}}"#),
                Step(
                    key, #"{ __type(name: "CreateTeamInput") { inputFields { name } } }"#,
                    #"{"inputFields":[{"name":"id"}]}"#),
                Step(
                    key, #"{ __type(name: "CreateMemberInput") { inputFields { name } } }"#,
                    #"{"inputFields":[{"name":"teamId"},{"name":"id"}]}"#),
            ]),
        Case(
            name: "a default does not make a required field optional, and fills in an optional one",
            schema: """
                a.schema({
                  Todo: a.model({ kind: a.string().required().default('x'), state: a.string().default('new') }),
                }).authorization((allow) => allow.publicApiKey())
                """,
            steps: [
                Step(key, "mutation { createTodo(input: {}) { id } }", "is missing required fields '[kind]'"),
                Step(
                    key, #"mutation { createTodo(input: {kind: "k"}) { kind state } }"#,
                    #"{"createTodo":{"kind":"k","state":"new"}}"#),
            ]),
        Case(
            name: "an index has a query by the names of its fields, and one without a query has none",
            schema: """
                a.schema({
                  Todo: a.model({ title: a.string(), status: a.string(), rank: a.integer(), tag: a.string() })
                    .secondaryIndexes((index) => [
                      index('title').sortKeys(['status', 'rank']), index('status'), index('tag').queryField(null),
                      index('rank').queryField('ranked'),
                    ]),
                }).authorization((allow) => allow.publicApiKey())
                """,
            steps: [
                Step(
                    key, #"{ __type(name: "Query") { fields { name } } }"#,
                    #"{"name":"getTodo"},{"name":"listTodos"},{"name":"listTodoByTitleAndStatusAndRank"},{"name":"listTodoByStatus"},{"name":"ranked"}]"#
                ),
                Step(
                    key, #"mutation { createTodo(input: {id: "t", title: "T", status: "S", rank: 1}) { id } }"#,
                    #"{"createTodo":{"id":"t"}}"#),
                Step(
                    key,
                    #"{ listTodoByTitleAndStatusAndRank(title: "T", statusRank: {beginsWith: {status: "S"}}) { items { id } } ranked(rank: 1) { items { id } } }"#,
                    #"{"listTodoByTitleAndStatusAndRank":{"items":[{"id":"t"}]},"ranked":{"items":[{"id":"t"}]}}"#),
            ]),
        Case(
            name: "the records of a conversation are its owner's, and its turns need a language model",
            schema: """
                a.schema({
                  chat: a.conversation({ aiModel: { resourcePath: 'm:0' }, systemPrompt: 'p' })
                    .authorization((allow) => allow.owner()),
                  Post: a.model({ x: a.string() }).authorization((allow) => allow.owner()),
                })
                """,
            steps: [
                Step(alice, #"mutation { chat(conversationId: "1", content: []) { id } }"#, notRun("chat", "Mutation")),
                Step(
                    alice, #"mutation { createConversationChat(input: {id: "1", name: "n"}) { id name } }"#,
                    #"{"createConversationChat":{"id":"1","name":"n"}}"#),
                Step(
                    alice, "{ listConversationChats { items { id messages { items { id } } } } }",
                    #"{"items":[{"id":"1","messages":{"items":[]}}]}"#),
                Step(bob, "{ listConversationChats { items { id } } }", #"{"listConversationChats":{"items":[]}}"#),
                Step(bob, #"{ getConversationChat(id: "1") { id } }"#, denied("getConversationChat")),
                Step(
                    alice, #"{ getConversationMessageChat(id: "1") { id } }"#,
                    #"{"getConversationMessageChat":null}"#),
                Step(
                    alice, #"mutation { createAssistantResponseChat(input: {content: []}) { id } }"#,
                    notRun("createAssistantResponseChat", "Mutation")),
                Step(
                    alice,
                    #"mutation { createAssistantResponseStreamChat(input: {conversationId: 1, associatedUserMessageId: 2}) { id } }"#,
                    notRun("createAssistantResponseStreamChat", "Mutation")),
                Step(key, "{ listConversationChats { items { id } } }", denied("listConversationChats")),
                Step(alice, "{ listPosts { items { id } } }", #"{"listPosts":{"items":[]}}"#),
            ]),
        Case(
            name: "models of an SQL database are kept here, without timestamps and numbered by the database",
            schema: """
                import { a, defineData, secret } from '@aws-amplify/backend';
                import { configure } from '@aws-amplify/data-schema/internals';
                const schema = configure({ database: { engine: 'postgresql', connectionUri: secret('URI') } })
                  .schema({
                    authors: a.model({ id: a.integer().required().default(), name: a.string() }).identifier(['id']),
                  })
                  .renameModels(() => [['authors', 'Author']])
                  .addToSchema({ top: a.query().returns(a.string()).handler(a.handler.inlineSql('SELECT 1')) })
                  .authorization((allow) => allow.publicApiKey());
                export const data = defineData({ schema });
                """,
            steps: [
                Step(
                    key,
                    #"mutation { one: createAuthor(input: {name: "A"}) { id } two: createAuthor(input: {}) { id } }"#,
                    #"{"one":{"id":1},"two":{"id":2}}"#),
                Step(
                    key,
                    "mutation { one: createAuthor(input: {id: 2147483647}) { id } two: createAuthor(input: {}) { id } }",
                    "There is no number left for id that an Int can hold"),
                Step(key, "{ getAuthor(id: 1) { createdAt } }", "Field 'createdAt' in type 'Author' is undefined"),
                Step(key, "{ top }", "top on type Query is an SQL statement for a database of its own"),
            ]),
    ]
}
