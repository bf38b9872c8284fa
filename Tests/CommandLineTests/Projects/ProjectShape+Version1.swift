import JSON
import TestSupport
import Testing

extension ProjectShape {
    private static func project(
        api: String = "blog",
        _ schema: String = "type Post @model @auth(rules: [{allow: public}]) { id: ID! title: String }",
        others: String = "", functions: [String] = [], tables: [String] = [], files: [String: String] = [:]
    ) -> [String: String] {
        let modes = #""output": {"authConfig": {"defaultAuthentication": {"authenticationType": "API_KEY"}}}"#
        let lambdas = functions.map { #""\#($0)": {"service": "Lambda"}"# }.joined(separator: ", ")
        let stores = tables.map { #""\#($0)": {"service": "DynamoDB"}"# }.joined(separator: ", ")
        let usual = [
            "amplify/backend/backend-config.json": """
            {"api": {"\(api)": {"service": "AppSync", \(modes)}\(others)}\(lambdas.isEmpty ? "" : ", \"function\": {\(lambdas)}"),
             "auth": {"pool": {"service": "Cognito"}}\(stores.isEmpty ? "" : ", \"storage\": {\(stores)}")}
            """,
            "amplify/backend/auth/pool/cli-inputs.json":
                #"{"cognitoConfig": {"usernameAttributes": ["email"], "requiredAttributes": ["email"]}}"#,
            "amplify/backend/api/\(api)/schema.graphql": schema,
            "amplify/cli.json":
                #"{"features": {"graphqltransformer": {"transformerversion": 2, "useexperimentalpipelinedtransformer": true}}}"#,
        ]
        return usual.merging(files) { $1 }
    }

    private static let echo = "type Query { echo: String @function(name: \"echo\") }"

    /// A function's files.
    private static func function(
        _ code: String, _ name: String = "echo", variables: String = "{}", resources: String = "",
        _ files: [String: String] = [:]
    ) -> [String: String] {
        let folder = "amplify/backend/function/\(name)"
        let properties =
            #"{"Handler": "index.handler", "Runtime": "nodejs18.x", "FunctionName": "\#(name)", "Environment": {"Variables": \#(variables)}}"#
        let own = [
            "\(folder)/src/index.js": code,
            "\(folder)/\(name)-cloudformation-template.json":
                #"{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": \#(properties)}\#(resources)}}"#,
        ]
        return own.merging(files.map { ("\(folder)/src/\($0)", $1) }) { $1 }
    }

    static let version1 = [
        ProjectShape(
            finding: "B", name: "an API that is called api",
            files: project(
                api: "api", "type Post @model @auth(rules: [{allow: public}]) { id: ID! }\n" + echo,
                functions: ["echo"], files: function("exports.handler = async () => 'here';")),
            query: "{ echo }", answer: #"{"data":{"echo":"here"}}"#, needsNode: true),
        ProjectShape(
            finding: "E", name: "a function that listens on a port",
            files: project(
                echo, functions: ["echo"],
                files: function(
                    "const server = require('http').createServer(); server.listen(3000); exports.handler = async () => typeof server.address().port;"
                )), query: "{ one: echo two: echo }", answer: #"{"data":{"one":"number","two":"number"}}"#,
            needsNode: true),
        ProjectShape(
            finding: "F", name: "a function that asks the API by HTTPS, by its address or by its host alone",
            files: project(
                "type Post @model @auth(rules: [{allow: public}]) { id: ID! }\n" + echo, functions: ["echo"],
                files: function(
                    """
                    const https = require('https');
                    const { API_BLOG_GRAPHQLAPIENDPOINTOUTPUT: address, API_BLOG_GRAPHQLAPIKEYOUTPUT: key } = process.env;
                    const ask = (...place) => new Promise((resolve, reject) => {
                      const request = https.request(...place, (answer) => {
                        let text = '';
                        answer.on('data', (part) => { text += part; });
                        answer.on('end', () => resolve(JSON.parse(text).data.listPosts.items.length));
                      });
                      request.on('error', reject);
                      request.end(JSON.stringify({ query: '{ listPosts { items { id } } }' }));
                    });
                    exports.handler = async () => {
                      const options = { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' } };
                      const { hostname, pathname } = new URL(address);
                      return [await ask(address, options), await ask({ ...options, host: hostname, path: pathname })].join();
                    };
                    """,
                    variables:
                        #"{"API_BLOG_GRAPHQLAPIENDPOINTOUTPUT": {"Ref": "apiblogGraphQLAPIEndpointOutput"}, "API_BLOG_GRAPHQLAPIKEYOUTPUT": {"Ref": "apiblogGraphQLAPIKeyOutput"}}"#
                )), query: "{ echo }", answer: #"{"data":{"echo":"0,0"}}"#, needsNode: true),
        ProjectShape(
            finding: "G", name: "AdminQueries, which show a token of the pool",
            files: project(
                others:
                    #", "AdminQueries": {"service": "API Gateway", "authorizationType": "AMAZON_COGNITO_USER_POOLS"}"#,
                functions: ["admin1a"],
                files: function(
                    "exports.handler = async (event) => ({ statusCode: 200, body: event.requestContext.authorizer.claims.username });",
                    "admin1a",
                    [:]
                ).merging([
                    "amplify/backend/api/AdminQueries/admin-queries-cloudformation-template.json": """
                    {"Resources": {"AdminQueries": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Body": {
                      "paths": {"/{proxy+}": {"options": {}, "x-amazon-apigateway-any-method": {
                        "security": [{"Cognito": ["aws.cognito.signin.user.admin"]}],
                        "x-amazon-apigateway-integration": {"uri": {"Fn::Join": ["", ["arn:", {"Ref": "functionadmin1aArn"}, "/invocations"]]}}}}},
                      "securityDefinitions": {"Cognito": {"x-amazon-apigateway-authtype": "cognito_user_pools"}}}}}}}
                    """
                ]) { $1 }), needsNode: true,
            works: { server in
                let token = try ProgramRun.outcome(
                    ["token", "--username", "ann", "--use", "access"], in: server.folder)
                let field = "Authorization: \(token.output.trimmingCharacters(in: .newlines))"
                let answer = try get("/rest/AdminQueries/listUsers", [field], from: server)
                #expect(answer.status == 200 && answer.body == "ann", "\(answer) \(server.log)")
                #expect(try get("/rest/AdminQueries/listUsers", from: server).status == 401)
            }),
        ProjectShape(
            finding: "I", name: "a template with a comma behind the last member",
            files: project(
                "type Post @model @auth(rules: [{allow: public}]) { id: ID! }\ntype Query { word: String }",
                files: [
                    "amplify/backend/api/blog/stacks/CustomResources.json": #"""
                    { "Resources": {
                      "Nothing": { "Type": "AWS::AppSync::DataSource", "Properties": { "Name": "Nothing", "Type": "NONE" } },
                      "Word": { "Type": "AWS::AppSync::Resolver", "Properties": {
                        "TypeName": "Query", "FieldName": "word", "DataSourceName": "Nothing",
                        "RequestMappingTemplate": "{\"version\": \"2018-05-29\", \"payload\": {\"word\": \"here\",},}",
                        "ResponseMappingTemplate": "$util.toJson($ctx.result.word)" } } } }
                    """#
                ]), query: "{ word }", answer: #"{"data":{"word":"here"}}"#),
        ProjectShape(
            finding: "J", name: "a template that is left over in resolvers",
            files: project(
                "type Post @model @auth(rules: [{allow: public}]) { id: ID! place: Place }\ntype Place { street: String }",
                files: ["amplify/backend/api/blog/resolvers/Post.place.req.vtl": "{}"]),
            query: "{ listPosts { items { place { street } } } }", answer: #"{"data":{"listPosts":{"items":[]}}}"#,
            warnings: ["Post.place"],
            works: { server in
                let made = try server.answer(
                    to: #"mutation { createPost(input: {place: {street: "a"}}) { place { street } } }"#)
                #expect(made == #"{"data":{"createPost":{"place":{"street":"a"}}}}"#)
            }),
        ProjectShape(
            finding: "1", name: "functions whose names begin alike",
            files: project(
                echo, functions: ["echo", "makeCustomer", "makeCustomerMutation"],
                files: function(
                    "exports.handler = async () => process.env.FUNCTION_MAKECUSTOMERMUTATION_NAME;",
                    variables:
                        #"{"FUNCTION_MAKECUSTOMERMUTATION_NAME": {"Ref": "functionmakeCustomerMutationName"}}"#
                ).merging(function("exports.handler = 1;", "makeCustomer")) { $1 }
                    .merging(function("exports.handler = 1;", "makeCustomerMutation")) { $1 }),
            query: "{ echo }", answer: #"{"data":{"echo":"makeCustomerMutation-dev"}}"#, needsNode: true),
        ProjectShape(
            finding: "4", name: "an app that imports aws-exports.ts",
            files: project(files: [
                "amplify/.config/project-config.json":
                    #"{"frontend": "javascript", "javascript": {"framework": "angular", "config": {"SourceDir": "src"}}}"#,
                "src/aws-exports.ts": "// WARNING: DO NOT EDIT.\nconst awsmobile = {};\nexport default awsmobile;\n",
                "package.json": #"{"dependencies": {"aws-amplify": "5.0.0"}}"#,
            ]),
            works: { server in
                let file = server.folder.read("src/aws-exports.ts")
                #expect(file.contains("127.0.0.1:\(server.port)/graphql"), "\(file) \(server.log)")
            }),
        ProjectShape(
            finding: "9, 12", name: "a secret of a function, and an address of AWS in a file that it imports",
            files: project(
                echo, functions: ["echo"],
                files: function(
                    "const { url } = require('./out.json'); exports.handler = async () => url.length;",
                    variables: #"{"KEY": "/amplify/d1/dev/AMPLIFY_echo_KEY"}"#,
                    ["out.json": #"{"url": "https://abc.appsync-api.us-east-1.amazonaws.com/graphql"}"#])),
            warnings: ["functions go without the secrets KEY", "src/out.json:1"]),
        ProjectShape(
            finding: "13", name: "a folder that is written otherwise than its name",
            files: project(functions: ["Echo"], files: function("exports.handler = async () => 1;")),
            warnings: ["`function.Echo` has no folder"]),
        ProjectShape(
            finding: "",
            name: "tables of `amplify add storage`, in both of its forms, and a function that is told of one",
            files: project(
                "type Post @model @auth(rules: [{allow: public}]) { id: ID! }\n" + echo,
                functions: ["echo"], tables: ["stock", "log"],
                files: function(
                    """
                    const { STORAGE_STOCK_NAME: stock, STORAGE_LOG_ARN: log } = process.env;
                    exports.handler = async (event) => {
                      for (const { dynamodb } of event.Records ?? []) console.log('told of', dynamodb.NewImage.sku.N);
                      return [stock, log.split('/')[1]].join();
                    };
                    """,
                    variables:
                        #"{"STORAGE_STOCK_NAME": {"Ref": "storagestockName"}, "STORAGE_LOG_ARN": {"Ref": "storagelogArn"}}"#,
                    resources: #"""
                        , "Told": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {
                          "EventSourceArn": {"Ref": "storagestockStreamArn"}, "StartingPosition": "LATEST"}}
                        """#
                ).merging([
                    "amplify/backend/storage/stock/cli-inputs.json": #"""
                    {"resourceName": "stock", "tableName": "things", "partitionKey": {"fieldName": "sku", "fieldType": "number"},
                     "sortKey": {"fieldName": "place", "fieldType": "string"},
                     "gsi": [{"name": "byPlace", "partitionKey": {"fieldName": "place", "fieldType": "string"}}]}
                    """#,
                    "amplify/backend/storage/log/parameters.json": #"{"tableName": "lines"}"#,
                    "amplify/backend/storage/log/log-cloudformation-template.json": #"""
                    {"Resources": {"DynamoDBTable": {"Type": "AWS::DynamoDB::Table", "Properties": {
                      "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "at", "AttributeType": "N"}],
                      "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                      "GlobalSecondaryIndexes": [{"IndexName": "byTime", "KeySchema": [
                        {"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}]}],
                      "TableName": {"Ref": "tableName"}}}}}
                    """#,
                ]) { $1 }), query: "{ echo }", answer: #"{"data":{"echo":"things-dev,lines-dev"}}"#, needsNode: true,
            works: { server in
                for (table, index, keys) in [("things-dev", "byPlace", 2), ("lines-dev", "byTime", 1)] {
                    let answer = try SignedCall.item("DescribeTable", #"{"TableName": "\#(table)"}"#, to: server)
                        .answer(from: server)
                    let found = try JSONReader.value(of: answer.body)["Table"]
                    #expect(found?["KeySchema"]?.array?.count == keys, "\(answer) \(server.log)")
                    #expect(found?["GlobalSecondaryIndexes"]?[0]?["IndexName"]?.string == index)
                    #expect(found?["StreamSpecification"]?["StreamViewType"] == "NEW_IMAGE")
                }
                let item = #"{"TableName": "things-dev", "Item": {"sku": {"N": "7"}, "place": {"S": "a"}}}"#
                #expect(try SignedCall.item("PutItem", item, to: server).answer(from: server).status == 200)
                #expect(server.logs("told of 7", milliseconds: 60_000), "\(server.log)")
            }),
        ProjectShape(
            finding: "", name: "an override that nothing reads",
            files: project(files: [
                "amplify/backend/api/blog/override.ts":
                    "export function override(resources) { resources.models['Post'].modelDDBTable.timeToLiveSpecification = {}; }"
            ]), warnings: ["timeToLiveSpecification` does not hold here"]),
    ]
}
