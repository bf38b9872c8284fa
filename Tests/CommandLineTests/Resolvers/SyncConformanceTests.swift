import Foundation
import JSON
import TestSupport
import Testing

/// A model with conflict detection, as one would write it for a test: each change has a number.
private struct PlainSyncedTable {
    struct Record {
        var members: [String: JSONValue]
        var version: Int64
        var isDeleted = false
        var changed: Int

        var value: JSONValue {
            var all = members
            all["_version"] = .integer(version)
            if isDeleted { all["_deleted"] = true }
            return .object(JSONObject(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
    }

    private(set) var records: [String: Record] = [:]
    private(set) var changes = 0

    /// What a handler is to be told: the result, and the type of its error.
    typealias Told = (result: JSONValue, error: String?)

    private mutating func keep(_ id: String, _ members: [String: JSONValue], isDeleted: Bool = false) -> Told {
        changes += 1
        let record = Record(
            members: members, version: (records[id]?.version ?? 0) + 1, isDeleted: isDeleted, changed: changes)
        records[id] = record
        return (record.value, nil)
    }

    /// Nil: the version is that of the record, or none is said.
    private func conflict(_ id: String, _ version: Int64?) -> Told? {
        guard let version else { return nil }
        guard let record = records[id] else { return (.null, "DynamoDB:ConditionalCheckFailedException") }
        return record.version == version ? nil : (record.value, "ConflictUnhandled")
    }

    mutating func put(_ id: String, _ members: [String: JSONValue], _ version: Int64?) -> Told {
        if let conflict = conflict(id, version) { return conflict }
        return keep(id, members.merging(["id": .string(id)]) { $1 })
    }

    mutating func update(_ id: String, n: Int64, _ version: Int64?) -> Told {
        if let conflict = conflict(id, version) { return conflict }
        var members = records[id]?.members ?? ["id": .string(id)]
        members["n"] = .integer(n)
        return keep(id, members, isDeleted: records[id]?.isDeleted ?? false)
    }

    mutating func delete(_ id: String, _ version: Int64?) -> Told {
        guard let record = records[id] else { return (.null, nil) }
        if let conflict = conflict(id, version) { return conflict }
        // What is deleted already does not change.
        return record.isDeleted ? (record.value, nil) : keep(id, record.members, isDeleted: true)
    }

    /// All that is there, or all that has changed behind a change.
    func sync(since change: Int?) -> [JSONValue] {
        records.values.filter { record in change.map { record.changed > $0 } ?? !record.isDeleted }.map(\.value)
    }
}

/// `Sync`, and the writes that it tells of, against a plain evaluator, in random order, through the real program.
@Suite("Synced tables of handlers beside a plain one")
struct SyncConformanceTests {
    private static let schema = """
        Doc: a.model({ title: a.string(), n: a.integer() }).authorization((allow) => [allow.publicApiKey()]),
        onDoc: a.mutation().arguments({ request: a.string().required() }).returns(a.string())
          .handler(a.handler.custom({ dataSource: a.ref('Doc'), entry: './any.js' })).authorization(open),
        """

    private struct Table {
        let server: HomeportProcess

        func ask(_ request: JSONValue) throws -> (result: JSONValue, error: String?) {
            let answer = try server.value(
                of: "mutation M($r: String!) { onDoc(request: $r) }", ["r": JSONWriter.text(of: request)])
            let text = try #require(answer["data"]?["onDoc"]?.string, "\(answer)")
            let told = try JSONReader.value(of: text)
            return (told["result"] ?? .null, told["error"]?["type"]?.string)
        }
    }

    /// The members that both know, in the order of their names.
    private static func plain(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return value }
        let known = ["id", "title", "n", "_version", "_deleted"]
        let members = object.members.filter { known.contains($0.key) && !$0.value.isNull && $0.value != false }
        return .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    private static func sorted(_ items: [JSONValue]) -> [JSONValue] {
        items.map(plain).sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }
    }

    /// Changes and syncs are ordered by the clock's milliseconds: what comes next has another one.
    private static func waitForNextMillisecond() throws {
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
        let before = now()
        try eventually("the clock goes on", pausing: .microseconds(500)) { now() > before + 1 }
    }

    /// All pages of a sync, and when its first one began.
    private static func sync(
        _ table: Table, since: Int64?, limit: Int64?
    ) throws -> (items: [JSONValue], startedAt: Int64) {
        var request = JSONObject([("operation", "Sync")])
        if let since { request.set("lastSync", to: .integer(since)) }
        if let limit { request.set("limit", to: .integer(limit)) }
        var items: [JSONValue] = []
        var startedAt: Int64?
        repeat {
            let told = try table.ask(.object(request))
            #expect(told.error == nil, "\(told)")
            let page = told.result["items"]?.array ?? []
            if let limit { #expect(page.count <= limit) }
            items += page
            startedAt = startedAt ?? told.result["startedAt"]?.integer
            request.set("nextToken", to: told.result["nextToken"] ?? .null)
        } while request["nextToken"] != .null
        return (items, startedAt ?? 0)
    }

    private static func key(_ id: String) -> JSONValue { ["id": ["S": .string(id)]] }

    @Test("answer as the plain one does, whatever came before")
    func follows() throws {
        var random = SeededRandom(test: "SyncConformanceTests")
        let project = try ResolverProject(Self.schema, ["any.js": TableHandlerTests.any])
        let table = Table(
            server: try project.serve(configuration: #"{"features": {"conflictDetection": "AUTOMERGE"}}"#))
        var plain = PlainSyncedTable()
        /// When syncs began, and how many changes there were by then.
        var starts: [(at: Int64, change: Int)] = []
        for number in 0..<Fuzz.rounds(ordinarily: 250) {
            let id = "d\(Int.random(in: 0..<5, using: &random))"
            var version: Int64?
            if Bool.random(using: &random) {
                version = (plain.records[id]?.version ?? 1) - (Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0)
            }
            var request = JSONObject([("key", Self.key(id))])
            if let version { request.set("_version", to: .integer(version)) }
            let wanted: PlainSyncedTable.Told
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                let title = JSONValue.string("t\(number)")
                request.set("operation", to: "PutItem")
                request.set("attributeValues", to: ["title": ["S": title]])
                wanted = plain.put(id, ["title": title], version)
            case 2, 3:
                let n = Int64(number)
                request.set("operation", to: "UpdateItem")
                request.set(
                    "update", to: ["expression": "SET n = :n", "expressionValues": [":n": ["N": .integer(n)]]])
                wanted = plain.update(id, n: n, version)
            case 4, 5:
                request.set("operation", to: "DeleteItem")
                wanted = plain.delete(id, version)
            case 6:
                request.set("operation", to: "GetItem")
                wanted = (plain.records[id]?.value ?? .null, nil)
            default:
                let start = Bool.random(using: &random) ? starts.randomElement(using: &random) : nil
                let limit = Bool.random(using: &random) ? Int64.random(in: 1..<4, using: &random) : nil
                // What changes in the moment of a sync is told by it or by the next one.
                try Self.waitForNextMillisecond()
                let told = try Self.sync(table, since: start?.at, limit: limit)
                try Self.waitForNextMillisecond()
                #expect(
                    Self.sorted(told.items) == Self.sorted(plain.sync(since: start?.change)),
                    "round \(number): since \(start?.change ?? 0) of \(plain.changes)")
                starts.append((told.startedAt, plain.changes))
                continue
            }
            let told = try table.ask(.object(request))
            #expect(
                Self.plain(told.result) == Self.plain(wanted.result) && told.error == wanted.error,
                "round \(number): \(JSONWriter.text(of: .object(request))) gave \(told), wanted \(wanted)")
        }
    }

    @Test("what writes several items at once is refused, as it knows no versions; what reads them is not")
    func several() throws {
        let project = try ResolverProject(Self.schema, ["any.js": TableHandlerTests.any])
        let server = try project.serve(configuration: #"{"features": {"conflictDetection": "OPTIMISTIC_CONCURRENCY"}}"#)
        for operation in ["BatchPutItem", "BatchDeleteItem", "TransactWriteItems"] {
            let request: JSONValue = [
                "operation": .string(operation), "tables": ["Doc-local-NONE": [Self.key("a")]],
                "transactItems": [["table": "Doc-local-NONE", "operation": "PutItem", "key": Self.key("a")]],
            ]
            let answer = try server.value(
                of: "mutation M($r: String!) { onDoc(request: $r) }", ["r": JSONWriter.text(of: request)])
            let error = answer["errors"]?[0]
            #expect(error?["errorType"] == "MappingTemplate", "\(answer)")
            #expect(
                error?["message"]?.string?.hasPrefix(
                    "Unsupported operation '\(operation)'. Datasource Versioning only supports the following operations (TransactGetItems,"
                ) == true, "\(answer)")
        }
        let table = Table(server: server)
        let put = try table.ask([
            "operation": "PutItem", "key": Self.key("a"), "attributeValues": ["title": ["S": "t"]],
        ])
        #expect(put.result["_version"] == 1 && put.result["_lastChangedAt"]?.integer != nil, "\(put)")
        let found = try table.ask([
            "operation": "BatchGetItem", "tables": ["Doc-local-NONE": ["keys": [Self.key("a")]]],
        ])
        #expect(found.result["data"]?["Doc-local-NONE"]?[0]?["title"] == "t", "\(found)")
        let read = try table.ask([
            "operation": "TransactGetItems", "transactItems": [["table": "Doc-local-NONE", "key": Self.key("a")]],
        ])
        #expect(read.result["items"]?[0]?["_version"] == 1, "\(read)")
    }

    @Test("what a handler deletes is told to clients that sync by the API as well")
    func deletions() throws {
        let project = try ResolverProject(Self.schema, ["any.js": TableHandlerTests.any])
        let table = Table(
            server: try project.serve(configuration: #"{"features": {"conflictDetection": "AUTOMERGE"}}"#))
        _ = try table.server.answer(to: #"mutation { createDoc(input: { id: "a", title: "t" }) { id } }"#)
        let deleted = try table.ask(["operation": "DeleteItem", "key": Self.key("a"), "_version": 1])
        #expect(deleted.result["_deleted"] == true && deleted.result["_version"] == 2, "\(deleted)")
        let synced = try table.server.value(of: "{ syncDocs(lastSync: 1) { items { id _version _deleted } } }")
        #expect(
            synced["data"]?["syncDocs"]?["items"]?[0] == ["id": "a", "_version": 2, "_deleted": true], "\(synced)")
    }
}
