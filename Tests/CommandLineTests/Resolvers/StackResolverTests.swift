import JSON
import TestSupport
import Testing

/// Resolvers that a stack names, through the real program.
@Suite("Resolvers of stacks, served")
struct StackResolverTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
        type Query { steps: String }
        """
    private static let stack = """
        { "Resources": {
          "Nothing": { "Type": "AWS::AppSync::DataSource", "Properties": { "Name": "Nothing", "Type": "NONE" } },
          "First": { "Type": "AWS::AppSync::FunctionConfiguration", "Properties": {
            "Name": "First", "DataSourceName": "Nothing", "FunctionVersion": "2018-05-29",
            "RequestMappingTemplate": "{\\"payload\\": $util.toJson(\\"$ctx.prev.result one\\")}",
            "ResponseMappingTemplate": "$util.toJson($ctx.result)" } },
          "Steps": { "Type": "AWS::AppSync::Resolver", "Properties": {
            "TypeName": "Query", "FieldName": "steps", "Kind": "PIPELINE",
            "PipelineConfig": { "Functions": [{ "Fn::GetAtt": ["First", "FunctionId"] }] },
            "RequestMappingTemplate": "\\"before\\"",
            "ResponseMappingTemplate": "$util.toJson(\\"$ctx.result after\\")" } }
        } }
        """

    @Test("templates of a pipeline run around its functions, and nobody is warned that they work on nothing")
    func around() throws {
        let server = try ResolverFolder.serve(Self.schema, [:], stacks: ["CustomResources.json": Self.stack])
        #expect(try server.answer(to: "{ steps }") == #"{"data":{"steps":"before one after"}}"#)
        let told = server.banner + server.log
        #expect(!told.contains("cannot be answered"), "\(told)")
    }

    private static let versions = """
        { "Resources": {
          "Nothing": { "Type": "AWS::AppSync::DataSource", "Properties": { "Name": "Nothing", "Type": "NONE" } },
          "Code": { "Type": "AWS::AppSync::Resolver", "Properties": {
            "TypeName": "Query", "FieldName": "code", "DataSourceName": "Nothing",
            "Runtime": { "Name": "APPSYNC_JS", "RuntimeVersion": "1.0.0" },
            "Code": "export const request = () => ({ version: '2017-02-28' });\\nexport const response = (ctx) => `has ${ctx.result}`;" } },
          "Template": { "Type": "AWS::AppSync::Resolver", "Properties": {
            "TypeName": "Query", "FieldName": "template", "DataSourceName": "Nothing",
            "RequestMappingTemplate": "{\\"version\\": \\"2017-02-28\\"}",
            "ResponseMappingTemplate": "\\"has it\\"" } },
          "Batch": { "Type": "AWS::AppSync::Resolver", "Properties": {
            "TypeName": "Query", "FieldName": "batch", "DataSourceName": "TodoTable",
            "RequestMappingTemplate": "{\\"version\\": \\"$ctx.args.version\\", \\"operation\\": \\"BatchGetItem\\", \\"tables\\": {\\"Todo-local-NONE\\": {\\"keys\\": [{\\"id\\": {\\"S\\": \\"a\\"}}]}}}",
            "ResponseMappingTemplate": "$util.toJson($util.toJson($ctx.result.data.values()))" } }
        } }
        """

    @Test("a template's version says what its table can, and when its response runs; code has none")
    func version() throws {
        let schema = """
            type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
            type Query { code: String template: String batch(version: String): String }
            """
        let server = try ResolverFolder.serve(schema, [:], stacks: ["CustomResources.json": Self.versions])
        let answer = try server.value(of: "{ code template }")
        #expect(answer["data"] == ["code": "has null", "template": .null], "\(answer)")
        let first = try server.value(of: #"{ batch(version: "2017-02-28") }"#)
        #expect(first["errors"]?[0]?["message"] == "Unsupported operation 'BatchGetItem'.", "\(first)")
        #expect(first["errors"]?[0]?["errorType"] == "MappingTemplate", "\(first)")
        let second = try server.value(of: #"{ batch(version: "2018-05-29") }"#)
        #expect(second["data"]?["batch"] == "[[null]]", "\(second)")
    }
}
