import Blueprint
import Project

/// The properties of the other resources that Amplify makes or programs change, by the names that the CDK gives them: all of
/// CloudFormation's, each with what becomes of an assignment to it here.
extension ResourceProperties {
    /// Those that are not of sign-in.
    static let all = [bucket, table, function, api, rule, schedule, queue, topic, stateMachine]

    static let bucket = ResourceProperties(
        name: "cfnBucket",
        members: [
            .init(
                "accessControl", .refused("files have no lists of rights; rules of defineStorage say who may do what")),
            .init("objectLockConfiguration", .refused("versions of files are not kept, and none is locked")),
            .init("objectLockEnabled", .refused("versions of files are not kept, and none is locked")),
            .init("versioningConfiguration", .unserved("versions of files are not kept")),
            .init("lifecycleConfiguration", .unserved("files stay until somebody deletes them")),
            .init("notificationConfiguration", .unserved("use addEventNotification, or triggers of defineStorage")),
            .init("websiteConfiguration", .unserved("buckets are no websites")),
            .init("corsConfiguration", .unserved("the keys cors of the configuration say which pages may call")),
            .init("replicationConfiguration", .unserved("this is a service of the cloud alone")),
            .init("publicAccessBlockConfiguration", .meaningless("nothing is public but by rules")),
            .init("ownershipControls", .meaningless("files have no owners beside the rules")),
            .init("bucketName", .meaningless("it has the name of the project")),
            .init("bucketNamePrefix", .meaningless("it has the name of the project")),
            .init("bucketNamespace", .meaningless("it has the name of the project")),
            .init("tags", .meaningless("nothing here has tags")),
            .init("bucketEncryption", .meaningless("the data lies on your disk: encrypt that")),
            .init("accelerateConfiguration", .meaningless("one server does all of the work")),
            .init("analyticsConfigurations", .meaningless("this is a service of the cloud alone")),
            .init("intelligentTieringConfigurations", .meaningless("nothing here is paid for by use")),
            .init("inventoryConfigurations", .meaningless("this is a service of the cloud alone")),
            .init("loggingConfiguration", .meaningless("the server has one log")),
            .init("metricsConfigurations", .meaningless("this is a service of the cloud alone")),
            .init("metadataConfiguration", .meaningless("this is a service of the cloud alone")),
            .init("metadataTableConfiguration", .meaningless("this is a service of the cloud alone")),
            .init("abacStatus", .meaningless("nothing here has tags")),
        ], saysRights: true, places: ["cfnBucket", "CfnBucket()"])

    static let table = ResourceProperties(
        name: "table",
        members: [
            .init("timeToLiveAttribute", .read),
            .init("streamSpecification", .unserved("functions are told of the changes of models all the same")),
            .init("timeToLiveSpecification", .unserved("write timeToLiveAttribute of the model's table")),
            .init("globalSecondaryIndexes", .unserved("write indexes in the schema")),
            .init("localSecondaryIndexes", .unserved("write indexes in the schema")),
            .init("keySchema", .unserved("write the key in the schema")),
            .init("attributeDefinitions", .unserved("write fields in the schema")),
            .init("importSourceSpecification", .unserved("this is a service of the cloud alone")),
            .init("kinesisStreamSpecification", .unserved("this is a service of the cloud alone")),
            .init("resourcePolicy", .unserved("rules of the schema say who may do what")),
            .init("billingMode", .meaningless("nothing here is paid for by use")),
            .init("provisionedThroughput", .meaningless("nothing here is paid for by use")),
            .init("onDemandThroughput", .meaningless("nothing here is paid for by use")),
            .init("warmThroughput", .meaningless("nothing here is paid for by use")),
            .init("tableClass", .meaningless("nothing here is paid for by use")),
            .init("contributorInsightsSpecification", .meaningless("this is a service of the cloud alone")),
            .init("deletionProtectionEnabled", .meaningless("no deployment deletes this table")),
            .init("pointInTimeRecoveryEnabled", .meaningless("back the data folder up")),
            .init("pointInTimeRecoverySpecification", .meaningless("back the data folder up")),
            .init("sseSpecification", .meaningless("the data lies on your disk: encrypt that")),
            .init("tableName", .meaningless("it has the name of the project")),
            .init("tags", .meaningless("nothing here has tags")),
        ], saysRights: false, places: ["CfnTable()"], collections: ["amplifyDynamoDbTables"])

    static let function = ResourceProperties(
        name: "cfnFunction",
        members: [
            .init("environment", .read),
            .init("handler", .unserved("use entry of defineFunction")),
            .init("code", .unserved("use entry of defineFunction")),
            .init("runtime", .read),
            .init("timeout", .read),
            .init("memorySize", .read),
            .init("role", .unserved("use grants, or access of the resources")),
            .init("layers", .unserved("use layers of defineFunction")),
            .init("deadLetterConfig", .unserved("use onFailure of the event source")),
            .init(
                "reservedConcurrentExecutions",
                .unserved("functions.NAME.concurrency of the configuration says how many run")),
            .init("fileSystemConfigs", .unserved("functions have the folder that they run in")),
            .init("imageConfig", .unserved("this is a service of the cloud alone")),
            .init("packageType", .unserved("this is a service of the cloud alone")),
            .init("durableConfig", .unserved("use durableConfig of defineFunction")),
            .init("tenancyConfig", .unserved("this is a service of the cloud alone")),
            .init("functionScalingConfig", .unserved("one server does all of the work")),
            .init("capacityProviderConfig", .unserved("one server does all of the work")),
            .init("architectures", .meaningless("one server does all of the work")),
            .init("codeSigningConfigArn", .meaningless("this is a service of the cloud alone")),
            .init("description", .meaningless("nobody reads it")),
            .init("ephemeralStorage", .meaningless("functions share your disk")),
            .init("functionName", .meaningless("it has the name of the project")),
            .init("kmsKeyArn", .meaningless("the data lies on your disk: encrypt that")),
            .init("loggingConfig", .meaningless("the server has one log")),
            .init("publishToLatestPublished", .meaningless("this is a service of the cloud alone")),
            .init("recursiveLoop", .meaningless("this is a service of the cloud alone")),
            .init("runtimeManagementConfig", .meaningless("this is a service of the cloud alone")),
            .init("snapStart", .meaningless("this is a service of the cloud alone")),
            .init("tags", .meaningless("nothing here has tags")),
            .init("tracingConfig", .meaningless("the server has one log")),
            .init("vpcConfig", .meaningless("this is a service of the cloud alone")),
        ], saysRights: false, places: ["cfnFunction", "CfnFunction()"])

    static let api = ResourceProperties(
        name: "cfnGraphqlApi",
        members: [
            .init("authenticationType", .refused("use authorizationModes of defineData")),
            .init("additionalAuthenticationProviders", .refused("use authorizationModes of defineData")),
            .init("lambdaAuthorizerConfig", .refused("use authorizationModes of defineData")),
            .init("openIdConnectConfig", .refused("use authorizationModes of defineData")),
            .init("userPoolConfig", .refused("use authorizationModes of defineData")),
            .init("introspectionConfig", .word(["ENABLED", DataSourceRun.hidden])),
            .init("queryDepthLimit", .unserved("limits of the configuration hold")),
            .init("resolverCountLimit", .unserved("limits of the configuration hold")),
            .init("visibility", .unserved("who can reach the server can reach the API")),
            .init("apiType", .unserved("this is a service of the cloud alone")),
            .init("mergedApiExecutionRoleArn", .unserved("this is a service of the cloud alone")),
            .init("name", .meaningless("it has the name of the project")),
            .init("tags", .meaningless("nothing here has tags")),
            .init("xrayEnabled", .meaningless("the server has one log")),
            .init("logConfig", .meaningless("the server has one log")),
            .init("enhancedMetricsConfig", .meaningless("the server has one log")),
            .init("environmentVariables", .meaningless("use addEnvironmentVariable of the API")),
            .init("ownerContact", .meaningless("nobody reads it")),
        ], saysRights: true, places: ["cfnGraphqlApi", "CfnGraphQLApi()"])

    static let rule = ResourceProperties(
        name: "rule",
        members: [
            .init("eventPattern", .unserved("use new Rule with eventPattern")),
            .init("scheduleExpression", .read),
            .init("state", .read),
            .init("targets", .unserved("use addTarget of new Rule")),
            .init("eventBusName", .unserved("use eventBus of new Rule")),
            .init("name", .meaningless("it has the name of the project")),
            .init("description", .meaningless("nobody reads it")),
            .init("roleArn", .meaningless("rules need no role here")),
            .init("tags", .meaningless("nothing here has tags")),
        ], saysRights: false, places: ["CfnRule()"])

    static let schedule = ResourceProperties(
        name: "schedule",
        members: [
            .init("state", .read), .init("scheduleExpression", .read),
            .init("scheduleExpressionTimezone", .unserved("use the options of new CfnSchedule")),
            .init("target", .unserved("use the options of new CfnSchedule")),
            .init("startDate", .unserved("schedules have no beginning here")),
            .init("endDate", .unserved("schedules have no end here")),
            .init("flexibleTimeWindow", .meaningless("functions are called at the time itself")),
            .init("groupName", .meaningless("schedules have no groups here")),
            .init("name", .meaningless("it has the name of the project")),
            .init("description", .meaningless("nobody reads it")),
            .init("kmsKeyArn", .meaningless("the data lies on your disk: encrypt that")),
        ], saysRights: false, places: ["CfnSchedule()"])

    static let queue = ResourceProperties(
        name: "queue",
        members: [
            .init("delaySeconds", .read),
            .init("visibilityTimeout", .read),
            .init("receiveMessageWaitTimeSeconds", .read),
            .init("messageRetentionPeriod", .read),
            .init("maximumMessageSize", .read),
            .init("redrivePolicy", .unserved("use the options of new Queue")),
            .init("fifoQueue", .unserved("use the options of new Queue")),
            .init("contentBasedDeduplication", .unserved("use the options of new Queue")),
            .init("deduplicationScope", .unserved("use the options of new Queue")),
            .init("fifoThroughputLimit", .unserved("use the options of new Queue")),
            .init("queueName", .meaningless("it has the name of the project")),
            .init("tags", .meaningless("nothing here has tags")),
            .init("kmsMasterKeyId", .meaningless("the data lies on your disk: encrypt that")),
            .init("kmsDataKeyReusePeriodSeconds", .meaningless("the data lies on your disk: encrypt that")),
            .init("sqsManagedSseEnabled", .meaningless("the data lies on your disk: encrypt that")),
            .init("redriveAllowPolicy", .meaningless("queues of one project feed each other")),
        ], saysRights: false, places: ["CfnQueue()"])

    static let topic = ResourceProperties(
        name: "topic",
        members: [
            .init("subscription", .unserved("use addSubscription of new Topic")),
            .init("fifoTopic", .unserved("use fifo of new Topic")),
            .init("contentBasedDeduplication", .unserved("use contentBasedDeduplication of new Topic")),
            .init("dataProtectionPolicy", .unserved("this is a service of the cloud alone")),
            .init("archivePolicy", .unserved("this is a service of the cloud alone")),
            .init("displayName", .meaningless("nobody reads it")),
            .init("topicName", .meaningless("it has the name of the project")),
            .init("kmsMasterKeyId", .meaningless("the data lies on your disk: encrypt that")),
            .init("deliveryStatusLogging", .meaningless("the server has one log")),
            .init("fifoThroughputScope", .meaningless("one server does all of the work")),
            .init("signatureVersion", .meaningless("this is a service of the cloud alone")),
            .init("tracingConfig", .meaningless("the server has one log")),
            .init("tags", .meaningless("nothing here has tags")),
        ], saysRights: false, places: ["CfnTopic()"])

    static let stateMachine = ResourceProperties(
        name: "stateMachine",
        members: [
            .init("definition", .unserved("use the options of new StateMachine")),
            .init("definitionString", .unserved("use the options of new StateMachine")),
            .init("definitionSubstitutions", .unserved("use the options of new StateMachine")),
            .init("definitionS3Location", .unserved("use the options of new StateMachine")),
            .init("stateMachineType", .unserved("use the options of new StateMachine")),
            .init("roleArn", .unserved("tasks may do what the grants of the state machine say")),
            .init("stateMachineName", .meaningless("it has the name of the project")),
            .init("tags", .meaningless("nothing here has tags")),
            .init("loggingConfiguration", .meaningless("the server has one log")),
            .init("tracingConfiguration", .meaningless("the server has one log")),
            .init("encryptionConfiguration", .meaningless("the data lies on your disk: encrypt that")),
        ], saysRights: false, places: ["CfnStateMachine()"])
}
