import JSON
import TestSupport

/// What a server answers to one request, on a connection of its own.
struct HTTPAnswer {
    let head: AnswerHead
    let body: String

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    init(
        to method: String, _ path: String, _ fields: [(name: String, value: String)], _ body: String, at port: UInt16
    ) throws {
        let connection = try RawClient(port: port)
        var lines = ["\(method) \(path) HTTP/1.1"]
        if !fields.contains(where: { $0.name.lowercased() == "host" }) { lines.append("Host: 127.0.0.1:\(port)") }
        lines += fields.map { "\($0.name): \($0.value)" }
        lines += ["Content-Length: \(body.utf8.count)", "Connection: close"]
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        head = try AnswerHead(connection.read(through: "\r\n\r\n"))
        let rest = try connection.readToEnd()
        self.body = head.fields["transfer-encoding"] == "chunked" ? try Self.joined(Array(rest.utf8)[...]) : rest
    }

    func json() throws -> JSONValue {
        do {
            return try JSONReader.value(of: body)
        } catch {
            throw Malformed(description: "the answer is no JSON: \(head.status) \(body)")
        }
    }

    /// A body without the marks of its chunks.
    private static func joined(_ chunks: ArraySlice<UInt8>) throws -> String {
        var rest = chunks
        var body: [UInt8] = []
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            let digits = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest = rest[end.upperBound...]
            guard let count = Int(digits, radix: 16), count >= 0, rest.count >= count else { break }
            if count == 0 { return String(decoding: body, as: UTF8.self) }
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        throw Malformed(description: "the chunks of the answer do not end")
    }
}
