import GraphQL
import Testing

@testable import Blueprint

@Suite("Time")
struct TimingTests {
    /// Sixty models with relations, indexes and rules, every other of ten fields.
    static let schema: String = (0..<30).map { number in
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
        """
            + part(of: number)
    }.joined(separator: "\n")

    private static func part(of number: Int) -> String {
        """

        type Part\(number) @model @auth(rules: [{ allow: owner }]) {
          id: ID!
          itemId: ID
          item: Item\(number) @belongsTo(references: ["itemId"])
          name: String
        }
        """
    }

    @Test("a schema of 60 models is read and its API made in well under 20 ms, when optimized")
    func isFast() throws {
        var settings = Settings()
        settings.defaultMode = .userPools
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<10 {
            times.append(
                try clock.measure {
                    let made = SchemaCheck(of: [Source(Self.schema)], settings: settings)
                    _ = try #require(made.api, "\(made.errors)")
                })
        }
        let best = try #require(times.min())
        print("a schema of 60 models: \(best) at best of \(times.count)")
        #if !DEBUG
            #expect(best < .milliseconds(20))
        #endif
    }
}
