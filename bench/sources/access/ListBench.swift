import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Store

/// Times what a row of a list costs that shows a caller their own records, beside one that shows everything: in pages
/// that are filled, over an indexed owner.
struct ListBench {
    private static let schema = """
        type Post @model @auth(rules: [{allow: owner}, {allow: public}]) {
          id: ID! title: String body: String
          owner: String @index(name: "byOwner", queryField: "postsByOwner")
        }
        """
    private static let rowCount = 100_000
    private static let ownerCount = 100
    private static let pageCount = 8
    private static let pageRows = 100

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private let engine: Engine
    private let shard = EngineShard()

    init?() async throws {
        var project = Settings()
        project.additionalModes = [.userPools]
        guard let blueprint = SDLReader.read(Self.schema, settings: project).blueprint,
            let model = blueprint.models.first
        else { return nil }
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { print($0) }
        guard let table = store.layout.table(of: model) else { return nil }
        for start in stride(from: 0, to: Self.rowCount, by: 10_000) {
            try await store.writer.write(turn: .all, key: nil) { session in
                for number in start..<start + 10_000 {
                    let owner = "sub-u\(number % Self.ownerCount)::u\(number % Self.ownerCount)"
                    let values: [(String, String)] = [
                        ("id", "p\(number)"), ("title", "Title \(number)"), ("owner", owner),
                        ("body", String(repeating: "body ", count: 20)), ("createdAt", "2026-01-01T00:00:00.000Z"),
                        ("updatedAt", "2026-01-01T00:00:00.000Z"),
                    ]
                    let assignments = values.map { RecordChange.Assignment($0, .text($1)) }
                    _ = try session.apply(.create(in: table, assignments, returning: [])) { _ throws(StoreError) in }
                }
            }
        }
        var settings = EngineSettings()
        settings.semantics = .filled
        engine = try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store, settings)
    }

    func run() throws {
        let everything = try nanoseconds(Requester(.apiKey))
        let own = try nanoseconds(Requester(.userPool(username: "u7", sub: "sub-u7")))
        print("list-everything-per-row", Int(everything))
        print("list-own-per-row", Int(own))
        print("list-own-by-everything", Double(Int(own / everything * 100)) / 100)
    }

    /// The best of some walks over several pages, by row.
    private func nanoseconds(_ requester: Requester) throws -> Double {
        let clock = ContinuousClock()
        var best = Double.infinity
        for _ in 0..<30 {
            var rows = 0
            var token: String?
            let start = clock.now
            for _ in 0..<Self.pageCount {
                let (count, next) = try page(after: token, requester)
                guard count == Self.pageRows else { throw Unexpected(description: "a page of \(count) records") }
                rows += count
                token = next
            }
            let (seconds, attoseconds) = (clock.now - start).components
            best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(max(1, rows)))
        }
        return best
    }

    private func page(after token: String?, _ requester: Requester) throws -> (count: Int, next: String?) {
        let query =
            "query Q($token: String) "
            + "{ listPosts(limit: \(Self.pageRows), nextToken: $token) { nextToken items { id title body owner } } }"
        let body = #"{"query":"\#(query)","variables":{"token":\#(token.map { #""\#($0)""# } ?? "null")}}"#
        guard case .response(let bytes) = engine.answer(Array(body.utf8), from: requester, on: shard) else {
            return (0, nil)
        }
        // `{"data":{"listPosts":{"nextToken":"…"`: reading all of it would cost more than the answer.
        let head = String(decoding: bytes.prefix(400), as: UTF8.self).split(separator: "\"")
        let place = head.firstIndex(of: "nextToken").map { $0 + 2 } ?? head.endIndex
        let next = head.indices.contains(place) && head[place - 1] == ":" ? String(head[place]) : nil
        return (bytes.count { $0 == UInt8(ascii: "{") } - 3, next)
    }
}
