import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What becomes of the options that `amplify/backend.ts` gives constructs of the CDK.
@Suite("Options of constructs")
struct ConstructOptionTests {
    private static func read(_ program: String) -> Project {
        Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/fn/resource.ts": """
                import { defineFunction } from '@aws-amplify/backend';
                export const fn = defineFunction({ name: 'fn' });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { Duration, Stack } from 'aws-cdk-lib'; import * as sqs from 'aws-cdk-lib/aws-sqs';
                import { Topic } from 'aws-cdk-lib/aws-sns'; import { Rule, EventBus } from 'aws-cdk-lib/aws-events';
                import { Table, TableV2, CfnTable, AttributeType } from 'aws-cdk-lib/aws-dynamodb';
                import * as lambda from 'aws-cdk-lib/aws-lambda'; import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
                import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
                import { RestApi } from 'aws-cdk-lib/aws-apigateway'; import { fn } from './fn/resource';
                const backend = defineBackend({ fn }); const stack = backend.createStack('s');
                const call = backend.fn.resources.lambda; const key = { name: 'id', type: AttributeType.STRING };
                \(program)
                """,
            ]))
    }

    /// Every option that the CDK knows of a construct. A new one belongs here first.
    static let options: [(ConstructOptions, String)] = [
        (
            .queue,
            """
            queueName retentionPeriod deliveryDelay maxMessageSizeBytes receiveMessageWaitTime visibilityTimeout deadLetterQueue
            encryption encryptionMasterKey dataKeyReuse fifo contentBasedDeduplication deduplicationScope fifoThroughputLimit
            removalPolicy enforceSSL redriveAllowPolicy
            """
        ),
        (
            .topic,
            """
            displayName topicName masterKey contentBasedDeduplication fifo loggingConfigs messageRetentionPeriodInDays enforceSSL
            signatureVersion tracingConfig fifoThroughputScope
            """
        ),
        (.bus, "eventBusName eventSourceName description kmsKey deadLetterQueue logConfig"),
        (.rule, "ruleName description crossStackScope enabled schedule eventPattern targets eventBus role"),
        (.schedule, "schedule target scheduleName description scheduleGroup enabled key start end timeWindow"),
        (
            .table,
            """
            tableName partitionKey sortKey readCapacity writeCapacity billingMode pointInTimeRecovery
            pointInTimeRecoverySpecification tableClass serverSideEncryption encryption encryptionKey timeToLiveAttribute stream
            removalPolicy replicationRegions replicationTimeout replicaRemovalPolicy waitForReplicationToFinish
            contributorInsightsEnabled contributorInsightsSpecification deletionProtection importSource resourcePolicy
            maxReadRequestUnits maxWriteRequestUnits warmThroughput kinesisStream kinesisPrecisionTimestamp
            """
        ),
        (
            .tableOfVersion2,
            """
            tableName partitionKey sortKey timeToLiveAttribute dynamoStream billing replicas globalSecondaryIndexes
            localSecondaryIndexes encryption deletionProtection removalPolicy pointInTimeRecovery
            pointInTimeRecoverySpecification contributorInsights contributorInsightsSpecification tableClass kinesisStream tags
            resourcePolicy warmThroughput witnessRegion multiRegionConsistency
            """
        ),
        (
            .httpAPI,
            """
            apiName description defaultIntegration createDefaultStage corsPreflight defaultDomainMapping
            disableExecuteApiEndpoint defaultAuthorizer defaultAuthorizationScopes routeSelectionExpression ipAddressType
            """
        ),
        (.eventAPI, "apiName authorizationConfig ownerContact logConfig domainName"),
        (
            .namespace,
            "api channelNamespaceName code publishHandlerConfig subscribeHandlerConfig authorizationConfig"
        ),
        (
            .restMethod,
            """
            apiKeyRequired authorizationScopes authorizationType authorizer methodResponses operationName requestModels
            requestParameters requestValidator requestValidatorOptions
            """
        ),
        (.routes, "path methods integration authorizer authorizationScopes"),
        (.functionURL, "authType cors invokeMode"),
    ]

    @Test("each option of each construct is obeyed, has no meaning here, is reported, or refuses", arguments: options)
    func isKnown(kind: ConstructOptions, names: String) {
        #expect(Set(kind.members.map(\.name)) == Set(names.split { $0 == " " || $0 == "\n" }.map(String.init)))
    }

    @Test("no option is in a list twice, and each reason says something")
    func isListedOnce() {
        for kind in ConstructOptions.kinds {
            let names = kind.members.map(\.name)
            #expect(names.count == Set(names).count, "\(kind.name) \(names.sorted())")
            for member in kind.members {
                switch member.use {
                case .meaningless(let reason), .unserved(let reason), .refused(let reason): #expect(!reason.isEmpty)
                case .obeyed: break
                }
            }
        }
    }

    static let reported: [(program: String, line: Int, message: String)] = [
        (
            "new sqs.Queue(stack, 'q', {\n  visibilityTimeout: stack.timeout });", 11,
            "`visibilityTimeout` of `new Queue()` cannot be read"
        ),
        (
            "new sqs.Queue(stack, 'q', { visibilityTimeot: Duration.seconds(5) });", 10,
            "`new Queue()` has no option `visibilityTimeot`; is visibilityTimeout meant?"
        ),
        ("new Topic(stack, 't', {\n\n fifo: true });", 12, "`fifo` of `new Topic()` does not hold here"),
        (
            "new EventBus(stack, 'b', { deadLetterQueue: new sqs.Queue(stack, 'd') });", 10,
            "`deadLetterQueue` of `new EventBus()`"
        ),
        (
            "new NodejsFunction(stack, 'n', { entry: 'amplify/fn/n.ts', reservedConcurrentExecutions: 1 });", 10,
            "`reservedConcurrentExecutions` of `new NodejsFunction()` does not hold here"
        ),
        (
            "call.addEventSource(new SqsEventSource(new sqs.Queue(stack, 'q'), { filters: [] }));", 10,
            "`filters` of `new SqsEventSource()`"
        ),
        (
            "call.addEventSourceMapping('m', { eventSourceArn: new sqs.Queue(stack, 'q').queueArn, onFailure: 1 });",
            10,
            "`onFailure` of `addEventSourceMapping()`"
        ),
    ]

    @Test("an option that does not hold is reported at its place", arguments: reported)
    func isReported(program: String, line: Int, message: String) throws {
        let reading = Self.read(program)
        let said = try #require(reading.diagnostics.first { $0.message.contains(message) }, "\(reading.diagnostics)")
        #expect(!said.isError && said.location?.line == line, "\(said)")
        #expect(!reading.isRefused)
    }

    @Test("an option that restricts somebody refuses the project")
    func isRefused() {
        let reading = Self.read("new RestApi(stack, 'a', { policy: stack.policy });")
        #expect(reading.isRefused, "\(reading.diagnostics)")
        #expect(reading.diagnostics.contains { $0.isError && $0.message.contains("`policy` of `new RestApi()`") })
    }

    @Test(
        "an option that holds, or means nothing here, is no warning",
        arguments: [
            "new sqs.Queue(stack, 'q', { fifo: true, encryption: sqs.QueueEncryption.KMS, removalPolicy: stack.policy });",
            "new Table(stack, 't', { partitionKey: key, billingMode: stack.mode, pointInTimeRecovery: true });",
            "new TableV2(stack, 't', { partitionKey: key, globalSecondaryIndexes: [], deletionProtection: true });",
            "new Topic(stack, 't', { topicName: 'x', displayName: stack.name, fifo: false });",
            "new NodejsFunction(stack, 'n', { entry: 'amplify/fn/n.ts', timeout: Duration.seconds(5), bundling: { minify: true }, vpc: stack.vpc });",
            "new RestApi(stack, 'a', { deployOptions: { stageName: 'dev' }, policy: undefined });",
            "call.addEventSource(new SqsEventSource(new sqs.Queue(stack, 'q'), { batchSize: 5, enabled: true }));",
        ])
    func isPassedOver(program: String) {
        #expect(Self.read(program).diagnostics.map(\.description) == [])
    }

    @Test(
        "a source of events that is off, or that may be, calls nobody",
        arguments: [("false", 0), ("stack.isOn", 0), ("true", 1), ("undefined", 1)])
    func sources(enabled: String, count: Int) {
        let queue = Self.read(
            "const q = new sqs.Queue(stack, 'q'); const enabled = \(enabled);\n"
                + "call.addEventSource(new SqsEventSource(q, { enabled }));")
        #expect(queue.functions.first?.queues.count == count)
        let mapping = Self.read(
            "const q = new sqs.Queue(stack, 'q'); const enabled = \(enabled);\n"
                + "new lambda.EventSourceMapping(stack, 'm', { target: call, eventSourceArn: q.queueArn, enabled });")
        #expect(mapping.functions.first?.queues.count == count)
    }
}
