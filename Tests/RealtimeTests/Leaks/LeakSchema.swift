import Access
import Blueprint
import JSON
import TestSupport

/// Random models with random rules, and who they let do what: a table that is slow and simple, and ours.
struct LeakSchema {
    enum Allowed: CaseIterable {
        case everybodyWithKey, poolUsers, oidcUsers, functions, signedIn, guests
        case admins, developers, oidcAdmins
        case owner, editors, author, team, teams

        var rule: String {
            switch self {
            case .everybodyWithKey: "allow: public"
            case .poolUsers: "allow: private"
            case .oidcUsers: "allow: private, provider: oidc"
            case .functions: "allow: custom"
            case .signedIn: "allow: private, provider: identityPool"
            case .guests: "allow: public, provider: identityPool"
            case .admins: #"allow: groups, groups: ["Admin"]"#
            case .developers: #"allow: groups, groups: ["Dev", "D\u{E9}v"]"#
            case .oidcAdmins: #"allow: groups, groups: ["Admin"], provider: oidc"#
            case .owner: "allow: owner"
            case .editors: #"allow: owner, ownerField: "editors""#
            case .author: #"allow: owner, ownerField: "author", identityClaim: "sub", provider: oidc"#
            case .team: #"allow: groups, groupsField: "team""#
            case .teams: #"allow: groups, groupsField: "teams""#
            }
        }

        /// The users of the same mode, all of whom it stands beside; nil where it stands for a mode itself.
        var mode: Allowed? {
            switch self {
            case .everybodyWithKey, .poolUsers, .oidcUsers, .functions, .signedIn, .guests: nil
            case .admins, .developers, .owner, .editors, .team, .teams: .poolUsers
            case .oidcAdmins, .author: .oidcUsers
            }
        }

        /// Whether it depends on the record who is allowed.
        var comparesRecords: Bool { [.owner, .editors, .author, .team, .teams].contains(self) }

        func matches(_ caller: LeakCaller, _ record: LeakRecord) -> Bool {
            switch self {
            case .everybodyWithKey: caller.mode == .apiKey
            case .poolUsers: caller.mode == .pool
            case .oidcUsers: caller.mode == .oidc
            case .functions: caller.mode == .function
            case .signedIn: caller.mode == .signedIn
            case .guests: caller.mode == .guest
            case .admins: caller.mode == .pool && caller.groups.contains("Admin")
            case .developers:
                caller.mode == .pool && (caller.groups.contains("Dev") || caller.groups.contains("D\u{E9}v"))
            case .oidcAdmins: caller.mode == .oidc && caller.groups.contains("Admin")
            case .owner: record.text("owner").map(caller.owns) ?? false
            case .editors: record.texts("editors").contains(where: caller.owns)
            case .author: caller.mode == .oidc && record.text("author") == caller.subject
            case .team: caller.mode == .pool && record.text("team").map(caller.groups.contains) ?? false
            case .teams: caller.mode == .pool && record.texts("teams").contains(where: caller.groups.contains)
            }
        }
    }

    struct Rule {
        let allowed: Allowed
        /// Nil: all of them.
        let operations: [String]?

        var text: String {
            "{\(allowed.rule)\(operations.map { ", operations: [\($0.joined(separator: ", "))]" } ?? "")}"
        }

        /// Whether it gives an operation; `read` stands for all that read.
        func gives(_ operation: String) -> Bool {
            guard let operations else { return true }
            return operations.contains(operation)
                || (operations.contains("read") && LeakSchema.reading.contains(operation))
        }
    }

    struct Model {
        let name: String
        let rules: [Rule]
        /// Rules on single fields: they take the place of the model's.
        let fieldRules: [String: [Rule]]

        /// The rules of a field.
        func rules(of field: String) -> [Rule] { fieldRules[field] ?? rules }

        /// Whether the caller has an operation on any field of the record.
        func allows(_ operations: [String], _ caller: LeakCaller, _ record: LeakRecord) -> Bool {
            (["id"] + fieldRules.keys).contains { field in
                rules(of: field).contains { rule in
                    operations.contains(where: rule.gives) && rule.allowed.matches(caller, record)
                }
            }
        }

        /// Whether a field is kept from some who may get records: mutations and events then show it to nobody. Who is one of all users
        /// of a mode does not count beside them.
        func isKept(_ field: String) -> Bool {
            let whole = rules(of: field).filter { rule in LeakSchema.reading.allSatisfy(rule.gives) }.map(\.allowed)
            return (rules + fieldRules.values.joined()).contains { rule in
                guard rule.gives("get"), !(rule.allowed.mode.map(whole.contains) ?? false) else { return false }
                return !rules(of: field).contains { other in
                    other.allowed == rule.allowed && LeakSchema.reading.contains(where: other.gives)
                }
            }
        }

        /// Whether the caller may read a field of the record by anything that reads.
        func mayRead(_ field: String, _ caller: LeakCaller, _ record: LeakRecord) -> Bool {
            rules(of: field).contains { rule in
                LeakSchema.reading.contains(where: rule.gives) && rule.allowed.matches(caller, record)
            }
        }
    }

    static let reading = ["get", "list", "search", "listen", "sync"]
    static let names = ["Ant", "Bee", "Cat"]
    /// What each record has: texts that nobody else has, and the fields that rules compare.
    static let secrets = ["s0", "s1", "s2", "many", "packed"]
    static let compared = ["owner", "editors", "author", "team", "teams"]
    static let crates = ["crate", "crates"]

    let models: [Model]
    /// Rules on a field of a type that is no model: each crate has a part that is everybody's and one that is not.
    let crateRules: [Rule]
    var hasRelations = true

    func model(_ name: String) -> Model { models.first { $0.name == name } ?? models[0] }

    static func random(using random: inout SeededRandom) -> LeakSchema {
        let choices: [[String]?] = [
            nil, nil, nil, ["read"], ["create", "read"], ["update", "read"], ["get"], ["list"], ["create", "update"],
            ["read", "delete"], ["search"], ["get", "list"], ["list", "listen"], ["create", "delete", "listen"],
            ["update"], ["update", "delete"], ["create"], ["listen"],
        ]
        let fieldChoices: [[String]?] = [nil, nil, ["read"], ["create", "read"], ["update"], ["create"]]
        func rules(_ choices: [[String]?], _ count: ClosedRange<Int>) -> [Rule] {
            let allowed = Allowed.allCases.shuffled(using: &random).prefix(Int.random(in: count, using: &random))
            return allowed.map {
                Rule(allowed: $0, operations: choices[Int.random(in: 0..<choices.count, using: &random)])
            }
        }
        return LeakSchema(
            models: names.map { name in
                var fieldRules: [String: [Rule]] = [:]
                for field in secrets where Int.random(in: 0..<4, using: &random) == 0 {
                    fieldRules[field] = rules(fieldChoices, 1...2)
                }
                return Model(name: name, rules: rules(choices, 1...4), fieldRules: fieldRules)
            },
            crateRules: Allowed.allCases.filter { !$0.comparesRecords }.shuffled(using: &random)
                .prefix(Int.random(in: 1...3, using: &random)).map { Rule(allowed: $0, operations: nil) })
    }

    /// Whether the caller may read the protected part of every crate that they see.
    func opensCrates(_ caller: LeakCaller) -> Bool {
        crateRules.contains { $0.allowed.matches(caller, LeakRecord(model: "", values: [:])) }
    }

    var text: String {
        let crate = """
            type Crate { c0: String c1: String @auth(rules: [\(crateRules.map(\.text).joined(separator: ", "))]) }

            """
        return crate
            + models.enumerated().map { place, model in
                func rule(_ field: String) -> String {
                    model.fieldRules[field].map { " @auth(rules: [\($0.map(\.text).joined(separator: ", "))])" } ?? ""
                }
                let (next, previous) = (Self.names[(place + 1) % 3], Self.names[(place + 2) % 3])
                return """
                    type \(model.name) @model @searchable @auth(rules: [\(model.rules.map(\.text).joined(separator: ", "))]) {
                      id: ID
                      s0: String\(rule("s0"))
                      s1: String\(rule("s1"))
                      s2: String\(rule("s2"))
                      many: [String]\(rule("many"))
                      packed: AWSJSON\(rule("packed"))
                      crate: Crate
                      crates: [Crate]
                      owner: String @index(name: "own\(model.name)", queryField: "\(model.name.lowercased())sByOwner")
                      editors: [String]
                      author: String
                      team: String
                      teams: [String]
                      upID: ID @index(name: "by\(previous)", sortKeyFields: ["s0"], queryField: "\(model.name.lowercased())sByUp")
                    \(hasRelations ? relations(of: model.name, next, previous) : "")
                    }
                    """
            }.joined(separator: "\n")
    }

    private func relations(of name: String, _ next: String, _ previous: String) -> String {
        """
          up: \(previous) @belongsTo(fields: ["upID"])
          downs: [\(next)] @hasMany(indexName: "by\(name)", fields: ["id"], limit: 5)
          alike: [\(next)] @hasMany(indexName: "own\(next)", fields: ["owner"], limit: 5)
        """
    }

    static func next(_ name: String) -> String { names[((names.firstIndex(of: name) ?? 0) + 1) % 3] }
    static func previous(_ name: String) -> String { names[((names.firstIndex(of: name) ?? 0) + 2) % 3] }

    static func plural(_ name: String) -> String { name + "s" }
}

/// A record whose texts are marks that nobody else has.
struct LeakRecord {
    let model: String
    var values: [String: JSONValue]

    var id: String { text("id") ?? "" }
    func text(_ field: String) -> String? { values[field]?.string }
    func texts(_ field: String) -> [String] { values[field]?.array?.compactMap(\.string) ?? [] }

    /// The record with owners as clients see them: what events are compared by, as in AppSync.
    var shown: LeakRecord {
        func name(_ owner: String) -> String { owner.split(separator: "::").last.map(String.init) ?? owner }
        var shown = self
        if let owner = text("owner") { shown.values["owner"] = .string(name(owner)) }
        shown.values["editors"] = .array(texts("editors").map { .string(name($0)) })
        return shown
    }

    /// The marks in a field; of crates, those that nothing protects beside the field itself.
    func marks(_ field: String) -> [String] { Self.marks(in: values[field], within: "c0") }

    /// The marks in the protected part of crates.
    func guardedMarks(_ field: String) -> [String] {
        LeakSchema.crates.contains(field) ? Self.marks(in: values[field], within: "c1") : []
    }

    private static func marks(in value: JSONValue?, within part: String) -> [String] {
        switch value {
        case .array(let elements)?: elements.flatMap { marks(in: $0, within: part) }
        case .object(let object)? where object["c0"] != nil: marks(in: object[part], within: part)
        case let value?: LeakMark.all(in: JSONWriter.bytes(of: value))
        case nil: []
        }
    }
}

/// A text that is found again wherever it turns up: `mk00000017`.
enum LeakMark {
    /// No number has so many digits: two letters and one digit stand in many a `nextToken`.
    private static let start = Array("mk00".utf8)
    private static let digits = 8

    static func text(_ number: Int) -> String {
        let text = String(number)
        return "mk" + String(repeating: "0", count: digits - text.count) + text
    }

    /// Everything in some bytes that is a mark, or looks like a part of one.
    static func all(in bytes: [UInt8]) -> [String] {
        var marks: [String] = []
        var place = 0
        while place + start.count <= bytes.count {
            guard bytes[place..<place + start.count].elementsEqual(start) else {
                place += 1
                continue
            }
            var end = place + start.count
            while end < bytes.count, end < place + 2 + digits, (48...57).contains(bytes[end]) { end += 1 }
            marks.append(String(decoding: bytes[place..<end], as: UTF8.self))
            place = end
        }
        return marks
    }
}
