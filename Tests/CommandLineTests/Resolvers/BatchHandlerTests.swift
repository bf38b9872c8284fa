import Foundation
import JSON
import TestSupport
import Testing

/// Functions that are asked for the elements of a list together, through the real program.
@Suite("Batches of invocations, served")
struct BatchHandlerTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
        type Query { items(count: Int!): [Item] }
        type Item { id: ID three: String usual: String direct: String single: String forbidden: String }
        """
    private static let batch = #"{ "version": "2018-05-29", "operation": "BatchInvoke", "payload": "$ctx.source.id" }"#
    private static let answer = """
        #if($ctx.error) $util.error($ctx.error.message, $ctx.error.type) #end
        #if($ctx.result.errorMessage) $util.error($ctx.result.errorMessage, $ctx.result.errorType) #end
        $util.toJson("$ctx.result.of")
        """
    private static let items = """
        #set($items = [])
        #foreach($i in [1..$ctx.args.count]) $util.qr($items.add({ "id": "i$i" })) #end
        { "version": "2018-05-29", "payload": $util.toJson($items) }
        """

    private static func source(_ name: String, _ function: String) -> (String, JSONValue) {
        (
            name,
            [
                "Type": "AWS::AppSync::DataSource",
                "Properties": [
                    "Name": .string(name), "Type": "AWS_LAMBDA",
                    "LambdaConfig": [
                        "LambdaFunctionArn": .string("arn:aws:lambda:us-east-1:123456789012:function:\(function)")
                    ],
                ],
            ]
        )
    }

    private static func resolver(
        _ type: String, _ field: String, _ source: String, _ request: String? = nil, _ response: String? = nil,
        batch: Int64? = nil
    ) -> (String, JSONValue) {
        var properties = JSONObject([
            ("TypeName", .string(type)), ("FieldName", .string(field)), ("DataSourceName", .string(source)),
        ])
        if let request { properties.set("RequestMappingTemplate", to: .string(request)) }
        if let response { properties.set("ResponseMappingTemplate", to: .string(response)) }
        if let batch { properties.set("MaxBatchSize", to: .integer(batch)) }
        return ("\(type)\(field)", ["Type": "AWS::AppSync::Resolver", "Properties": .object(properties)])
    }

    private static var stack: String {
        let resources = [
            source("Batch", "batch"), source("Direct", "direct"), source("Forbids", "forbids"),
            resolver("Query", "items", "NONE", items, "$util.toJson($ctx.result)"),
            resolver("Item", "three", "Batch", batch, answer, batch: 3),
            resolver("Item", "usual", "Batch", batch, answer), resolver("Item", "direct", "Direct", batch: 4),
            resolver("Item", "single", "Direct"), resolver("Item", "forbidden", "Forbids"),
        ]
        return JSONWriter.text(of: ["Resources": .object(JSONObject(resources))])
    }

    private static func serving(
        _ story: @escaping @Sendable (HomeportProcess, AskedService) throws -> Void
    ) async throws {
        try await AskedService.run { address, service in
            let functions = ["batch", "direct", "forbids"].map { #""\#($0)":{"url":"\#(address)/\#($0)"}"# }
            let server = try ResolverFolder.serve(
                schema, [:], stacks: ["CustomResources.json": stack],
                environment: ["HOMEPORT_FUNCTIONS": "{\(functions.joined(separator: ","))}"])
            try story(server, service)
        }
    }

    /// How many elements the invocations had that are not told of yet.
    private static func sizes(_ service: AskedService, after count: Int) -> [Int] {
        service.requests.dropFirst(count).map { told in
            (try? JSONReader.value(of: told["body"]?.string ?? ""))?.array?.count ?? 1
        }
    }

    @Test(
        "of a list the payloads go as lists of at most so many, and each element has its own result or error",
        arguments: [("three", 3), ("usual", 5), ("direct", 4)])
    func lists(field: String, batchMax: Int) async throws {
        try await Self.serving { server, service in
            var isGathered = false
            for _ in 0..<20 where !isGathered {
                let before = service.requests.count
                let answer = try server.value(of: "{ items(count: 7) { id \(field) } }")
                let items = answer["data"]?["items"]?.array ?? []
                #expect(items.map { $0["id"] } == (1...7).map { .string("i\($0)") })
                for (number, item) in items.enumerated() where number != 1 {
                    #expect(item[field] == .string(field == "direct" ? "direct of i\(number + 1)" : "i\(number + 1)"))
                }
                #expect(items.count > 1 && items[1][field] == .null, "\(answer)")
                #expect(answer["errors"]?.array?.count == 1, "\(answer)")
                let error = answer["errors"]?[0]
                #expect(error?["message"] == "Not this" && error?["errorType"] == "Own", "\(answer)")
                #expect(error?["path"] == ["items", 1, .string(field)], "\(answer)")
                let sizes = Self.sizes(service, after: before)
                #expect(sizes.allSatisfy { (1...batchMax).contains($0) } && sizes.reduce(0, +) == 7, "\(sizes)")
                // What is ready at the same time goes together.
                isGathered = sizes.count == (7 + batchMax - 1) / batchMax
            }
            #expect(isGathered)
        }
    }

    @Test("a function without any code is told all of the field, and its errors are the field's")
    func direct() async throws {
        try await Self.serving { server, service in
            let before = service.requests.count
            let answer = try server.value(of: "{ items(count: 1) { single } }")
            #expect(answer["data"]?["items"]?[0]?["single"] == "single of i1", "\(answer)")
            let told = try JSONReader.value(of: service.requests[before]["body"]?.string ?? "")
            #expect(
                told["source"] == ["id": "i1"] && told["arguments"] == [:] && told["stash"]?.object != nil, "\(told)")
            #expect(told["info"]?["parentTypeName"] == "Item" && told["info"]?["selectionSetList"] == [], "\(told)")
            #expect(told["request"]?["headers"]?.object?.isEmpty == false)
            let forbidden = try server.value(of: "{ items(count: 1) { forbidden } }")
            #expect(forbidden["errors"]?[0]?["errorType"] == "UnauthorizedException", "\(forbidden)")
            #expect(forbidden["errors"]?[0]?["message"] == "You are not authorized to make this call.")
        }
    }
}
