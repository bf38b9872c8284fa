import Crypto
import JSON
import UserPool
import Workflows

extension WorkflowTasks {
    /// A service as tasks name its errors: the SDK behind them has a type for some, and one for all others.
    ///
    ///     DynamoDB.ConditionalCheckFailedException    DynamoDB.AmazonDynamoDBException
    struct Service {
        /// The word before the point.
        let prefix: String
        /// The SDK's name for the service in its messages.
        let title: String
        /// The type of an error without one of its own.
        let other: String
        /// The errors that have one, by their codes; nil: all have one but those of validation.
        let known: [String]?
        /// True if tasks ask through the SDK of their own, whose messages have another form.
        var isSecondSDK = false
        /// True if its messages say how often the service was asked.
        var saysAttempts = false

        /// - Parameters:
        ///   - type: the error's own name, with or without `Exception` at its end.
        ///   - code: what the service calls it in its protocol, where that is another name.
        ///   - isWithHost: whether the service gives its requests a second identifier.
        func fault(
            _ type: String, _ message: String, code: String? = nil, status: Int = 400, isWithHost: Bool = false
        ) -> FlowFault {
            let isKnown = known.map { $0.contains(type) } ?? !(isSecondSDK && type == "ValidationException")
            let name = isKnown ? type.hasSuffix(Self.ending) ? type : type + Self.ending : other
            guard !isSecondSDK else {
                let host = isWithHost ? ", Extended Request ID: \(UUIDText.random())" : ""
                let attempts = saysAttempts ? " (SDK Attempt Count: 1)" : ""
                return FlowFault(
                    "\(prefix).\(name)",
                    "\(message) (Service: \(title), Status Code: \(status), Request ID: \(UUIDText.random())\(host))\(attempts)"
                )
            }
            return FlowFault(
                "\(prefix).\(name)",
                "\(message) (Service: \(title); Status Code: \(status); Error Code: \(code ?? type); Request ID: \(UUIDText.random()); Proxy: null)"
            )
        }

        private static let ending = "Exception"
    }

    static let dynamoDB = Service(
        prefix: "DynamoDB", title: "AmazonDynamoDBv2", other: "AmazonDynamoDBException",
        known: [
            "ConditionalCheckFailedException", "ResourceNotFoundException", "ProvisionedThroughputExceededException",
            "ItemCollectionSizeLimitExceededException", "TransactionConflictException", "RequestLimitExceeded",
            "InternalServerError", "ResourceInUseException", "LimitExceededException", "ThrottlingException",
        ])
    static let sqs = Service(
        prefix: "SQS", title: "AmazonSQS", other: "AmazonSQSException",
        known: ["QueueDoesNotExist", "InvalidMessageContents", "OverLimit", "UnsupportedOperation"])
    static let sns = Service(
        prefix: "SNS", title: "AmazonSNS", other: "AmazonSNSException",
        known: [
            "AuthorizationError", "EndpointDisabled", "InternalError", "InvalidParameter", "InvalidParameterValue",
            "NotFound", "Throttled",
        ])
    static let lambda = Service(
        prefix: "Lambda", title: "AWSLambda", other: "AWSLambdaException", known: nil)
    static let events = Service(
        prefix: "EventBridge", title: "AmazonEventBridge", other: "AmazonEventBridgeException", known: nil)
    static let stepFunctions = Service(
        prefix: "StepFunctions", title: "AWSStepFunctions", other: "AWSStepFunctionsException", known: nil)
}
