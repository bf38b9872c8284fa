import Blueprint
import Project

/// The options of each construct, by the names of the CDK.
extension ConstructOptions {
    private static let disk = Use.meaningless("the data lies on your disk: encrypt that")
    private static let cost = Use.meaningless("nothing here is paid for by use")
    private static let log = Use.meaningless("the server has one log")
    private static let stays = Use.meaningless("no deployment deletes anything here")
    private static let unread = Use.meaningless("nobody reads it")
    private static let network = Use.meaningless("the server's network is the machine's")
    private static let cloud = Use.meaningless("this is a service of the cloud alone")
    private static let missing = Use.unserved("this is a service of the cloud alone")

    // MARK: Messages

    static let queue = ConstructOptions(
        modules: ["aws-sqs"], name: "Queue",
        members: obeyed("queueName", .text) + obeyed("fifo contentBasedDeduplication", .flag)
            + obeyed("retentionPeriod deliveryDelay receiveMessageWaitTime visibilityTimeout", .duration)
            + obeyed("maxMessageSizeBytes", .number) + obeyed("deadLetterQueue", .object)
            + obeyed("deduplicationScope fifoThroughputLimit")
            + all("encryption encryptionMasterKey dataKeyReuse", disk) + all("removalPolicy", stays)
            + all("enforceSSL", .meaningless("the server's address decides about TLS"))
            + all("redriveAllowPolicy", .meaningless("queues of one project feed each other")))

    static let topic = ConstructOptions(
        modules: ["aws-sns"], name: "Topic",
        members: obeyed("topicName", .text) + all("displayName", unread) + all("masterKey", disk)
            + all("fifo contentBasedDeduplication", .unserved("topics keep no order here"))
            + all("loggingConfigs tracingConfig", log)
            + all("messageRetentionPeriodInDays", .unserved("topics keep no messages"))
            + all("enforceSSL", .meaningless("the server's address decides about TLS"))
            + all("signatureVersion fifoThroughputScope", cloud))

    // MARK: Events

    static let bus = ConstructOptions(
        modules: ["aws-events"], name: "EventBus",
        members: obeyed("eventBusName", .text) + all("description", unread) + all("kmsKey", disk)
            + all("logConfig", log) + all("eventSourceName", .unserved("partners of the cloud send no events here"))
            + all("deadLetterQueue", .unserved("use deadLetterQueue of the functions' queues")))

    static let rule = ConstructOptions(
        modules: ["aws-events"], name: "Rule",
        members: obeyed("ruleName", .text) + obeyed("eventPattern", .object) + obeyed("enabled schedule eventBus")
            + obeyed("targets", .list) + all("description", unread) + all("crossStackScope", cloud)
            + all("role", .meaningless("rules need no role here")))

    static let schedule = ConstructOptions(
        modules: ["aws-scheduler", "aws-scheduler-alpha"], name: "Schedule",
        members: obeyed("schedule target enabled") + all("scheduleName description", unread)
            + all("scheduleGroup", .meaningless("schedules have no groups here")) + all("key", disk)
            + all("start", .unserved("schedules have no beginning here"))
            + all("end", .unserved("schedules have no end here"))
            + all("timeWindow", .meaningless("functions are called at the time itself")))

    static let plainSchedule = ConstructOptions(
        modules: ["aws-scheduler"], name: "CfnSchedule",
        members: obeyed("scheduleExpression scheduleExpressionTimezone", .text) + obeyed("state")
            + obeyed("target", .object) + all("name description", unread)
            + all("groupName", .meaningless("schedules have no groups here")) + all("kmsKeyArn", disk)
            + all("startDate", .unserved("schedules have no beginning here"))
            + all("endDate", .unserved("schedules have no end here"))
            + all("flexibleTimeWindow", .meaningless("functions are called at the time itself")))

    private static let retries = Use.unserved("the server decides how often a failed event is tried again")

    static let functionTarget = ConstructOptions(
        modules: ["aws-events-targets"], name: "LambdaFunction", place: 1, isPart: true,
        members: obeyed("event") + all("maxEventAge retryAttempts", retries)
            + all("deadLetterQueue", .unserved("events that fail are in the log")))

    static let queueTarget = ConstructOptions(
        modules: ["aws-events-targets"], name: "SqsQueue", place: 1, isPart: true,
        members: obeyed("message") + obeyed("messageGroupId", .text) + all("maxEventAge retryAttempts", cloud)
            + all("deadLetterQueue", .unserved("events that fail are in the log")))

    static let machineTarget = ConstructOptions(
        modules: ["aws-events-targets"], name: "SfnStateMachine", place: 1, isPart: true,
        members: obeyed("input") + all("maxEventAge retryAttempts", cloud)
            + all("role", .meaningless("rules need no role here"))
            + all("deadLetterQueue", .unserved("events that fail are in the log")))

    // MARK: Tables

    private static let capacity = all(
        "readCapacity writeCapacity billingMode billing tableClass maxReadRequestUnits maxWriteRequestUnits warmThroughput",
        cost)
    private static let backups = all(
        "pointInTimeRecovery pointInTimeRecoverySpecification", .meaningless("back the data folder up"))
    private static let keys = obeyed("tableName", .text) + obeyed("partitionKey sortKey", .object)

    static let table = ConstructOptions(
        modules: ["aws-dynamodb"], name: "Table",
        members: keys + obeyed("timeToLiveAttribute", .text) + obeyed("stream")
            + capacity.filter { $0.name != "billing" }
            + backups + all("serverSideEncryption encryption encryptionKey", disk)
            + all("removalPolicy deletionProtection", stays)
            + all("contributorInsightsEnabled contributorInsightsSpecification kinesisPrecisionTimestamp", cloud)
            + all("replicationTimeout replicaRemovalPolicy waitForReplicationToFinish", cloud)
            // The reader of tables reports these by the table's name.
            + obeyed("replicationRegions kinesisStream importSource resourcePolicy"))

    static let tableOfVersion2 = ConstructOptions(
        modules: ["aws-dynamodb"], name: "TableV2",
        members: keys + obeyed("timeToLiveAttribute", .text) + obeyed("dynamoStream")
            + obeyed("globalSecondaryIndexes localSecondaryIndexes", .list)
            + all("billing tableClass warmThroughput", cost) + backups + all("encryption", disk)
            + all("removalPolicy deletionProtection", stays)
            + all("contributorInsights contributorInsightsSpecification tags", cloud)
            + all("witnessRegion multiRegionConsistency", cloud)
            + obeyed("replicas kinesisStream resourcePolicy"))

    static let plainTable = ConstructOptions(
        modules: ["aws-dynamodb"], name: "CfnTable",
        members: obeyed("tableName", .text) + obeyed("keySchema attributeDefinitions", .list)
            + obeyed("globalSecondaryIndexes localSecondaryIndexes", .list)
            + obeyed("streamSpecification timeToLiveSpecification", .object)
            + all("billingMode provisionedThroughput onDemandThroughput warmThroughput tableClass", cost) + backups
            + all("pointInTimeRecoveryEnabled", .meaningless("back the data folder up")) + all("sseSpecification", disk)
            + all("deletionProtectionEnabled", stays) + all("contributorInsightsSpecification tags", cloud)
            + obeyed("kinesisStreamSpecification importSourceSpecification resourcePolicy"))

    // MARK: Functions

    private static let functionMembers =
        obeyed("functionName", .text) + obeyed("timeout", .duration) + obeyed("memorySize", .number)
        + obeyed("environment", .object) + obeyed("runtime handler initialPolicy role") + all("description", unread)
        + all(
            "vpc vpcSubnets securityGroups allowAllOutbound allowAllIpv6Outbound allowPublicSubnet ipv6AllowedForDualStack",
            network)
        + all("ephemeralStorageSize", .meaningless("functions share your disk"))
        + all(
            "logRetention logRetentionRole logRetentionRetryOptions logGroup logFormat loggingFormat logRemovalPolicy "
                + "applicationLogLevel applicationLogLevelV2 systemLogLevel systemLogLevelV2 tracing insightsVersion "
                + "adotInstrumentation profiling profilingGroup", log)
        + all(
            "architecture snapStart runtimeManagementMode recursiveLoop currentVersionOptions codeSigningConfig", cloud)
        + all("environmentEncryption", disk)
        + all("onFailure onSuccess", .unserved("calls without an answer tell nobody how they ended"))
        + all("maxEventAge retryAttempts", .unserved("the server decides how often a failed call is tried again"))
        + all(
            "deadLetterQueueEnabled deadLetterQueue deadLetterTopic", .unserved("use onFailure of the event source"))
        + all("layers", .unserved("install the packages of layers in the project"))
        + all("events", .unserved("use addEventSource of the function"))
        + all(
            "reservedConcurrentExecutions",
            .unserved("functions.NAME.concurrency of the configuration says how many run"))
        + all("filesystem", .unserved("functions have the folder that they run in"))
        + all("paramsAndSecrets tenancyConfig durableConfig", missing)

    static let function = ConstructOptions(
        modules: ["aws-lambda"], name: "Function", members: functionMembers + obeyed("code"))

    static let functionOfNode = ConstructOptions(
        modules: ["aws-lambda-nodejs"], name: "NodejsFunction",
        members: functionMembers + obeyed("entry", .text) + obeyed("code")
            + all("awsSdkConnectionReuse", cloud)
            + all(
                "bundling depsLockFilePath projectRoot",
                .meaningless("the file is bundled by esbuild, with the packages of the project")))

    static let functionOfPython = ConstructOptions(
        modules: ["aws-lambda-python-alpha"], name: "PythonFunction",
        members: functionMembers + obeyed("entry index", .text)
            + all("bundling", .meaningless("the packages of the folder are used as they are")))

    // MARK: What calls functions

    private static let sourceMembers =
        obeyed("enabled", .flag) + obeyed("batchSize", .number) + obeyed("reportBatchItemFailures", .flag)
        + all("maxBatchingWindow", .meaningless("a batch is what is there, without a wait"))
        + all("filterEncryption", disk) + all("metricsConfig logLevel provisionedPollerConfig", cloud)

    static let queueSource = ConstructOptions(
        modules: ["aws-lambda-event-sources"], name: "SqsEventSource", place: 1, isPart: true,
        members: sourceMembers + obeyed("maxConcurrency", .number)
            + all("filters", .unserved("functions are called with all messages of the queue")))

    private static let streamMembers =
        obeyed("startingPosition") + obeyed("retryAttempts", .number) + obeyed("bisectBatchOnError", .flag)
        + obeyed("filters", .list)
        + all("parallelizationFactor startingPositionTimestamp", cloud)
        + all("maxRecordAge", .unserved("changes are kept for 24 hours"))
        + all("onFailure", .unserved("changes that nobody takes are in the log"))
        + all("tumblingWindow", .unserved("functions keep no state from one batch to the next"))

    static let tableSource = ConstructOptions(
        modules: ["aws-lambda-event-sources"], name: "DynamoEventSource", place: 1, isPart: true,
        members: sourceMembers + streamMembers)

    static let mapping = ConstructOptions(
        modules: ["aws-lambda"], name: "EventSourceMapping",
        members: sourceMembers + streamMembers + obeyed("target eventSourceArn") + obeyed("maxConcurrency", .number)
            + all(
                "kafkaBootstrapServers kafkaTopic kafkaConsumerGroupId sourceAccessConfigurations "
                    + "supportS3OnFailureDestination schemaRegistryConfig", missing))

    /// `fn.addEventSourceMapping(id, options)`
    static let methodMapping = ConstructOptions(
        modules: [], name: "", place: 1, members: mapping.members.filter { $0.name != "target" })

    // MARK: APIs

    private static let restMembers =
        obeyed("restApiName", .text)
        + obeyed("defaultIntegration defaultMethodOptions")
        + all("description", unread) + all("policy", .refused("anyone who reaches the server can call its paths"))
        + all("deploy deployOptions retainDeployments cloudWatchRole cloudWatchRoleRemovalPolicy", log)
        + all("domainName endpointTypes endpointConfiguration endpointExportName disableExecuteApiEndpoint", network)
        + all("failOnWarnings parameters cloneFrom securityPolicy endpointAccessMode", cloud)
        + all("binaryMediaTypes", .meaningless("bodies that are no text are handed on in base64"))
        + all(
            "minimumCompressionSize minCompressionSize",
            .meaningless("answers are compressed where a client asks for it"))
        + all("apiKeySourceType", .meaningless("paths that want an API key are closed"))
        + all(
            "defaultCorsPreflightOptions", .meaningless("the keys cors of the configuration say which pages may call"))

    static let restAPI = ConstructOptions(
        modules: ["aws-apigateway"], name: "RestApi", saysRights: true, members: restMembers)

    static let restAPIOfFunction = ConstructOptions(
        modules: ["aws-apigateway"], name: "LambdaRestApi", saysRights: true,
        members: restMembers + obeyed("handler") + obeyed("proxy", .flag) + all("integrationOptions options", cloud))

    static let httpAPI = ConstructOptions(
        modules: ["aws-apigatewayv2", "aws-apigatewayv2-alpha"], name: "HttpApi", saysRights: true,
        members: obeyed("apiName", .text) + obeyed("defaultIntegration defaultAuthorizer")
            + obeyed("defaultAuthorizationScopes", .list) + all("description", unread)
            + all("createDefaultStage routeSelectionExpression", cloud)
            + all("defaultDomainMapping disableExecuteApiEndpoint ipAddressType", network)
            + all("corsPreflight", .meaningless("the keys cors of the configuration say which pages may call")))

    static let eventAPI = ConstructOptions(
        modules: ["aws-appsync"], name: "EventApi", saysRights: true,
        members: obeyed("authorizationConfig", .object) + all("apiName ownerContact", unread) + all("logConfig", log)
            + all("domainName", network))

    static let namespace = ConstructOptions(
        modules: ["aws-appsync"], name: "ChannelNamespace", saysRights: true,
        members: obeyed("api code") + obeyed("channelNamespaceName", .text)
            + obeyed("publishHandlerConfig subscribeHandlerConfig authorizationConfig", .object))

    // MARK: Methods

    /// `resource.addMethod('GET', integration, { authorizationType })`
    static let restMethod = ConstructOptions(
        modules: [], name: "addMethod", saysRights: true,
        members: obeyed("authorizer authorizationType authorizationScopes apiKeyRequired")
            + all("methodResponses operationName", unread)
            + all(
                "requestModels requestParameters requestValidator requestValidatorOptions",
                .unserved("requests reach functions as they are")))

    /// `api.addRoutes({ path, methods, integration, authorizer })`
    static let routes = ConstructOptions(
        modules: [], name: "addRoutes", place: 0, saysRights: true,
        members: obeyed("path methods integration authorizer authorizationScopes"))

    /// `lambda.addFunctionUrl({ authType })`
    static let functionURL = ConstructOptions(
        modules: [], name: "addFunctionUrl", place: 0, saysRights: true,
        members: obeyed("authType") + all("invokeMode", cloud)
            + all("cors", .meaningless("the keys cors of the configuration say which pages may call")))
}
