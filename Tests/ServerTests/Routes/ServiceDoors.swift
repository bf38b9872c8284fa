import Cloud
import JSON
import TestSupport
import Testing

@testable import Network
@testable import Server

/// Requests of every service that is a table, on the way that they come: see docs/architecture.md, "What may hold a loop or the writer".
///
/// The members of an operation say what its longest input is, so a new operation has its rows here already.
@Suite("No service that is a table holds a loop")
struct ServiceDoors {
    private let test: TestServices

    init() throws { test = try TestServices() }

    /// About as much as is read on a loop.
    private static let bytesMax = 60_000

    private static func text(_ letters: String, _ count: Int) -> JSONValue {
        .string(String(String(repeating: letters, count: max(1, count / letters.utf8.count)).prefix(count)))
    }

    /// The longest values of a shape: of letters that need an escape, of those that parsers look for, and of many parts.
    private static func longest(_ shape: MemberShape) -> [JSONValue] {
        switch shape {
        case .text(let lengths, _, _):
            let count = min(lengths.upperBound, bytesMax / 2)
            return ["\u{1}", "arn:/:*%_", "é{}\"\\"].map { text($0, count) }
        case .bytes(let lengths): return [text("QUJD", min(lengths.upperBound, bytesMax / 2) / 3 * 4)]
        case .list(let element, _, let max):
            let value = TestServices.good(element)
            let bytes = JSONWriter.bytes(of: value).count + 1
            return [.array(Array(repeating: value, count: min(max, bytesMax / bytes)))]
        case .texts, .map, .object: return [wide]
        case .anything: return [wide, nested]
        case .choice, .boolean, .integer, .number: return []
        }
    }

    private static let wide: JSONValue = .object(JSONObject((0..<5_000).map { ("k\($0)", "x") }))
    private static let nested: JSONValue = .array(Array(repeating: [[]], count: 10_000))

    private struct Row {
        let name: String
        let work: @Sendable () async -> HTTPResponse
    }

    private static let formType = "application/x-www-form-urlencoded"

    /// An input, in the form that the service has for it. Nil: it comes by a path, and such services are asked beside the loop.
    private func row(_ service: TableService, _ operation: CloudOperation, _ input: JSONObject) throws -> Row? {
        let table = service.table
        let name = "\(table.title) \(operation.name)"
        if !table.target.isEmpty {
            let body = JSONWriter.bytes(of: .object(input))
            return Row(name: name, work: try test.work(service, "\(table.target).\(operation.name)", body))
        }
        guard table.form != nil else {
            #expect(table.isBesideLoop, "\(name) has no row here")
            return nil
        }
        let members = input.members.compactMap { member in
            member.value.string.map { "&\(member.key)=\(Self.escaped($0))" }
        }
        let many = (0..<200).map { "&Tags.member.\($0).Key=k" }
        let body = Array("Action=\(operation.name)\((members + many).joined())".utf8)
        return Row(name: name, work: try test.work(service, nil, body, type: Self.formType))
    }

    /// With an escape for each byte.
    private static func escaped(_ text: String) -> String {
        text.utf8.prefix(bytesMax / 4).map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The longest bodies that a service takes at all, whatever is in them.
    private func wholeBodies(of service: TableService) throws -> [Row] {
        let table = service.table
        let bytesMax = table.limits.bytesMax
        func filled(_ part: String, _ start: String, _ end: String) -> [UInt8] {
            let count = (bytesMax - start.utf8.count - end.utf8.count) / part.utf8.count
            return Array((start + String(repeating: part, count: max(0, count)) + end).utf8)
        }
        var bodies: [(target: String?, type: String, path: String, body: [UInt8])] = []
        if let first = table.rows.first, !table.target.isEmpty {
            let target = "\(table.target).\(first.name)"
            for body in [filled("[],", "{\"a\":[", "1]}"), filled("\\u0001", "{\"a\":\"", "\"}")] {
                bodies.append((target, "application/x-amz-json-1.1", "/", body))
            }
        }
        if table.form != nil, let first = table.rows.first {
            for part in ["&a=1", "&a.1.b=1", "%41"] {
                bodies.append((nil, Self.formType, "/", filled(part, "Action=\(first.name)", "")))
            }
        }
        if table.title == "Lambda" {
            for path in [
                "/2015-03-31/functions/there/invocations", "/2021-11-15/functions/there/response-streaming-invocations",
            ] {
                bodies.append((nil, "application/json", path, filled("[],", "[", "1]")))
            }
        }
        return try bodies.map {
            Row(
                name: "\(table.title) with \($0.body.count) bytes \($0.type)",
                work: try test.work(
                    service, $0.target, $0.body, type: $0.type, path: $0.path,
                    others: [("x-amz-invocation-type", "DryRun")]))
        }
    }

    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("whatever lies in the members of its operations, and however long a body is")
    func loops() async throws {
        let loop = HeldLoop()
        var rows: [Row] = []
        for service in test.services {
            rows += try wholeBodies(of: service)
            for operation in service.table.rows {
                let usual = TestServices.object(operation.members)
                for member in operation.members {
                    for value in Self.longest(member.shape) {
                        var input = usual
                        input.set(member.name, to: value)
                        if let row = try row(service, operation, input) { rows.append(row) }
                    }
                }
                if let row = try row(service, operation, usual) { rows.append(row) }
            }
        }
        #expect(rows.count > 500)
        for row in rows {
            var held = Double.infinity
            // Others disturb: what takes too long is looked at again.
            for _ in 0..<10 where held >= Self.heldMilliseconds {
                held = await loop.longestPiece { _ = await row.work() }
            }
            #expect(held < Self.heldMilliseconds, "\(row.name) holds a loop for \(held) ms")
        }
    }
}
