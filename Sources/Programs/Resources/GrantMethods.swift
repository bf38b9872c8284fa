import Blueprint
import Project

/// What the CDK's own methods give, such as `table.grantReadData(fn)`.
enum GrantMethods {
    /// Actions, and what of the resource they are for: what follows its ARN, or all there is.
    struct Grant {
        let actions: [String]
        var endings: [String] = [""]
        var isForEverything = false
        /// True if the arguments behind the function are the actions.
        var namesActions = false
    }

    private static let tableReading = [
        "dynamodb:BatchGetItem", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:Query",
        "dynamodb:GetItem", "dynamodb:Scan", "dynamodb:ConditionCheckItem", "dynamodb:DescribeTable",
    ]
    private static let tableWriting = [
        "dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem",
        "dynamodb:DescribeTable",
    ]
    private static let streamReading = [
        "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator",
    ]
    private static let whole = ["", "/index/*"]
    private static let streams = ["/stream/*"]

    private static let bucketReading = ["s3:GetObject*", "s3:GetBucket*", "s3:List*"]
    private static let bucketDeleting = ["s3:DeleteObject*"]
    private static let bucketPutting = ["s3:PutObject*", "s3:Abort*"]

    /// What a method of a resource of that service gives; nil: it is none of those that are known.
    static func grants(of method: String, _ service: String) -> [Grant]? {
        switch (service, method) {
        case ("dynamodb", "grantReadData"): [Grant(actions: tableReading, endings: whole)]
        case ("dynamodb", "grantWriteData"): [Grant(actions: tableWriting, endings: whole)]
        case ("dynamodb", "grantReadWriteData"): [Grant(actions: tableReading + tableWriting, endings: whole)]
        case ("dynamodb", "grantFullAccess"): [Grant(actions: ["dynamodb:*"], endings: whole)]
        case ("dynamodb", "grant"): [Grant(actions: [], endings: whole, namesActions: true)]
        case ("dynamodb", "grantStreamRead"):
            [
                Grant(actions: streamReading, endings: streams),
                Grant(actions: ["dynamodb:ListStreams"], isForEverything: true),
            ]
        case ("dynamodb", "grantStream"): [Grant(actions: [], endings: streams, namesActions: true)]
        case ("dynamodb", "grantTableListStreams"): [Grant(actions: ["dynamodb:ListStreams"], isForEverything: true)]
        case ("s3", "grantRead"): [Grant(actions: bucketReading)]
        case ("s3", "grantWrite"): [Grant(actions: bucketDeleting + bucketPutting)]
        case ("s3", "grantReadWrite"): [Grant(actions: bucketReading + bucketDeleting + bucketPutting)]
        case ("s3", "grantPut"): [Grant(actions: bucketPutting)]
        case ("s3", "grantDelete"): [Grant(actions: bucketDeleting)]
        case ("s3", "grantPutAcl"): [Grant(actions: ["s3:PutObjectAcl", "s3:PutObjectVersionAcl"])]
        case ("sqs", "grantSendMessages"):
            [Grant(actions: ["sqs:SendMessage", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"])]
        case ("sqs", "grantConsumeMessages"):
            [
                Grant(actions: [
                    "sqs:ReceiveMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueUrl", "sqs:DeleteMessage",
                    "sqs:GetQueueAttributes",
                ])
            ]
        case ("sqs", "grantPurge"): [Grant(actions: ["sqs:PurgeQueue", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"])]
        case ("sns", "grantPublish"): [Grant(actions: ["sns:Publish"])]
        case ("sns", "grantSubscribe"): [Grant(actions: ["sns:Subscribe"])]
        case ("events", "grantPutEventsTo"), ("events", "grantAllPutEvents"): [Grant(actions: ["events:PutEvents"])]
        case ("lambda", "grantInvoke"), ("lambda", "grantInvokeLatestVersion"):
            [Grant(actions: ["lambda:InvokeFunction"], endings: ["", ":*"])]
        case ("lambda", "grantInvokeUrl"): [Grant(actions: ["lambda:InvokeFunctionUrl"])]
        case ("secretsmanager", "grantRead"):
            [Grant(actions: ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"])]
        case ("secretsmanager", "grantWrite"):
            [Grant(actions: ["secretsmanager:PutSecretValue", "secretsmanager:UpdateSecret"])]
        case ("ssm", "grantRead"):
            [
                Grant(actions: [
                    "ssm:DescribeParameters", "ssm:GetParameters", "ssm:GetParameter", "ssm:GetParameterHistory",
                ])
            ]
        case ("ssm", "grantWrite"): [Grant(actions: ["ssm:PutParameter"])]
        case ("states", "grantStartExecution"): [Grant(actions: ["states:StartExecution"])]
        case ("states", "grantStartSyncExecution"): [Grant(actions: ["states:StartSyncExecution"])]
        case ("appsync", "grantQuery"): [Grant(actions: ["appsync:GraphQL"], endings: ["/types/Query/*"])]
        case ("appsync", "grantMutation"): [Grant(actions: ["appsync:GraphQL"], endings: ["/types/Mutation/*"])]
        case ("appsync", "grantSubscription"):
            [Grant(actions: ["appsync:GraphQL"], endings: ["/types/Subscription/*"])]
        // What of the API it is for stands before the actions.
        case ("appsync", "grant"): [Grant(actions: ["appsync:GraphQL"], endings: ["/*"])]
        case (_, "grant"): [Grant(actions: [], namesActions: true)]
        default: nil
        }
    }

    /// The service of a package of the CDK: `dynamodb` of `aws-cdk-lib/aws-dynamodb`.
    static func service(ofModule address: String) -> String? {
        guard let start = address.range(ofLast: "/aws-") else { return nil }
        let name = String(address[start...])
        return switch name {
        case "stepfunctions": "states"
        case "cognito": "cognito-idp"
        case "lambda-nodejs", "lambda-python-alpha": "lambda"
        default: name
        }
    }
}

extension String {
    /// What stands behind the last place of a text.
    fileprivate func range(ofLast text: String) -> Index? {
        var place: Index?
        var rest = Substring(self)
        while let found = rest.range(ofBytesOf: text) {
            place = found.upperBound
            rest = rest[found.upperBound...]
        }
        return place
    }
}
