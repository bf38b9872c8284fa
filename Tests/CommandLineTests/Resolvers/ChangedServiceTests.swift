import Foundation
import JSON
import TestSupport
import Testing

/// Files of a Gen 1 project in the place of what Amplify makes of `@http`, through the real program and a real service.
@Suite("Calls of services that a project changes, served")
struct ChangedServiceTests {
    private static func schema(_ address: String) -> String {
        """
        input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }
        type Note @model { id: ID! }
        type Told { method: String target: String body: String note: String }
        type Query {
          get(id: ID!, size: Int): Told @http(url: "\(address)/a/:id")
          other(id: ID!, idea: ID!): Told @http(url: "\(address)/b/:id/:idea")
        }
        type Mutation {
          put(text: String!, size: Int): Told
            @http(method: PUT, url: "\(address)/p", headers: [{ key: "X-Own", value: "$ctx.args.body.text" }])
        }
        """
    }

    /// A response that adds to what Amplify's own gives.
    private static let noting = """
        #set( $told = $util.parseJson($ctx.result.body) )
        $util.qr($told.put("note", "status $ctx.result.statusCode"))
        $util.toJson($told)
        """

    private static func serving(
        _ files: [String: String], _ body: @escaping @Sendable (HomeportProcess, AskedService) throws -> Void
    ) async throws {
        try await AskedService.run { address, service in
            try body(try ResolverFolder.serve(schema(address), files), service)
        }
    }

    private static let get = "{ get(params: { id: \"7\" }, query: { size: 2 }) { method target body note } }"

    @Test("a request of the project's own is sent in the place of Amplify's, whose response stays")
    func request() async throws {
        try await Self.serving([
            "Query.get.DataResolver.req.vtl": """
            { "version": "2018-05-29", "method": "POST", "resourcePath": "/own/${ctx.args.params.id}",
              "params": { "query": { "size": $ctx.args.query.size }, "body": { "n": 1 }, "headers": { "x-own": "yes" } } }
            """,
            // There is nothing that Amplify would call so.
            "Query.listNotes.DataResolver.req.vtl": "$util.unauthorized()",
            "Query.nothing.DataResolver.req.vtl": "$util.unauthorized()",
        ]) { server, service in
            #expect(
                try server.value(of: Self.get)["data"]?["get"] == [
                    "method": "POST", "target": "/own/7?size=2", "body": #"{"n":1}"#, "note": .null,
                ], "\(server.log)")
            #expect(service.requests.last?["fields"]?["x-own"] == "yes")
            #expect(try server.answer(to: "{ listNotes { items { id } } }") == #"{"data":{"listNotes":{"items":[]}}}"#)
            // Another field with the directive is as it was.
            let other = try server.value(of: #"{ other(params: { id: "x", idea: "y" }) { method target } }"#)
            #expect(other["data"]?["other"] == ["method": "GET", "target": "/b/x/y"], "\(other)")
            #expect(!server.log.contains("cannot be answered"), "\(server.log)")
        }
    }

    @Test("a response of the project's own is what comes of Amplify's request, which asks as it does without")
    func response() async throws {
        try await Self.serving([
            "Query.get.DataResolver.res.vtl": Self.noting, "Query.other.DataResolver.res.vtl": Self.noting,
            "Mutation.put.DataResolver.res.vtl": Self.noting,
        ]) { server, service in
            #expect(
                try server.value(of: Self.get)["data"]?["get"] == [
                    "method": "GET", "target": "/a/7?size=2", "body": "", "note": "status 200",
                ], "\(server.log)")
            let other = try server.value(of: #"{ other(params: { id: "x", idea: "y" }) { target note } }"#)
            #expect(other["data"]?["other"] == ["target": "/b/x/y", "note": "status 200"], "\(other)")
            let put = try server.value(
                of: #"mutation { put(query: { size: 3 }, body: { text: "t" }) { method target body note } }"#)
            #expect(
                put["data"]?["put"] == [
                    "method": "PUT", "target": "/p?size=3", "body": #"{"text":"t"}"#, "note": "status 200",
                ], "\(put)")
            let fields = service.requests.last?["fields"]
            #expect(fields?["x-own"] == "t" && fields?["content-type"] == "application/json", "\(service.requests)")
            let count = service.requests.count
            let missing = try server.value(of: "mutation { put(query: { size: 3 }) { note } }")
            #expect(missing["errors"]?[0]?["message"]?.string?.contains("you marked as Non-Null") == true, "\(missing)")
            #expect(service.requests.count == count)
        }
    }

    @Test("what is behind the call is told of its errors, and the field's own response comes last")
    func behind() async throws {
        try await Self.serving([
            "Query.get.DataResolver.req.vtl":
                #"{ "version": "2018-05-29", "method": "GET", "resourcePath": "/${ctx.args.params.id}", "params": {} }"#,
            "Query.get.res.vtl": """
            #if( $ctx.prev.result ) $util.qr($ctx.prev.result.put("note", "last")) #end
            $util.toJson($ctx.prev.result)
            """,
        ]) { server, _ in
            let good = try server.value(of: #"{ get(params: { id: "x" }) { target note } }"#)
            #expect(good["data"]?["get"] == ["target": "/x", "note": "last"], "\(good) \(server.log)")
            let bad = try server.value(of: #"{ get(params: { id: "teapot" }) { target note } }"#)
            #expect(bad["data"]?["get"] == .null && bad["errors"]?[0]?["errorType"] == "418", "\(bad)")
        }
    }
}
