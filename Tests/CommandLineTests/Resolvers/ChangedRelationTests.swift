import Foundation
import JSON
import TestSupport
import Testing

/// What a Gen 1 project changes of the relations of its models, and steps around functions, through the real program.
@Suite("Changed relations, served")
struct ChangedRelationTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) {
          id: ID! state: String
          notes: [Note] @hasMany(indexName: "byTodo", fields: ["id"])
          main: Note @hasOne(fields: ["mainID"])
          mainID: ID
        }
        type Note @model @auth(rules: [{ allow: public }]) {
          id: ID! text: String rank: Int
          todoID: ID @index(name: "byTodo", sortKeyFields: ["rank"])
          todo: Todo @belongsTo(fields: ["todoID"])
        }
        """

    private func serve(_ files: [String: String]) throws -> HomeportProcess {
        let server = try ResolverFolder.serve(Self.schema, files)
        for (id, state) in [("a", "open"), ("b", "secret")] {
            _ = try server.answer(
                to: #"mutation { createTodo(input: { id: "\#(id)", state: "\#(state)", mainID: "\#(id)1" }) { id } }"#)
            for rank in 1...3 {
                _ = try server.answer(
                    to:
                        #"mutation { createNote(input: { id: "\#(id)\#(rank)", text: "t\#(rank)", rank: \#(rank), todoID: "\#(id)" }) { id } }"#
                )
            }
        }
        return server
    }

    private func notes(_ server: HomeportProcess, _ id: String, _ selection: String = "id") throws -> JSONValue {
        try server.value(of: #"{ getTodo(id: "\#(id)") { notes { items { \#(selection) } } } }"#)
    }

    private func items(_ answer: JSONValue) -> [JSONValue] {
        (answer["data"]?["getTodo"]?["notes"]?["items"]?.array ?? []).map { $0["id"] ?? $0["text"] ?? .null }
    }

    @Test("steps before a relation change its arguments, filter what is shown, and refuse")
    func before() throws {
        let server = try serve([
            "Todo.notes.postAuth.2.req.vtl": """
            #if($ctx.source.state == "secret") $util.unauthorized() #end
            $util.qr($ctx.args.put("sortDirection", "DESC"))
            $util.qr($ctx.stash.put("authFilter", { "text": { "ne": "t2" } }))
            $util.toJson({})
            """,
            "Note.todo.preDataLoad.1.req.vtl": """
            $util.qr($ctx.stash.put("authFilter", { "state": { "eq": "open" } }))
            $util.toJson({})
            """,
        ])
        #expect(items(try notes(server, "a")) == ["a3", "a1"])
        let secret = try notes(server, "b")
        #expect(secret["data"]?["getTodo"]?["notes"] == .null, "\(secret)")
        #expect(secret["errors"]?[0]?["message"] == "Not Authorized to access notes on type Todo", "\(secret)")
        // Others of the same record are as they were, and so is the relation below the relation.
        #expect(
            try server.answer(to: #"{ getTodo(id: "b") { main { id } } }"#)
                == #"{"data":{"getTodo":{"main":{"id":"b1"}}}}"#)
        #expect(
            try server.answer(to: #"{ getNote(id: "a1") { todo { id notes { items { id } } } } }"#)
                == #"{"data":{"getNote":{"todo":{"id":"a","notes":{"items":[{"id":"a3"},{"id":"a1"}]}}}}}"#)
        let hidden = try server.value(of: #"{ getNote(id: "b1") { id todo { id } } }"#)
        #expect(hidden["data"]?["getNote"] == ["id": "b1", "todo": .null], "\(hidden)")
        #expect(hidden["errors"]?[0]?["errorType"] == "Unauthorized", "\(hidden)")
    }

    @Test("a template runs in the place of Amplify's own, on the table that the relation leads to")
    func replaced() throws {
        let server = try serve([
            "Todo.notes.req.vtl": """
            { "version": "2018-05-29", "operation": "Query", "index": "byTodo", "limit": 2,
              "query": { "expression": "todoID = :id",
                "expressionValues": { ":id": $util.dynamodb.toDynamoDBJson($ctx.source.id) } } }
            """,
            "Todo.notes.res.vtl": """
            #if($ctx.error) $util.error($ctx.error.message, $ctx.error.type) #end
            $util.toJson($ctx.result)
            """,
            "Todo.main.req.vtl": """
            { "version": "2018-05-29", "operation": "GetItem",
              "key": { "id": $util.dynamodb.toDynamoDBJson("${ctx.source.id}2") } }
            """,
        ])
        #expect(items(try notes(server, "a")) == ["a1", "a2"])
        #expect(
            try server.answer(to: #"{ listTodos { items { main { id text todo { id } } } } }"#)
                == #"{"data":{"listTodos":{"items":[{"main":{"id":"a2","text":"t2","todo":{"id":"a"}}},{"main":{"id":"b2","text":"t2","todo":{"id":"b"}}}]}}}"#
        )
    }

    @Test("a template for the answer alone, and steps behind it, get what Amplify's own gives")
    func behind() throws {
        let server = try serve([
            "Todo.notes.res.vtl": """
            #foreach($note in $ctx.result.items) $util.qr($note.put("text", "$note.text of $note.rank")) #end
            $util.toJson($ctx.result)
            """,
            "Todo.notes.finish.1.req.vtl": "$util.toJson({})",
            "Todo.notes.finish.1.res.vtl": """
            $util.qr($ctx.prev.result.items.remove(0))
            $util.toJson($ctx.prev.result)
            """,
            "Todo.main.postDataLoad.1.req.vtl": "$util.toJson({})",
            "Todo.main.postDataLoad.1.res.vtl": """
            $util.qr($ctx.prev.result.put("text", "$ctx.prev.result.rank"))
            $util.toJson($ctx.prev.result)
            """,
        ])
        #expect(items(try notes(server, "a", "text")) == ["t2 of 2", "t3 of 3"])
        #expect(
            try server.answer(to: #"{ getTodo(id: "a") { main { text todo { id } } } }"#)
                == #"{"data":{"getTodo":{"main":{"text":"1","todo":{"id":"a"}}}}}"#)
    }

    @Test("a relation of a record that a handler gives has its steps as well")
    func values() throws {
        let server = try serve([
            "Query.getTodo.res.vtl": "$util.toJson($ctx.result)",
            "Todo.notes.preDataLoad.1.req.vtl": """
            $util.qr($ctx.args.put("limit", 1))
            $util.toJson({})
            """,
        ])
        #expect(items(try notes(server, "a")) == ["a1"])
    }

    @Test("the rules of the model that it leads to hold, whatever stands in its place")
    func rules() throws {
        let server = try ResolverFolder.serve(
            """
            type Todo @model @auth(rules: [{ allow: public }]) {
              id: ID!
              notes: [Note] @hasMany(indexName: "byTodo", fields: ["id"])
            }
            type Note @model @auth(rules: [{ allow: private }]) {
              id: ID! todoID: ID @index(name: "byTodo")
            }
            """,
            [
                "Todo.notes.req.vtl": #"{ "version": "2018-05-29", "operation": "Scan" }"#,
                "Todo.notes.res.vtl": "$util.toJson($ctx.result)",
            ], environment: ["HOMEPORT_AUTH_ADDITIONAL": #"["AMAZON_COGNITO_USER_POOLS"]"#])
        _ = try server.answer(to: #"mutation { createTodo(input: { id: "a" }) { id } }"#)
        let answer = try server.value(of: #"{ getTodo(id: "a") { id notes { items { id } } } }"#)
        #expect(answer["data"]?["getTodo"] == ["id": "a", "notes": .null], "\(answer)")
        #expect(answer["errors"]?[0]?["errorType"] == "Unauthorized", "\(answer)")
    }

    @Test("steps around a function run before and behind it, and the start says that Amplify leaves them out")
    func functions() async throws {
        try await AskedService.run { address, _ in
            let server = try ResolverFolder.serve(
                """
                type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
                type Query { echo(text: String): String @function(name: "echo") }
                """,
                [
                    "Query.echo.preAuth.1.req.vtl": """
                    #if($ctx.args.text == "no") $util.unauthorized() #end
                    $util.qr($ctx.args.put("text", "$ctx.args.text!"))
                    $util.toJson({})
                    """,
                    "Query.echo.finish.1.req.vtl": "$util.toJson({})",
                    "Query.echo.finish.1.res.vtl": #"$util.toJson("got: $ctx.prev.result.body")"#,
                ], environment: ["HOMEPORT_FUNCTIONS": #"{"echo":{"url":"\#(address)/own"}}"#])
            let answer = try server.value(of: #"{ echo(text: "a") }"#)
            let text = answer["data"]?["echo"]?.string ?? ""
            #expect(text.hasPrefix("got: ") && text.contains(#""text":"a!""#), "\(answer)")
            let refused = try server.value(of: #"{ echo(text: "no") }"#)
            #expect(refused["errors"]?[0]?["errorType"] == "Unauthorized", "\(refused)")
            #expect((server.banner + server.log).contains("Amplify leaves it out when it deploys"))
        }
    }

    @Test("templates stand in the place of what Amplify makes of @function, and the function answers all the same")
    func ownTemplates() async throws {
        try await AskedService.run { address, _ in
            let server = try ResolverFolder.serve(
                """
                type Todo @model @auth(rules: [{ allow: public }]) {
                  id: ID!
                  said: String @function(name: "echo-${env}")
                }
                type Query {
                  echo(text: String): String @function(name: "echo-${env}")
                  plain: String @function(name: "echo-${env}")
                  twice: String @function(name: "echo-${env}") @function(name: "other")
                }
                type Mutation { tell(text: String): String @function(name: "other") }
                """,
                [
                    "Query.echo.req.vtl": """
                    #if($ctx.args.text == "no") $util.unauthorized() #end
                    $util.qr($ctx.stash.put("mark", "m"))
                    { "first": 1 }
                    """,
                    "Query.echo.res.vtl": #"$util.toJson("own: $ctx.prev.result.body $ctx.stash.mark")"#,
                    "Mutation.tell.res.vtl": #"$util.toJson("told: $ctx.result.body")"#,
                    "Todo.said.req.vtl": #"#if($ctx.source.id == "b") #return("early") #end {}"#,
                    "InvokeEchoLambdaDataSource.req.vtl": """
                    { "version": "2018-05-29", "operation": "Invoke",
                      "payload": { "field": "$ctx.stash.typeName.$ctx.stash.fieldName", "prev": $util.toJson($ctx.prev.result),
                        "mark": $util.toJson($ctx.stash.mark), "id": $util.toJson($ctx.source.id) } }
                    """,
                ],
                environment: [
                    "HOMEPORT_FUNCTIONS": #"{"echo":{"url":"\#(address)/own"},"other":{"url":"\#(address)/own"}}"#
                ])
            let answer = try server.value(of: #"{ echo(text: "a") plain }"#)
            let echo = answer["data"]?["echo"]?.string ?? ""
            #expect(echo.hasPrefix("own: ") && echo.hasSuffix(" m"), "\(answer)")
            #expect(echo.contains(#""field":"Query.echo""#) && echo.contains(#""prev":{"first":1}"#), "\(answer)")
            let refused = try server.value(of: #"{ echo(text: "no") }"#)
            #expect(refused["errors"]?[0]?["errorType"] == "Unauthorized", "\(refused)")
            let told = try server.value(of: #"mutation { tell(text: "x") }"#)
            let text = told["data"]?["tell"]?.string ?? ""
            #expect(text.hasPrefix("told: ") && text.contains(#""typeName":"Mutation""#), "\(told)")
            #expect(text.contains(#""arguments":{"text":"x"}"#) && text.contains(#""prev":{"result":{}}"#), "\(told)")
            for id in ["a", "b"] {
                _ = try server.value(of: #"mutation { createTodo(input: { id: "\#(id)" }) { id } }"#)
            }
            let todo = try server.value(of: #"{ a: getTodo(id: "a") { said } b: getTodo(id: "b") { said } }"#)
            #expect(todo["data"]?["a"]?["said"]?.string?.contains(#""id":"a""#) == true, "\(todo)")
            #expect(todo["data"]?["b"]?["said"] == "early", "\(todo)")
            #expect(!(server.banner + server.log).contains("cannot be answered"), "\(server.banner)")
        }
    }

    @Test("templates with the names of @http's resolver run before and behind the call")
    func http() async throws {
        try await AskedService.run { address, _ in
            let server = try ResolverFolder.serve(
                """
                type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
                type Thing { target: String method: String }
                type Query { thing(id: ID!): Thing @http(url: "\(address)/things/:id") }
                """,
                [
                    "Query.thing.req.vtl": #"#if($ctx.args.params.id == "no") $util.unauthorized() #end {}"#,
                    "Query.thing.res.vtl": """
                    $util.qr($ctx.prev.result.put("target", "own $ctx.prev.result.target"))
                    $util.toJson($ctx.prev.result)
                    """,
                ])
            let answer = try server.value(of: #"{ thing(params: {id: "a"}) { target method } }"#)
            #expect(answer["data"]?["thing"] == ["target": "own /things/a", "method": "GET"], "\(answer)")
            let refused = try server.value(of: #"{ thing(params: {id: "no"}) { target } }"#)
            #expect(refused["errors"]?[0]?["errorType"] == "Unauthorized", "\(refused)")
        }
    }
}
