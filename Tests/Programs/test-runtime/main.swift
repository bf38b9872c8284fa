// A program that speaks Lambda's Runtime API over one connection, well or badly, as its words and the events say. For tests.
//
//     test-runtime serve            answers events by their member "do"
//     test-runtime fail             posts an error of its start
//     test-runtime exit CODE        ends before it asks for anything
//     test-runtime hang             never asks for anything

import CSystem
import Glibc
import JSON

let words = CommandLine.arguments.dropFirst()
let address = getenv("AWS_LAMBDA_RUNTIME_API").map { String(cString: $0) } ?? ""

func say(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(1, bytes, bytes.count)
}

/// One connection for all that it asks and says.
final class Connection {
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private var received: [UInt8] = []

    init?() {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = (UInt16(address.split(separator: ":").last ?? "") ?? 0).bigEndian
        inet_pton(AF_INET, String(address.split(separator: ":").first ?? ""), &place.sin_addr)
        let outcome = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if outcome != 0 { return nil }
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            if count <= 0 { exit(71) }
            rest = rest.dropFirst(count)
        }
    }

    private func more() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(socket, &buffer, buffer.count)
        if count <= 0 { exit(72) }
        received += buffer[..<count]
    }

    func answer() -> (status: Int, fields: [String: String], body: [UInt8]) {
        var end: Int?
        while end == nil {
            end = received.indices.dropLast(3).first { Array(received[$0..<$0 + 4]) == Array("\r\n\r\n".utf8) }
            if end == nil { more() }
        }
        let lines = String(decoding: received[..<(end ?? 0)], as: UTF8.self).split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        received.removeFirst((end ?? 0) + 4)
        let count = Int(fields["content-length"] ?? "0") ?? 0
        while received.count < count { more() }
        defer { received.removeFirst(count) }
        if fields["connection"]?.lowercased() == "close" { exit(73) }
        return (Int(lines.first?.split(separator: " ")[1] ?? "") ?? 0, fields, Array(received[..<count]))
    }

    /// One more beside this; nil: it is refused.
    static func another() -> Connection? { Connection() }

    /// What somebody else is told who answers a call: that of its own runtime would be told that there is no such call.
    func status(_ host: String, _ fields: String = "") -> Int {
        send(
            Array(
                "POST /2018-06-01/runtime/invocation/none/response HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\(fields)\r\n"
                    .utf8))
        return answer().status
    }

    /// Whether a request gets an answer.
    func isServed() -> Bool {
        let request = Array("GET /none HTTP/1.1\r\nHost: \(address)\r\n\r\n".utf8)
        _ = Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL))
        var start = [UInt8](repeating: 0, count: 12)
        // `HTTP/1.1 404`: who is not served is told that there are too many.
        return read(socket, &start, start.count) == start.count && start.suffix(3).elementsEqual("404".utf8)
    }

    @discardableResult
    func post(_ path: String, _ body: [UInt8], fields: String = "") -> Int {
        send(
            Array(
                "POST /2018-06-01/runtime\(path) HTTP/1.1\r\nHost: \(address)\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
                    .utf8) + body)
        return answer().status
    }

    /// As Go's client does: in chunks, with a trailer.
    func postInChunks(_ path: String, _ pieces: [[UInt8]], trailer: String = "", fields: String = "") -> Int {
        send(
            Array(
                ("POST /2018-06-01/runtime\(path) HTTP/1.1\r\nHost: \(address)\r\nTransfer-Encoding: chunked\r\n\(fields)"
                    + "Trailer: Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body\r\n\r\n").utf8))
        for piece in pieces {
            send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
        }
        send(Array("0\r\n\(trailer)\r\n".utf8))
        return answer().status
    }
}

func variables() -> JSONValue {
    var object = JSONObject()
    guard var next = homeport_variables() else { return .object(object) }
    while let entry = next.pointee {
        let text = String(cString: entry)
        if let sign = text.firstIndex(of: "=") {
            object.set(String(text[..<sign]), to: .string(String(text[text.index(after: sign)...])))
        }
        next += 1
    }
    return .object(object)
}

/// The descriptors that are open, but for the connection.
func descriptors() -> JSONValue {
    .array((0..<256).filter { $0 != 3 && fcntl(Int32($0), F_GETFD) >= 0 }.map { .integer(Int64($0)) })
}

switch words.first {
case "exit": exit(Int32(words.dropFirst().first ?? "1") ?? 1)
case "hang": while true { pause() }
case "fail":
    guard let connection = Connection() else { exit(70) }
    let error = Array(#"{"errorType":"Test.Start","errorMessage":"no start","trace":[]}"#.utf8)
    connection.post("/init/error", error, fields: "Lambda-Runtime-Function-Error-Type: Test.Start\r\n")
    exit(1)
default: break
}

guard let connection = Connection() else { exit(70) }
var calls: Int64 = 0
while true {
    connection.send(Array("GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: \(address)\r\n\r\n".utf8))
    let next = connection.answer()
    guard next.status == 200, let id = next.fields["lambda-runtime-aws-request-id"] else { exit(74) }
    calls += 1
    let told = (try? JSONReader.value(of: next.body)) ?? .null
    // What a field tells: the arguments say what to do.
    let event = told["arguments"]?["do"] == nil ? told : told["arguments"] ?? .null
    let count = Int(event["count"]?.integer ?? 0)
    let path = "/invocation/\(id)/response"
    var result: JSONValue?
    // What a user pool tells: the answer is the event.
    if event["triggerSource"] != nil, var members = event.object {
        members.set("response", to: ["autoConfirmUser": true])
        connection.post(path, JSONWriter.bytes(of: .object(members)))
        continue
    }
    // What a token is asked about.
    if let token = event["authorizationToken"]?.string {
        connection.post(path, JSONWriter.bytes(of: ["isAuthorized": .bool(token == "good"), "ttlOverride": 0]))
        continue
    }
    // What a table tells: the changes, for the log.
    for record in event["Records"]?.array ?? [] {
        say("\(record["eventName"]?.string ?? "") \(JSONWriter.text(of: record["dynamodb"]?["Keys"] ?? .null))")
    }
    // What the clock tells: its time, for the log.
    if event["detail-type"] == "Scheduled Event" { say("tick of \(event["time"]?.string ?? "")") }
    // What a queue tells: the messages, for the log. With one that says "poison" it fails; one that says "bad" it does not take.
    let messages = (event["Records"]?.array ?? []).filter { $0["messageId"] != nil }
    if !messages.isEmpty {
        for message in messages { say("message \(message["body"]?.string ?? "") of \(messages.count)") }
        if messages.contains(where: { $0["body"] == "poison" }) {
            connection.post("/invocation/\(id)/error", Array(#"{"errorType":"Test.Error","errorMessage":"no"}"#.utf8))
            continue
        }
        let failures = messages.filter { $0["body"] == "bad" }.map { message -> JSONValue in
            ["itemIdentifier": message["messageId"] ?? .null]
        }
        connection.post(path, JSONWriter.bytes(of: ["batchItemFailures": .array(failures)]))
        continue
    }
    switch event["do"]?.string {
    case "error":
        connection.post(
            "/invocation/\(id)/error", Array(#"{"errorType":"Test.Error","errorMessage":"no"}"#.utf8),
            fields: "Lambda-Runtime-Function-XRay-Error-Cause: \(String(repeating: "x", count: count))\r\n")
    case "exit": exit(Int32(count))
    case "signal": kill(getpid(), Int32(count))
    case "hang": while true { pause() }
    case "large":
        let mode = event["streamed"] == true ? "Lambda-Runtime-Function-Response-Mode: streaming\r\n" : ""
        let status = connection.post(
            path, Array("\"\(String(repeating: "x", count: count))\"".utf8), fields: mode)
        say("status \(status)")
    case "chunks":
        let status = connection.postInChunks(path, [Array("\"a".utf8), Array("b\"".utf8)])
        say("status \(status)")
    case "broken":
        // The words of a reader that fails halfway: {"errorMessage":"half","errorType":"Test.Half"}
        _ = connection.postInChunks(
            path, [Array("\"a".utf8)],
            trailer: "Lambda-Runtime-Function-Error-Type: Test.Half\r\nLambda-Runtime-Function-Error-Body: "
                + "eyJlcnJvck1lc3NhZ2UiOiJoYWxmIiwiZXJyb3JUeXBlIjoiVGVzdC5IYWxmIn0=\r\n")
    case "trailer":
        _ = connection.postInChunks(
            path, [Array("1".utf8)],
            trailer: "Lambda-Runtime-Function-Error-Type: \(String(repeating: "x", count: count))\r\n")
    case "connections":
        // How many of so many are served at once.
        let others = (0..<count).compactMap { _ in Connection.another() }
        result = .integer(Int64(others.count { $0.isServed() }))
    case "open":
        var last: Int32 = 0
        while case let next = open("/dev/null", O_RDONLY), next >= 0 { last = next }
        for descriptor in 4...max(4, last) where last >= 4 { close(descriptor) }
        result = .integer(Int64(last) + 1)
    case "mode":
        say(
            "status \(connection.post(path, Array("1".utf8), fields: "Lambda-Runtime-Function-Response-Mode: other\r\n"))"
        )
    case "twice":
        connection.post(path, Array("1".utf8))
        result = .integer(Int64(connection.post(path, Array("2".utf8))))
        say("second answer: \(result.map { JSONWriter.text(of: $0) } ?? "")")
        result = nil
    case "foreign":
        let status = connection.post("/invocation/other/response", Array("1".utf8))
        connection.post(path, Array("\(status)".utf8))
    case "strangers":
        let answers = [
            ("localhost", ""), (address, "Origin: http://\(address)\r\n"), ("a.test", ""),
            (address, "Sec-Fetch-Site: cross-site\r\n"),
            (address, "Sec-Fetch-Site: none\r\n"),
        ].compactMap {
            Connection.another()?.status($0, $1)
        }
        result = .array(answers.map { .integer(Int64($0)) })
    case "late start":
        let status = connection.post("/init/error", Array("{}".utf8))
        connection.post(path, Array("\(status)".utf8))
    case "flood":
        for number in 0..<count { say("line \(number) \(String(repeating: "x", count: 100))") }
        result = "flooded"
    case "child":
        // What it leaves behind.
        var child: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("10000"), nil]
        posix_spawn(&child, "/bin/sleep", nil, nil, &arguments, nil)
        result = .integer(Int64(child))
    case "children":
        // Many that it leaves behind, and it never answers.
        for _ in 0..<count {
            var child: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("10000"), nil]
            posix_spawn(&child, "/bin/sleep", nil, nil, &arguments, nil)
            say("number \(child)")
        }
        while true { pause() }
    case "memory":
        let bytes = malloc(count)
        result = .bool(bytes != nil)
    case "variables": result = variables()
    case "descriptors": result = descriptors()
    case "signals":
        var mask = sigset_t()
        sigprocmask(SIG_BLOCK, nil, &mask)
        result = .array((1..<32).filter { sigismember(&mask, Int32($0)) == 1 }.map { .integer(Int64($0)) })
    case "process": result = .integer(Int64(getpid()))
    case "wait":
        // Until the file is there: another call makes it.
        while access(event["file"]?.string ?? "", F_OK) != 0 { usleep(2_000) }
        result = .integer(Int64(getpid()))
    case "say":
        say(event["text"]?.string ?? "")
        result = .null
    default:
        result = .object(
            JSONObject([
                ("event", event), ("calls", .integer(calls)),
                (
                    "fields",
                    .object(JSONObject(next.fields.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
                ),
            ]))
    }
    if let result { connection.post(path, JSONWriter.bytes(of: result)) }
}
