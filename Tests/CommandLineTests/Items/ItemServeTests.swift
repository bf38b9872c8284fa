import Foundation
import JSON
import TestSupport
import Testing

@testable import Network

extension SignedCall {
    /// A call of the tables of items.
    static func item(_ operation: String, _ body: String, to server: HomeportProcess) -> SignedCall {
        var call = SignedCall(operation, body, to: server)
        call.api = "DynamoDB_20120810"
        call.service = "dynamodb"
        call.contentType = "application/x-amz-json-1.0"
        return call
    }

    static let table =
        #"{"TableName": "Things", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}"#
}

/// Tables of items through real sockets, signed.
@Suite("Items over HTTP")
struct ItemServeTests {
    private static let list = #"{"TableNames":["Things"]}"#

    @Test("are put and got with the fields that SDKs look at")
    func story() throws {
        let server = try HomeportProcess()
        #expect(try SignedCall.item("CreateTable", SignedCall.table, to: server).answer(from: server).status == 200)
        let put = #"{"TableName": "Things", "Item": {"id": {"S": "a"}, "n": {"N": "1.50"}}}"#
        #expect(try SignedCall.item("PutItem", put, to: server).answer(from: server).body == "{}")
        let get = try SignedCall.item("GetItem", #"{"TableName": "Things", "Key": {"id": {"S": "a"}}}"#, to: server)
            .answer(from: server)
        #expect(get.body == #"{"Item":{"id":{"S":"a"},"n":{"N":"1.5"}}}"#)
        let head = get.head.lowercased()
        #expect(head.contains("content-type: application/x-amz-json-1.0"))
        #expect(head.contains("x-amzn-requestid: "))
        #expect(head.contains("x-amz-crc32: \(Self.checksum(of: get.body))\r\n"))
        #expect(!head.contains("access-control-allow-origin"))
        let metrics = try RawClient(port: server.port)
        try metrics.send("GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try metrics.readAnswer().body.contains(#"route="/{table}""#))
    }

    /// The checksum of ISO 3309, bit by bit.
    private static func checksum(of text: String) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in text.utf8 {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    @Test(
        "are nobody's but administrators'",
        arguments: [
            ("unsigned", "MissingAuthenticationTokenException"), ("another key", "UnrecognizedClientException"),
            ("another secret", "InvalidSignatureException"), ("another service", "InvalidSignatureException"),
            ("another body", "InvalidSignatureException"), ("an old date", "InvalidSignatureException"),
            ("a target that is not signed", "IncompleteSignatureException"),
            ("another target", "InvalidSignatureException"),
        ])
    func refusals(_ what: String, _ type: String) throws {
        let server = try HomeportProcess()
        var call = SignedCall.item("ListTables", "{}", to: server)
        var change: (inout SignedCall) -> Void = { _ in }
        switch what {
        case "unsigned": change = { $0.isSigned = false }
        case "another key": call.accessKeyID = "AKIAIOSFODNN7EXAMPLE"
        case "another secret": call.secret = "other"
        case "another service": call.service = "cognito-idp"
        case "another body": change = { $0.body = #"{"Limit":1}"# }
        case "an old date": call.date = SignedCall.text(of: Date(timeIntervalSinceNow: -3_600))
        case "a target that is not signed": call.signed = ["content-type", "host", "x-amz-date"]
        default: change = { $0.operation = "DescribeLimits" }
        }
        let answer: (status: Int, head: String, body: String)
        if what == "unsigned" {
            call.isSigned = false
            answer = try call.answer(from: server)
        } else {
            answer = try call.answer(from: server, sent: change)
        }
        #expect(answer.status == 400)
        #expect(answer.body.contains("#\(type)\""), "\(answer.body)")
        #expect(!answer.body.contains("TableNames"))
    }

    @Test("are read up to sixteen megabytes")
    func large() throws {
        let server = try HomeportProcess()
        let client = try RawClient(port: server.port)
        try client.send(
            "POST / HTTP/1.1\r\nhost: 127.0.0.1:\(server.port)\r\nx-amz-target: DynamoDB_20120810.PutItem\r\n"
                + "authorization: AWS4-HMAC-SHA256 x\r\ncontent-length: \((16 << 20) + 1)\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 413"))
        #expect(answer.body.contains("__type"))
    }

    @Test("may be compressed, under a signature of the bytes that are sent")
    func compressed() throws {
        let server = try HomeportProcess()
        var pool = CompressionPool()
        var bytes: [UInt8] = []
        _ = Array(SignedCall.table.utf8).withUnsafeBytes { pool.gzip($0, into: &bytes) }
        var call = SignedCall.item("CreateTable", SignedCall.table, to: server)
        call.others = [("content-encoding", "gzip")]
        call.signed.append("content-encoding")
        // A signature of the content is none of what is sent.
        let refused = try call.answer(from: server) { $0.coded = bytes }
        #expect(refused.status == 400 && refused.body.contains("InvalidSignatureException"), "\(refused.body)")
        call.coded = bytes
        #expect(try call.answer(from: server).status == 200)
        let list = try SignedCall.item("ListTables", "{}", to: server).answer(from: server)
        #expect(list.body.contains(#""Things""#), "\(list.body)")
    }

    @Test("whose target names no operation are refused in their form")
    func noTarget() throws {
        let server = try HomeportProcess()
        var call = SignedCall.item("ListTables", "{}", to: server)
        call.hasTarget = false
        call.signed = ["content-type", "host", "x-amz-date"]
        let answer = try call.answer(from: server)
        #expect(answer.status == 400)
        #expect(answer.body.contains("UnknownOperationException"))
    }

    @Test("a statement of PartiQL is answered")
    func partiQL() throws {
        let server = try HomeportProcess()
        let answer = try SignedCall.item("ExecuteStatement", #"{"Statement": "SELECT * FROM Things"}"#, to: server)
            .answer(from: server)
        #expect(answer.status == 400)
        #expect(answer.body.contains("ResourceNotFoundException"))
    }
}
