import GraphQL
import Testing

@testable import Blueprint

@Suite("Time", .serialized)
struct TimingTests {
    /// Models with relations, indexes and rules: every other one has ten fields, the others are their parts.
    private static func schema(models: Int) -> String {
        (0..<models / 2).map { number in
            """
            type Item\(number) @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Admin"] }]) {
              id: ID!
              title: String!
              body: String
              status: Status\(number)
              score: Int @validate(type: gt, value: "0")
              createdAt: AWSDateTime!
              place: Place\(number)
              parts: [Part\(number)] @hasMany(references: ["itemId"])
              kind: String! @index(name: "byKind", sortKeyFields: ["createdAt"], queryField: "item\(number)ByKind")
              tags: [String]
            }
            type Place\(number) { latitude: Float! longitude: Float! }
            enum Status\(number) { DRAFT PUBLISHED }
            type Part\(number) @model @auth(rules: [{ allow: owner }]) {
              id: ID!
              itemId: ID
              item: Item\(number) @belongsTo(references: ["itemId"])
              name: String
            }
            """
        }.joined(separator: "\n")
    }

    private func bestTime(models: Int, of tries: Int) throws -> Duration {
        var settings = Settings()
        settings.defaultMode = .userPools
        let source = Source(Self.schema(models: models))
        var best = Duration.seconds(1000)
        for _ in 0..<tries {
            let time = try ContinuousClock().measure {
                let made = SchemaCheck(of: [source], settings: settings)
                _ = try #require(made.api, "\(made.errors)")
            }
            best = min(best, time)
        }
        print("\(models) models read and their API made: \(best)")
        return best
    }

    // Only optimized code is judged: `swift test -c release -Xswiftc -enable-testing`.
    #if !DEBUG
        @Test("a schema of 30 models is read and its API made in well under 20 ms")
        func isFast() throws {
            #expect(try bestTime(models: 30, of: 20) < .milliseconds(20))
        }

        @Test("ten times as many models take no more than some ten times as long")
        func growsLinearly() throws {
            let few = try bestTime(models: 60, of: 10)
            #expect(try bestTime(models: 600, of: 5) < few * 30)
        }
    #else
        @Test("a schema of many models is read")
        func isRead() throws {
            _ = try bestTime(models: 60, of: 1)
        }
    #endif
}
