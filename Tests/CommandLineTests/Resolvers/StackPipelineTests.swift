import JSON
import TestSupport
import Testing

/// Pipelines whose own templates a stack names, through the real program.
@Suite("Pipelines of stacks, served", .onItsOwnThread)
struct StackPipelineTests {
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

    @Test("run around their functions, and nobody is warned that they work on nothing")
    func around() throws {
        let server = try ResolverFolder.serve(Self.schema, [:], stacks: ["CustomResources.json": Self.stack])
        #expect(try server.answer(to: "{ steps }") == #"{"data":{"steps":"before one after"}}"#)
        let told = server.banner + server.log
        #expect(!told.contains("cannot be answered"), "\(told)")
    }
}
