import Testing

@testable import Blueprint

@Suite("Relations that events leave out")
struct RedactionTests {
    /// The rules of a parent and of the model that it relates to, and whether the relation is emptied in events.
    struct Row: Sendable, CustomTestStringConvertible {
        let parent: String
        let related: String
        let isEmptied: Bool
        /// The other direction, where it differs.
        var isEmptiedBack: Bool?

        var testDescription: String { "\(parent) → \(related)" }
    }

    private static let everyReadButOne = "{allow: private, operations: [get]}"
    private static let privateAndGroups = "{allow: private, provider: oidc}, {allow: groups, groupsField: \"g\""

    static let rows = [
        Row(parent: "{allow: private}", related: "{allow: private}", isEmptied: false),
        Row(parent: "{allow: public}", related: "{allow: public}", isEmptied: false),
        Row(
            parent: #"{allow: groups, groups: ["A"]}"#, related: #"{allow: groups, groups: ["A"]}"#, isEmptied: false),
        Row(
            parent: #"{allow: groups, groups: ["A", "B"]}"#, related: #"{allow: groups, groups: ["A"]}"#,
            isEmptied: true),
        Row(parent: "{allow: public}, {allow: private}", related: "{allow: private}", isEmptied: true),
        Row(parent: "{allow: public}, {allow: owner}", related: "{allow: public}, {allow: owner}", isEmptied: true),
        Row(parent: "{allow: owner}", related: "{allow: owner}", isEmptied: true),
        Row(parent: "{allow: private}", related: "{allow: owner}", isEmptied: true),
        Row(parent: "{allow: private}, {allow: owner}", related: "{allow: private}", isEmptied: false),
        Row(parent: "{allow: private}, {allow: owner}", related: "{allow: private}, {allow: owner}", isEmptied: false),
        Row(
            parent: #"{allow: groups, groupsField: "g"}"#, related: #"{allow: groups, groupsField: "g"}"#,
            isEmptied: true),
        Row(parent: "{allow: custom}", related: "{allow: custom}", isEmptied: true),
        Row(
            parent: privateAndGroups + ", provider: oidc}", related: privateAndGroups + ", provider: oidc}",
            isEmptied: false),
        Row(parent: privateAndGroups + "}", related: privateAndGroups + "}", isEmptied: true),
        Row(
            parent: #"{allow: private, provider: oidc}, {allow: groups, groups: ["A"], provider: oidc}"#,
            related: #"{allow: private, provider: oidc}, {allow: groups, groups: ["A"], provider: oidc}"#,
            isEmptied: false),
        Row(parent: "{allow: owner}", related: "{allow: owner, provider: oidc}", isEmptied: false),
        Row(parent: "{allow: owner}", related: #"{allow: owner, identityClaim: "ssn"}"#, isEmptied: false),
        Row(parent: "{allow: owner}", related: #"{allow: groups, groups: ["A"]}"#, isEmptied: false),
        Row(
            parent: "{allow: public, provider: iam}", related: "{allow: private, provider: iam}", isEmptied: false),
        Row(
            parent: "{allow: public, provider: identityPool}", related: "{allow: private, provider: identityPool}",
            isEmptied: true),
        Row(parent: "{allow: private}", related: #"{allow: groups, groups: ["A"]}"#, isEmptied: true),
        Row(parent: "{allow: public}", related: "{allow: private}", isEmptied: false),
        Row(
            parent: #"{allow: groups, groups: ["A", "B"]}"#,
            related: #"{allow: groups, groups: ["B"]}, {allow: groups, groups: ["A"]}"#, isEmptied: false),
        Row(
            parent: everyReadButOne + ", {allow: owner}", related: "{allow: private}", isEmptied: true,
            isEmptiedBack: false),
    ]

    private func redacted(
        _ parent: String, _ related: String, inherits: Bool = false, level: String = "on", field: String = "R"
    ) throws -> Bool {
        var settings = Settings()
        settings.additionalModes = [.iam, .oidc, .userPools, .lambda]
        settings.subscriptionsInheritPrimaryAuth = inherits
        let schema = """
            type P @model(subscriptions: {level: \(level)}) @auth(rules: [\(parent)]) {
              id: ID
              rId: ID\(field == "R!" ? "!" : "")
              r: \(field) @hasOne(fields: ["rId"])
              g: [String]
            }
            type R @model @auth(rules: [\(related)]) { id: ID g: [String] }
            """
        let blueprint = try #require(SDLReader.read(schema, settings: settings).blueprint)
        let relation = try #require(blueprint.model(named: "P")?.relation(named: "r"))
        return blueprint.isRedacted(relation)
    }

    @Test("as the rules of both models say", arguments: rows)
    func decides(row: Row) throws {
        #expect(try redacted(row.parent, row.related) == row.isEmptied)
        #expect(try redacted(row.related, row.parent) == row.isEmptiedBack ?? row.isEmptied)
    }

    @Test("never where the project says so, nor without rights by subscriber, nor where null is impossible")
    func isModified() throws {
        for row in Self.rows where row.isEmptied {
            #expect(try !redacted(row.parent, row.related, inherits: true))
            #expect(try !redacted(row.parent, row.related, level: "public"))
            #expect(try !redacted(row.parent, row.related, field: "R!"))
        }
    }
}
