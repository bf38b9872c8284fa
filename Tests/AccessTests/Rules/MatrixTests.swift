import Blueprint
import JSON
import Testing

@testable import Access

/// Every kind of rule, for every operation, asked by every caller about their own records and others'.
@Suite("The matrix of rules")
struct MatrixTests {
    /// What a rule gives a caller, as a person reads the documentation: written down here, not computed.
    enum Gives: Sendable {
        case everything
        /// Records whose owner, or group, they are.
        case theirs
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let rule: String
        /// Who gets anything at all; everybody else, but administrators, gets nothing.
        let gives: [String: Gives]
        /// A record for each caller to whom one belongs; everybody is asked about all of them.
        var records: [String: String] = [:]

        var testDescription: String { rule }
    }

    static let kinds = [
        Kind(rule: "allow: public", gives: ["apiKey": .everything]),
        Kind(rule: "allow: public, provider: apiKey", gives: ["apiKey": .everything]),
        Kind(rule: "allow: public, provider: identityPool", gives: ["guest": .everything]),
        Kind(rule: "allow: public, provider: iam", gives: ["guest": .everything]),
        Kind(rule: "allow: private", gives: ["alice": .everything, "bob": .everything, "carol": .everything]),
        Kind(rule: "allow: private, provider: oidc", gives: ["ann": .everything, "ben": .everything]),
        Kind(rule: "allow: private, provider: identityPool", gives: ["signedIn": .everything]),
        Kind(rule: "allow: private, provider: iam", gives: ["signedIn": .everything]),
        Kind(rule: #"allow: groups, groups: ["Admin", "Root"]"#, gives: ["alice": .everything]),
        Kind(rule: #"allow: groups, groups: ["Adm", "admin"]"#, gives: [:]),
        Kind(rule: #"allow: groups, groups: ["Admin"], provider: oidc"#, gives: ["ann": .everything]),
        Kind(rule: "allow: custom", gives: ["function": .everything]),
        Kind(
            rule: "allow: owner", gives: ["alice": .theirs, "bob": .theirs, "carol": .theirs],
            records: [
                "alice": #"{"owner": "sub-alice::alice"}"#, "bob": #"{"owner": "bob"}"#,
                "carol": #"{"owner": "carol"}"#, "": #"{"owner": "sub-bob::zoe"}"#,
            ]),
        Kind(
            rule: "allow: owner, ownerField: \"editors\"",
            gives: ["alice": .theirs, "bob": .theirs, "carol": .theirs],
            records: [
                "alice": #"{"editors": ["x", "sub-alice::alice"]}"#, "bob": #"{"editors": ["bob"]}"#,
                "": #"{"editors": []}"#,
            ]),
        Kind(
            rule: "allow: owner, ownerField: \"author\", identityClaim: \"sub\", provider: oidc",
            gives: ["ann": .theirs, "ben": .theirs],
            records: [
                "ann": #"{"author": "sub-ann"}"#, "ben": #"{"author": "sub-ben"}"#, "": #"{"author": null}"#,
            ]),
        Kind(
            rule: "allow: groups, groupsField: \"team\"", gives: ["alice": .theirs, "bob": .theirs],
            records: [
                "alice": #"{"team": "Admin"}"#, "bob": #"{"team": "Devs"}"#, "": #"{"team": "Admins"}"#,
            ]),
        Kind(
            rule: "allow: groups, groupsField: \"teams\"", gives: ["alice": .theirs, "bob": .theirs],
            records: ["alice": #"{"teams": ["x", "Admin"]}"#, "bob": #"{"teams": ["Devs"]}"#, "": #"{"teams": null}"#]),
        Kind(
            rule: "allow: groups, groupsField: \"teams\", provider: oidc", gives: ["ann": .theirs],
            records: ["ann": #"{"teams": ["Admin"]}"#, "": #"{"teams": ["Devs"]}"#]),
    ]

    static let operations = ["create", "update", "delete", "get", "list", "sync", "search", "listen"]

    /// A question with the answer that must be given.
    struct Cell {
        let caller: String
        let identity: Identity
        let operation: String
        let granted: String
        let record: JSONObject
        let isAllowed: Bool
    }

    private func cells(_ kind: Kind) throws -> [Cell] {
        var cells: [Cell] = []
        for (name, identity) in Callers.all {
            for (owner, record) in kind.records.isEmpty ? ["": "{}"] : kind.records {
                for granted in Self.operations {
                    for operation in Self.operations {
                        let gives: Bool =
                            switch kind.gives[name] {
                            case nil: false
                            case .everything?: true
                            case .theirs?: owner == name
                            }
                        cells.append(
                            Cell(
                                caller: name, identity: identity, operation: operation, granted: granted,
                                record: try object(record),
                                isAllowed: name == "administrator" || (gives && granted == operation)))
                    }
                }
            }
        }
        // Denials first: a policy that allows everything must fail at once.
        return cells.filter { !$0.isAllowed } + cells.filter(\.isAllowed)
    }

    @Test("every cell is as the table says, denials first", arguments: kinds)
    func decides(kind: Kind) throws {
        var policies: [String: TestPolicy] = [:]
        for operation in Self.operations {
            policies[operation] = try TestPolicy(
                """
                type Post @model @searchable @auth(rules: [{\(kind.rule), operations: [\(operation)]}]) {
                  id: ID! title: String author: String editors: [String] team: String teams: [String]
                }
                """)
        }
        let cells = try cells(kind)
        for cell in cells {
            let test = try #require(policies[cell.granted])
            let isAllowed = try ask(cell, test)
            #expect(
                isAllowed == cell.isAllowed,
                "\(cell.caller) may \(cell.operation) \(cell.record) where \(cell.granted) is granted")
        }
        #expect(cells.count >= Callers.all.count * 64)
    }

    private func ask(_ cell: Cell, _ test: TestPolicy) throws -> Bool {
        let model = try test.model("Post")
        let caller = test.policy.caller(cell.identity)
        let record = { (field: String) in cell.record[field] }
        switch cell.operation {
        case "create":
            if case .allow = model.create.outcome(for: caller, input: cell.record) { return true }
            return false
        case "update":
            return model.update.decision(for: caller, input: try object(#"{"title": "t"}"#), record: record) == .allow
        case "delete": return model.delete.decision(for: caller, record: record) == .allow
        case "get": return model.get.decision(for: caller).admits(record)
        case "list": return model.list.decision(for: caller).admits(record)
        case "sync": return model.sync.decision(for: caller).admits(record)
        case "search": return model.search.decision(for: caller).admits(record)
        default:
            guard
                case .start(let filter, _) = model.listen.outcome(
                    for: caller, hasClientFilter: false, argument: { _ in nil })
            else { return false }
            // An event shows owners as clients see them.
            return filter?.isMet { field in
                let value = cell.record[field]
                return model.shortenedOwners.contains(field) ? value.map { OwnerText.shown($0) } : value
            } ?? true
        }
    }
}
