import Testing

@testable import JSON

@Suite("Names of resources in the cloud")
struct ARNTests {
    @Test(
        "are read for one service, and written as they were",
        arguments: [
            ("arn:aws:sqs:us-east-1:1:orders", "sqs", ["orders"]),
            ("arn:aws:states:r:1:execution:m:x", "states", ["execution", "m", "x"]),
            ("arn:aws:sns:::", "sns", [""]), ("arn:aws:sqs:us-east-1:1", "sqs", nil),
            ("arn:aws:sqs:us-east-1:1:orders", "sns", nil), ("arn:aws-cn:sqs:r:1:orders", "sqs", nil),
            ("ARN:aws:sqs:r:1:orders", "sqs", nil), ("orders", "sqs", nil), ("", "sqs", nil),
        ] as [(String, String, [String]?)])
    func read(text: String, service: String, parts: [String]?) {
        let arn = ARN(text, of: service)
        #expect(arn?.parts == parts)
        #expect(arn?.description == (parts == nil ? nil : text))
    }

    @Test("files have no region and no account, and a pattern leaves both open")
    func patterns() {
        #expect(ARN.file("photos/a").description == "arn:aws:s3:::photos/a")
        #expect(ARN.anywhere("sqs", "orders").description == "arn:aws:sqs:*:*:orders")
    }

    @Test("a name stands behind the kind of its resource")
    func kinds() {
        let arn = ARN("events", region: "r", account: "1", "event-bus/orders")
        #expect(arn.name(behind: "event-bus/") == "orders" && arn.name(behind: "rule/") == nil)
    }
}
