import JSON
import Testing

@testable import Server

@Suite("Tasks of state machines")
struct WorkflowTaskTests {
    @Test(
        "a text is the event of lambda:invoke itself, and nothing is an empty object",
        arguments: [
            (nil, "{}"), (.null, "{}"), (["a": 1], #"{"a":1}"#), ([], "[]"), (1, "1"), (#""x""#, #""x""#),
            ("0.0", "0.0"),
            ("null", "null"), (#"{"a": 1}"#, #"{"a": 1}"#), ("hello", nil), ("", nil),
        ] as [(JSONValue?, String?)])
    func payload(_ given: JSONValue?, _ event: String?) {
        do {
            let bytes = try WorkflowTasks.payload(given)
            #expect(String(decoding: bytes, as: UTF8.self) == event)
        } catch {
            #expect(event == nil)
            #expect(error.error == "Lambda.InvalidRequestContentException")
        }
    }

    @Test(
        "a message for a URL without a queue goes to a host that nobody knows",
        arguments: [
            ("http://none", "none"), ("https://none/", "none"), ("none", "none"), ("http://h/1/q", nil),
            ("http://h:1/q", nil),
        ] as [(String, String?)])
    func hosts(url: String, host: String?) { #expect(WorkflowTasks.hostAlone(url) == host) }

    @Test("errors through the SDK have its names and its form")
    func sdkFaults() {
        let missing = WorkflowTasks.s3Errors.fault("NoSuchKey", "m", status: 404, isWithHost: true)
        #expect(missing.error == "S3.NoSuchKeyException")
        #expect(missing.cause.hasPrefix("m (Service: S3, Status Code: 404, Request ID: "))
        #expect(missing.cause.contains(", Extended Request ID: ") && missing.cause.hasSuffix(")"))
        #expect(WorkflowTasks.s3Errors.fault("AccessDenied", "m").error == "S3.S3Exception")
    }

    @Test("errors of services are called as the SDK behind the tasks calls them, and say where they come from")
    func faults() {
        for (fault, error, code) in [
            (
                WorkflowTasks.dynamoDB.fault("ValidationException", "m"), "DynamoDB.AmazonDynamoDBException",
                "ValidationException"
            ),
            (
                WorkflowTasks.dynamoDB.fault("ConditionalCheckFailedException", "m"),
                "DynamoDB.ConditionalCheckFailedException", "ConditionalCheckFailedException"
            ),
            (
                WorkflowTasks.sqs.fault("QueueDoesNotExist", "m", code: "AWS.SimpleQueueService.NonExistentQueue"),
                "SQS.QueueDoesNotExistException", "AWS.SimpleQueueService.NonExistentQueue"
            ),
            (
                WorkflowTasks.sqs.fault("MissingRequiredParameterException", "m", code: "MissingParameter"),
                "SQS.AmazonSQSException", "MissingParameter"
            ),
            (WorkflowTasks.sns.fault("NotFound", "m", status: 404), "SNS.NotFoundException", "NotFound"),
            (
                WorkflowTasks.stepFunctions.fault("StateMachineDoesNotExist", "m"),
                "StepFunctions.StateMachineDoesNotExistException", "StateMachineDoesNotExist"
            ),
        ] {
            #expect(fault.error == error)
            #expect(fault.cause.hasPrefix("m (Service: "))
            #expect(fault.cause.contains("; Error Code: \(code); Request ID: "))
            #expect(fault.cause.hasSuffix("; Proxy: null)"))
        }
    }
}
