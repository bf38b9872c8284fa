import Foundation
import JSON
import TestSupport
import Testing

/// What a Gen 1 project changes of the operations of its models, through the real program.
@Suite("Changed operations of models, served")
struct ChangedOperationTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) {
          id: ID! text: String state: String count: Int
          notes: [Note] @hasMany
        }
        type Note @model @auth(rules: [{ allow: public }]) { id: ID! text: String }
        """

    private func serve(_ files: [String: String]) throws -> HomeportProcess {
        try ResolverFolder.serve(Self.schema, files)
    }

    private static let create = #"mutation C($i: CreateTodoInput!) { createTodo(input: $i) { id text state count } }"#

    private func create(_ server: HomeportProcess, _ input: [String: Any]) throws -> JSONValue {
        try server.value(of: Self.create, ["i": input])
    }

    @Test("steps before a mutation change its input, give defaults, and add conditions")
    func writing() throws {
        let server = try serve([
            "Mutation.createTodo.init.2.req.vtl": """
            $util.qr($ctx.stash.defaultValues.put("state", "new"))
            $util.toJson({})
            """,
            "Mutation.createTodo.preUpdate.1.req.vtl": """
            #if($ctx.args.input.text == "bad")
              $util.error("No such text", "BadText")
            #end
            $util.qr($ctx.args.input.put("text", "$ctx.args.input.text!"))
            $util.toJson({})
            """,
            "Mutation.updateTodo.postAuth.2.req.vtl": """
            $util.qr($ctx.stash.conditions.add({ "state": { "ne": "locked" } }))
            $util.toJson({})
            """,
        ])
        let made = try create(server, ["id": "a", "text": "x"])
        #expect(made["data"]?["createTodo"] == ["id": "a", "text": "x!", "state": "new", "count": .null], "\(made)")
        let given = try create(server, ["id": "b", "text": "y", "state": "locked"])
        #expect(given["data"]?["createTodo"]?["state"] == "locked", "\(given)")
        let refused = try create(server, ["text": "bad"])
        #expect(
            refused["data"]?["createTodo"] == .null && refused["errors"]?[0]?["errorType"] == "BadText", "\(refused)")
        #expect(refused["errors"]?[0]?["message"] == "No such text")
        func update(_ id: String) throws -> JSONValue {
            try server.value(of: #"mutation { updateTodo(input: { id: "\#(id)", count: 2 }) { id count } }"#)
        }
        #expect(try update("a")["data"]?["updateTodo"]?["count"] == 2)
        let locked = try update("b")
        #expect(locked["errors"]?[0]?["errorType"] == "DynamoDB:ConditionalCheckFailedException", "\(locked)")
        let all = try server.value(of: "{ listTodos { items { id } } }")
        #expect(all["data"]?["listTodos"]?["items"]?.array?.count == 2, "nothing of what was refused is there: \(all)")
    }

    @Test("steps before a query filter what is shown, and refuse")
    func reading() throws {
        let filter = """
            $util.qr($ctx.stash.put("authFilter", { "state": { "eq": "open" } }))
            $util.toJson({})
            """
        let server = try serve([
            "Query.listTodos.postAuth.2.req.vtl": filter, "Query.getTodo.postAuth.2.req.vtl": filter,
            "Query.listNotes.preAuth.1.req.vtl": "$util.unauthorized()",
        ])
        for (id, state) in [("a", "open"), ("b", "closed")] { _ = try create(server, ["id": id, "state": state]) }
        #expect(
            try server.answer(to: "{ listTodos { items { id notes { items { id } } } } }")
                == #"{"data":{"listTodos":{"items":[{"id":"a","notes":{"items":[]}}]}}}"#)
        #expect(try server.answer(to: #"{ getTodo(id: "a") { id } }"#) == #"{"data":{"getTodo":{"id":"a"}}}"#)
        let hidden = try server.value(of: #"{ getTodo(id: "b") { id } }"#)
        #expect(
            hidden["data"]?["getTodo"] == .null && hidden["errors"]?[0]?["errorType"] == "Unauthorized", "\(hidden)")
        #expect(try server.answer(to: #"{ getTodo(id: "none") { id } }"#) == #"{"data":{"getTodo":null}}"#)
        let notes = try server.value(of: "{ listNotes { items { id } } }")
        #expect(notes["errors"]?[0]?["message"] == "Not Authorized to access listNotes on type Query", "\(notes)")
    }

    @Test("a template runs in the place of Amplify's own, and nothing else changes")
    func replaced() throws {
        let server = try serve([
            "Query.getTodo.req.vtl": """
            { "version": "2018-05-29", "operation": "GetItem",
              "key": { "id": $util.dynamodb.toDynamoDBJson("at-$ctx.args.id") } }
            """,
            "Query.getTodo.res.vtl": """
            #if($ctx.error) $util.error($ctx.error.message, $ctx.error.type) #end
            $util.toJson($ctx.result)
            """,
            "Mutation.createTodo.res.vtl": """
            $util.qr($ctx.result.put("state", "seen"))
            $util.toJson($ctx.result)
            """,
            "Query.listTodos.req.vtl": """
            { "version": "2018-05-29", "operation": "Scan", "limit": $util.defaultIfNull($ctx.args.limit, 2) }
            """,
        ])
        let made = try create(server, ["id": "at-1", "text": "t", "state": "s"])
        #expect(made["data"]?["createTodo"] == ["id": "at-1", "text": "t", "state": "seen", "count": .null], "\(made)")
        _ = try server.answer(
            to: #"mutation { createNote(input: { id: "n", todoNotesId: "at-1", text: "note" }) { id } }"#)
        #expect(
            try server.answer(to: #"{ getTodo(id: "1") { id text state notes { items { text } } } }"#)
                == #"{"data":{"getTodo":{"id":"at-1","text":"t","state":"s","notes":{"items":[{"text":"note"}]}}}}"#)
        for id in ["b", "c"] { _ = try create(server, ["id": id]) }
        let page = try server.value(of: "{ listTodos { items { id } nextToken } }")
        #expect(page["data"]?["listTodos"]?["items"]?.array?.count == 2, "\(page)")
        #expect(page["data"]?["listTodos"]?["nextToken"]?.string?.isEmpty == false)
    }

    @Test("steps behind an operation get the whole record, and give what the field gives")
    func behind() throws {
        let server = try serve([
            "Query.getTodo.postDataLoad.1.req.vtl": "$util.toJson({})",
            "Query.getTodo.postDataLoad.1.res.vtl": """
            #set($todo = $ctx.prev.result)
            #if($todo.state == "secret") $util.unauthorized() #end
            $util.qr($todo.put("text", "$todo.text of $todo.state"))
            $util.toJson($todo)
            """,
            "Query.listTodos.finish.1.req.vtl": "$util.toJson({})",
        ])
        for (id, state) in [("a", "open"), ("b", "secret")] {
            _ = try create(server, ["id": id, "text": "t", "state": state])
        }
        #expect(
            try server.answer(to: #"{ getTodo(id: "a") { text notes { items { id } } } }"#)
                == #"{"data":{"getTodo":{"text":"t of open","notes":{"items":[]}}}}"#)
        let secret = try server.value(of: #"{ getTodo(id: "b") { text } }"#)
        #expect(
            secret["data"]?["getTodo"] == .null && secret["errors"]?[0]?["errorType"] == "Unauthorized", "\(secret)")
        // Without a template for its answer a step gives an empty object.
        let empty = try server.value(of: "{ listTodos { nextToken } }")
        #expect(empty["data"]?["listTodos"]?["nextToken"] == .null, "\(empty)")
    }

    @Test("subscribers hear once of a mutation with steps around it, and of its final value")
    func events() throws {
        let server = try serve([
            "Mutation.createTodo.preUpdate.1.req.vtl": "$util.toJson({})",
            "Mutation.updateTodo.finish.1.req.vtl": "$util.toJson({})",
            "Mutation.updateTodo.finish.1.res.vtl": """
            $util.qr($ctx.prev.result.put("text", "final"))
            $util.toJson($ctx.prev.result)
            """,
        ])
        var socket = try WebSocketClient(
            port: server.port, path: "/graphql", protocols: ["graphql-ws"], fields: [("x-api-key", ClientScript.key)])
        try socket.send(#"{"type":"connection_init"}"#)
        for _ in 1...2 { _ = try socket.next(until: .now + .seconds(30)) }
        for (id, field) in [("1", "onCreateTodo"), ("2", "onUpdateTodo")] {
            try socket.send(
                #"{"id":"\#(id)","type":"start","payload":{"data":"{\"query\":\"subscription { \#(field) { id text } }\"}"}}"#
            )
            _ = try socket.next(until: .now + .seconds(30))
        }
        _ = try create(server, ["id": "a", "text": "t"])
        _ = try server.answer(to: #"mutation { updateTodo(input: { id: "a", text: "u" }) { id text } }"#)
        #expect(
            try socket.next(until: .now + .seconds(30))
                == .text(#"{"id":"1","type":"data","payload":{"data":{"onCreateTodo":{"id":"a","text":"t"}}}}"#))
        #expect(
            try socket.next(until: .now + .seconds(30))
                == .text(#"{"id":"2","type":"data","payload":{"data":{"onUpdateTodo":{"id":"a","text":"final"}}}}"#))
    }
}
