import Foundation
import TestSupport
import Testing

/// Calls of services that nothing here stands in for.
@Suite("Services that are not served")
struct UnservedServiceTests {
    private static let form = "application/x-www-form-urlencoded; charset=utf-8"

    private struct Row {
        let service: String
        var target: String?
        var type = UnservedServiceTests.form
        var path = "/"
        var body = ""
        var fields: [(name: String, value: String)] = []
        let status: Int
        let has: [String]
    }

    private static let rows = [
        Row(
            service: "iam", body: "Action=ListUsers&Version=2010-05-08", status: 400,
            has: ["text/xml", "<Code>InvalidAction</Code>", "iam is not served here: ListUsers"]),
        Row(
            service: "ec2", body: "Action=DescribeInstances", status: 400,
            has: ["<Response><Errors><Error><Code>InvalidAction</Code>", "DescribeInstances"]),
        Row(
            service: "logs", target: "Logs_20140328.PutLogEvents", type: "application/x-amz-json-1.1", body: "{}",
            status: 400,
            has: [
                "application/x-amz-json-1.1", "x-amzn-errortype: UnknownOperationException",
                #""__type":"UnknownOperationException""#, "logs is not served here: PutLogEvents",
            ]),
        Row(
            service: "monitoring", type: "application/cbor",
            path: "/service/GraniteServiceVersion20100801/operation/PutMetricData",
            fields: [("smithy-protocol", "rpc-v2-cbor")], status: 400,
            has: ["smithy-protocol: rpc-v2-cbor", "PutMetricData"]),
        Row(
            service: "polly", type: "application/json", path: "/v1/speech", body: "{}", status: 404,
            has: ["x-amzn-errortype: UnknownOperationException", "polly is not served here: POST /v1/speech"]),
        Row(
            service: "lambda", type: "application/json", path: "/2015-03-31/functions", body: "{}", status: 404,
            has: ["x-amzn-errortype: UnknownOperationException", "POST /2015-03-31/functions of lambda is not served"]),
        Row(
            service: "cloudfront", type: "text/xml", path: "/2020-05-31/distribution", status: 404,
            has: ["<ErrorResponse><Error>", "POST /2020-05-31/distribution"]),
    ]

    @Test("are told by name, in the form of their protocol, and once in the log")
    func rows() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_LOG_LEVEL": "info"])
        for row in Self.rows + Self.rows {
            var call = SignedCall("", row.body, to: server)
            call.hasTarget = row.target != nil
            call.target = row.target
            (call.service, call.contentType, call.path) = (row.service, row.type, row.path)
            call.others = row.fields
            call.signed = ["content-type", "host", "x-amz-date"] + (row.target == nil ? [] : ["x-amz-target"])
            let answer = try call.answer(from: server)
            #expect(answer.status == row.status, "\(row.service): \(answer)")
            for text in row.has { #expect((answer.head + answer.body).contains(text), "\(row.service): \(answer)") }
            #expect(answer.head.contains("access-control-allow-origin"), "\(row.service)")
        }
        server.signal(SIGTERM)
        _ = server.exitStatus()
        for (service, operation) in [("iam", "ListUsers"), ("logs", "PutLogEvents"), ("polly", "POST /v1/speech")] {
            let line = "an administrator calls \(operation) of \(service), which is not served here"
            #expect(server.log.components(separatedBy: line).count == 2, "\(service): \(server.log)")
        }
    }

    @Test("what is signed for nothing, or is for something else, is answered as ever")
    func others() throws {
        let server = try HomeportProcess(environment: IdentityClient.environment)
        let client = IdentityClient(server: server)
        let unsigned = try client.send("POST /v1/speech", ["Content-Type: application/json"], "{}")
        #expect(unsigned.head.status == 404 && unsigned.body.contains("There is nothing at /v1/speech"))
        let scope = "Credential=AKID/20260101/us-east-1/polly/aws4_request, SignedHeaders=host, Signature=00"
        let health = try client.send("GET /health", ["Authorization: AWS4-HMAC-SHA256 \(scope)"])
        #expect(health.head.status == 200)
        let link = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20260101%2Fus-east-1%2F"
        let polly = try client.send("GET /v1/speech?\(link)polly%2Faws4_request&X-Amz-Signature=00", [])
        #expect(polly.body.contains("polly is not served here: GET /v1/speech"), "\(polly)")
        let file = try client.send("GET /v1/speech?\(link)s3%2Faws4_request&X-Amz-Signature=00", [])
        #expect(file.body.contains("<Error>") && !file.body.contains("not served"), "\(file)")
        let graph = try client.send(
            "POST /graphql", ["Authorization: AWS4-HMAC-SHA256 \(scope)"], #"{"query":"{ __typename }"}"#)
        #expect(!graph.body.contains("not served"), "\(graph)")
        // Nobody fills the log whose key is nobody's.
        let nobody = try client.send("GET /v1/speech", ["Authorization: AWS4-HMAC-SHA256 \(scope)"])
        #expect(nobody.head.status == 404 && !server.log.contains("polly, which is not served"))
    }
}
