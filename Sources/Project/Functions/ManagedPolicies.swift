import Blueprint
import JSON

/// The well-known policies of AWS's own, as far as they are about services that are served here.
enum ManagedPolicies {
    /// What one allows on everything; nil: it is not known.
    static func actions(of name: String) -> [String]? {
        // `arn:aws:iam::aws:policy/service-role/AWSLambdaRole`
        let last =
            name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
        return known[last]
    }

    private static let streamReading = [
        "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams",
    ]

    private static let known: [ByteText: [String]] = [
        "AdministratorAccess": ["*"],
        "AmazonBedrockFullAccess": ["bedrock:*"],
        "AmazonBedrockLimitedAccess": ["bedrock:*"],
        "AmazonCognitoPowerUser": ["cognito-idp:*", "cognito-identity:*"],
        "AmazonCognitoReadOnly": [
            "cognito-idp:AdminGet*", "cognito-idp:AdminList*", "cognito-idp:Describe*", "cognito-idp:Get*",
            "cognito-idp:List*",
        ],
        "AmazonDynamoDBFullAccess": ["dynamodb:*"],
        "AmazonDynamoDBFullAccess_v2": ["dynamodb:*"],
        "AmazonDynamoDBReadOnlyAccess": [
            "dynamodb:BatchGetItem", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:GetRecords",
            "dynamodb:GetShardIterator", "dynamodb:List*", "dynamodb:Query", "dynamodb:Scan",
        ],
        "AmazonEventBridgeFullAccess": ["events:*"],
        "AmazonEventBridgeReadOnlyAccess": ["events:Describe*", "events:List*", "events:TestEventPattern"],
        "AmazonS3FullAccess": ["s3:*"],
        "AmazonS3ReadOnlyAccess": ["s3:Get*", "s3:List*", "s3:Describe*"],
        "AmazonSESFullAccess": ["ses:*"],
        "AmazonSESReadOnlyAccess": ["ses:Get*", "ses:List*"],
        "AmazonSNSFullAccess": ["sns:*"],
        "AmazonSNSReadOnlyAccess": ["sns:GetTopicAttributes", "sns:List*", "sns:CheckIfPhoneNumberIsOptedOut"],
        "AmazonSQSFullAccess": ["sqs:*"],
        "AmazonSQSReadOnlyAccess": [
            "sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:ListDeadLetterSourceQueues", "sqs:ListQueues",
            "sqs:ListQueueTags",
        ],
        "AmazonSSMFullAccess": ["ssm:*"],
        "AmazonSSMReadOnlyAccess": ["ssm:Describe*", "ssm:Get*", "ssm:List*"],
        "AWSAppSyncAdministrator": ["appsync:*"],
        "AWSAppSyncInvokeFullAccess": ["appsync:GraphQL", "appsync:GetGraphqlApi", "appsync:ListGraphqlApis"],
        "AWSLambda_FullAccess": ["lambda:*"],
        "AWSLambda_ReadOnlyAccess": ["lambda:Get*", "lambda:List*"],
        "AWSLambdaBasicExecutionRole": [],
        "AWSLambdaDynamoDBExecutionRole": streamReading,
        "AWSLambdaExecute": ["s3:GetObject", "s3:PutObject"],
        "AWSLambdaInvocation-DynamoDB": streamReading + ["lambda:InvokeFunction"],
        "AWSLambdaRole": ["lambda:InvokeFunction"],
        "AWSLambdaSQSQueueExecutionRole": [
            "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes",
        ],
        "AWSLambdaVPCAccessExecutionRole": [],
        "AWSStepFunctionsFullAccess": ["states:*"],
        "AWSStepFunctionsReadOnlyAccess": ["states:Describe*", "states:Get*", "states:List*"],
        "AWSXRayDaemonWriteAccess": [],
        "AWSXrayWriteOnlyAccess": [],
        "CloudWatchFullAccess": [],
        "CloudWatchLambdaInsightsExecutionRolePolicy": [],
        "CloudWatchLogsFullAccess": [],
        "AmazonRekognitionFullAccess": [],
        "AmazonRekognitionReadOnlyAccess": [],
        "AmazonTextractFullAccess": [],
        "AmazonTranscribeFullAccess": [],
        "AmazonPollyFullAccess": [],
        "AmazonPollyReadOnlyAccess": [],
        "ComprehendFullAccess": [],
        "ComprehendReadOnly": [],
        "SecretsManagerReadWrite": ["secretsmanager:*"],
        "TranslateFullAccess": [],
        "TranslateReadOnly": [],
    ]
}
