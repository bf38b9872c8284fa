import JSON
import TestSupport
import Testing

/// The rights of data sources whose requests are signed for a service of this server, through the real program.
@Suite("Roles of data sources, served")
struct SourceRoleServeTests {
    private static let sources = [
        "bare", "given", "granted", "inRole", "byTemplate", "elsewhere", "configured", "other", "denied",
    ]

    private static let schema =
        sources.map {
            """
            \($0): a.mutation().arguments({ request: a.string().required() }).returns(a.string())
              .handler(a.handler.custom({ dataSource: '\($0)', entry: './any.js' })).authorization(open),
            """
        }.joined() + "Todo: a.model({ name: a.string() }).authorization(open),"

    private static let backend = """
        import { Queue } from 'aws-cdk-lib/aws-sqs';
        import { CfnDataSource, HttpDataSource } from 'aws-cdk-lib/aws-appsync';
        import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
        const stack = backend.createStack('own');
        const queue = new Queue(stack, 'jobs', { queueName: 'jobs' });
        const endpoint = 'https://sqs.us-east-1.amazonaws.com';
        const authorizationConfig = { signingRegion: 'us-east-1', signingServiceName: 'sqs' };
        const send = new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
        const add = (name) => backend.data.addHttpDataSource(name, endpoint, { authorizationConfig });
        add('bare');
        add('given').grantPrincipal.addToPrincipalPolicy(send);
        queue.grantSendMessages(add('granted'));
        add('other').grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: ['sqs:*'], resources: ['arn:aws:sqs:us-east-1:123456789012:others'] }));
        const denied = add('denied').grantPrincipal;
        denied.addToPrincipalPolicy(send);
        denied.addToPrincipalPolicy(new PolicyStatement({ effect: Effect.DENY, actions: ['sqs:*'], resources: ['*'] }));
        const assumedBy = new ServicePrincipal('appsync.amazonaws.com');
        new HttpDataSource(stack, 'r', {
          api: backend.data.resources.graphqlApi, name: 'inRole', endpoint, authorizationConfig,
          serviceRole: new Role(stack, 'role', { assumedBy, inlinePolicies: { send: new PolicyDocument({ statements: [send] }) } }),
        });
        const role = new Role(stack, 'second', { assumedBy });
        role.addToPolicy(send);
        const httpConfig = { endpoint, authorizationConfig: { authorizationType: 'AWS_IAM', awsIamConfig: authorizationConfig } };
        new CfnDataSource(stack, 't', { apiId: backend.data.apiId, name: 'byTemplate', type: 'HTTP', serviceRoleArn: role.roleArn, httpConfig });
        new CfnDataSource(stack, 'e', {
          apiId: backend.data.apiId, name: 'elsewhere', type: 'HTTP', serviceRoleArn: 'arn:aws:iam::123456789012:role/other', httpConfig,
        });
        """

    private static let configuration = """
        {"resolvers": {"dataSources": {"configured": {
          "endpoint": "https://sqs.us-east-1.amazonaws.com", "signingService": "sqs",
          "policy": [{"actions": ["sqs:SendMessage"], "resources": ["arn:aws:sqs:*:*:jobs"]}]}}}}
        """

    @Test(
        "a request that is signed for a service of this server may do what the role of its data source may do, and no more"
    )
    func rights() throws {
        let server = try ResolverProject(
            Self.schema, ["any.js": TableHandlerTests.any], backend: Self.backend
        ).serve(configuration: Self.configuration)
        func send(by source: String) throws -> JSONValue {
            let request: JSONValue = [
                "method": "POST", "resourcePath": "/",
                "params": [
                    "headers": [
                        "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage",
                    ],
                    "body": [
                        "QueueUrl": .string("http://127.0.0.1:\(server.port)/123456789012/jobs"),
                        "MessageBody": "hello",
                    ],
                ],
            ]
            let answer = try server.value(
                of: "mutation M($r: String!) { \(source)(request: $r) }", ["r": JSONWriter.text(of: request)])
            guard let text = answer["data"]?[source]?.string else { return answer }
            return try JSONReader.value(of: text)["result"] ?? .null
        }
        for source in ["given", "granted", "inRole", "byTemplate", "elsewhere", "configured"] {
            let answer = try send(by: source)
            #expect(answer["statusCode"] == 200, "\(source): \(answer)")
        }
        for source in ["bare", "other", "denied"] {
            let answer = try send(by: source)
            let body = answer["body"]?.string ?? ""
            #expect(answer["statusCode"] != 200, "\(source): \(answer)")
            #expect(
                body.contains("AccessDenied")
                    && body.contains(
                        "User: arn:aws:sts::123456789012:assumed-role/\(source)/APPSYNC_ASSUME_ROLE is not authorized to perform: sqs:SendMessage on resource: arn:aws:sqs:us-east-1:123456789012:jobs"
                    ), "\(source): \(answer)")
        }
        let log = server.log
        #expect(
            log.contains(
                "the data source bare signs its requests for sqs, and nothing gives its role rights: they are refused with AccessDenied"
            ), "\(log)")
        #expect(!log.contains("the data source given signs"))
        #expect(log.contains("the data source may not do sqs:SendMessage on jobs"), "\(log)")
        #expect(log.contains("dataSource.grantPrincipal.addToPrincipalPolicy(new PolicyStatement("), "\(log)")
        #expect(log.contains("resolvers.dataSources.bare.policy"), "\(log)")
    }
}
