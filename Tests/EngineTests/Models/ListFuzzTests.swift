import JSON
import Store
import TestSupport
import Testing

@testable import Engine

/// Lists, index queries and relations against a second implementation that is slow and simple.
@Suite("Pages of records, at random")
struct ListFuzzTests {
    private static let questionsOfSchema = 50

    /// Two engines over the same things, one for each meaning of `limit`.
    private struct Library {
        let schema: PlainSchema
        var things: [PlainThing]
        let homes: Set<String>
        let appsync: TestEngine
        let filled: TestEngine

        init(using random: inout SeededRandom) async throws {
            let schema = PlainSchema.random(using: &random)
            var things: [PlainThing] = []
            var keys: Set<String> = []
            for number in 0..<Int.random(in: 0...40, using: &random) {
                let thing = PlainThing.random(number, schema, using: &random)
                let key = [schema.primary.partition] + schema.primary.sort
                // One record a key.
                guard keys.insert(JSONValue.array(key.map { thing.values[$0] ?? .null }).text).inserted else {
                    continue
                }
                things.append(thing)
            }
            self.schema = schema
            self.things = things
            appsync = try TestEngine(schema.text)
            filled = try TestEngine(sharing: appsync) { $0.semantics = .filled }
            try await appsync.create("Thing", things.map { $0.input(schema) })
            homes = Set(things.compactMap { $0.values["homeID"]?.string }).union(["nobody's"])
            try await appsync.create("Home", homes.sorted().map { JSONObject([("id", .string($0))]) })
        }

        /// The connection that a question gets, and the whole response.
        func ask(
            _ question: PlainQuestion, _ fields: [String], token: String?, isFilled: Bool,
            using random: inout SeededRandom
        ) async throws -> (connection: JSONValue?, response: JSONValue, document: String) {
            let (query, variables) = question.document(selecting: fields, token: token, schema, using: &random)
            let response = try await (isFilled ? filled : appsync).value(query, variables)
            let data = response["data"]
            let isRelation = if case .relation = question.source { true } else { false }
            let place = isRelation ? data?["home"] : data
            return (place?["page"], response, "\(query) \(JSONValue.object(variables).text)\n\(schema.text)")
        }

        func limitOrdinarily(_ question: PlainQuestion) -> Int {
            if case .relation = question.source { schema.relationLimit } else { 100 }
        }
    }

    @Test("hold what a plain evaluation of the specification finds, page after page, whatever `limit` counts")
    func pages() async throws {
        var random = SeededRandom(test: "ListFuzzTests")
        let rounds = Fuzz.rounds(ordinarily: 800)
        var library = try await Library(using: &random)
        var found = 0
        // Few rounds may meet libraries with nothing in them: it goes on, with others, until enough was compared.
        for round in 0..<rounds + 100 where round < rounds || found <= rounds / 2 {
            if round % Self.questionsOfSchema == Self.questionsOfSchema - 1 || round >= rounds {
                library = try await Library(using: &random)
            }
            let question = PlainQuestion.random(library.schema, library.things, using: &random)
            found += try await check(question, library, isFilled: Bool.random(using: &random), using: &random)
        }
        // Nothing is compared where nothing is found.
        #expect(found > rounds / 2)
    }

    /// Walks all pages of a question; answers how many records there were.
    private func check(
        _ question: PlainQuestion, _ library: Library, isFilled: Bool, using random: inout SeededRandom
    ) async throws -> Int {
        let fields =
            library.schema.fields.map(\.name).filter { _ in Int.random(in: 0..<4, using: &random) == 0 } + ["id"]
        var (token, start, count): (String?, Int, Int) = (nil, 0, 0)
        for _ in 0..<60 {
            let (connection, response, document) = try await library.ask(
                question, fields, token: token, isFilled: isFilled, using: &random)
            guard
                let page = question.page(
                    of: library.things, from: start, isFilled: isFilled,
                    limitOrdinarily: library.limitOrdinarily(question))
            else {
                #expect(
                    connection == .null && response.errorTypes == ["DynamoDB:DynamoDbException"],
                    "\(document)\n\(response.text)")
                return count
            }
            let expected = page.items.map { Self.normal($0.shown(fields, library.schema)) }
            let items = connection?["items"]?.array?.map(Self.normal)
            guard response["errors"] == nil, items == expected,
                (connection?["nextToken"]?.string == nil) == (page.next == nil)
            else {
                Issue.record(
                    "\(document)\nfilled: \(isFilled)\nexpected: \(JSONValue.array(expected).text) and \(page.next == nil ? "no" : "a") token\nfound: \(response.text)"
                )
                return count
            }
            count += expected.count
            guard let next = page.next else { return count }
            (token, start) = (connection?["nextToken"]?.string, next)
        }
        Issue.record("the pages do not end")
        return count
    }

    /// 1.0 and 1 are the same number, and the members of an object have no order.
    private static func normal(_ value: JSONValue) -> JSONValue {
        switch value {
        case .double(let double): Int64(exactly: double).map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map(normal))
        case .object(let object): .object(JSONObject(object.members.map { ($0.key, normal($0.value)) }))
        default: value
        }
    }

    @Test("of a relation are those of each parent, however many are asked for at once")
    func relations() async throws {
        var random = SeededRandom(test: "ListFuzzTests")
        var library = try await Library(using: &random)
        for round in 0..<Fuzz.rounds(ordinarily: 200) {
            if round % 20 == 19 { library = try await Library(using: &random) }
            var question = PlainQuestion.random(library.schema, library.things, using: &random)
            while question.home == nil {
                question = PlainQuestion.random(library.schema, library.things, using: &random)
            }
            let isFilled = Bool.random(using: &random)
            let (query, variables) = question.document(
                selecting: ["id", "home { id }"], token: nil, library.schema, using: &random)
            let every = query.replacing(#/home: getHome\(id: "[^)]*"\) \{(.*)\} \}$/#) {
                "homes: listHomes(limit: 1000) { items { id \($0.output.1) } } }"
            }
            let response = try await (isFilled ? library.filled : library.appsync).value(every, variables)
            let homes = response[path: "data", "homes", "items"]?.array ?? []
            #expect(homes.count == library.homes.count, "\(every) \(response.text)")
            for home in homes {
                let id = home["id"]?.string ?? ""
                let page = question.under(home: id).page(
                    of: library.things, from: 0, isFilled: isFilled, limitOrdinarily: library.schema.relationLimit)
                let expected = page?.items.map { ["id": .string($0.id), "home": ["id": .string(id)]] as JSONValue }
                #expect(
                    home["page"]?["items"]?.array == expected,
                    "\(every) \(JSONValue.object(variables).text) \(home.text)")
            }
        }
    }

    @Test("lead to every record once, while others are made, changed and deleted")
    func walks() async throws {
        var random = SeededRandom(test: "ListFuzzTests")
        for round in 0..<Fuzz.rounds(ordinarily: 30) {
            let library = try await Library(using: &random)
            var question = PlainQuestion.random(library.schema, library.things, using: &random)
            question = PlainQuestion(
                source: question.source, condition: nil, isDescending: question.isDescending, filter: nil,
                limit: Int.random(in: 1...5, using: &random))
            let isFilled = Bool.random(using: &random)
            let old = question.sequence(of: library.things).map(\.id)
            var (seen, token): ([String], String?) = ([], nil)
            for step in 0..<100 {
                let (connection, response, document) = try await library.ask(
                    question, ["id"], token: token, isFilled: isFilled, using: &random)
                let items = try #require(connection?["items"]?.array, "\(document) \(response.text)")
                seen += items.compactMap { $0["id"]?.string }
                token = connection?["nextToken"]?.string
                guard token != nil else { break }
                // A few only: a walk of one record a page would be overtaken by one new record a page.
                if step < 5 { try await disturb(library, seen, "new\(round)-\(step)", using: &random) }
            }
            #expect(token == nil)
            #expect(Set(seen).count == seen.count)
            #expect(seen.filter { !$0.hasPrefix("new") } == old)
        }
    }

    /// Makes a record, changes one, and deletes one that the walk has seen.
    private func disturb(
        _ library: Library, _ seen: [String], _ id: String, using random: inout SeededRandom
    ) async throws {
        let schema = library.schema
        var values = PlainThing.random(0, schema, using: &random).values
        values["id"] = .string(id)
        values["homeID"] = library.things.randomElement(using: &random)?.values["homeID"]
        let made = PlainThing(values: values).input(schema)
        let key = [schema.primary.partition] + schema.primary.sort
        var variables = JSONObject([("new", .object(made))])
        var text = "a: createThing(input: $new) { id }"
        var declared = "$new: CreateThingInput!"
        if let changed = library.things.randomElement(using: &random), !seen.contains(changed.id) {
            variables["changed"] = .object(
                JSONObject(key.map { ($0, changed.values[$0] ?? .null) } + [("one0", .string("changed"))]))
            text += " b: updateThing(input: $changed) { id }"
            declared += ", $changed: UpdateThingInput!"
        }
        if let gone = library.things.filter({ seen.contains($0.id) }).randomElement(using: &random) {
            variables["gone"] = .object(JSONObject(key.map { ($0, gone.values[$0] ?? .null) }))
            text += " c: deleteThing(input: $gone) { id }"
            declared += ", $gone: DeleteThingInput!"
        }
        _ = try await library.appsync.value("mutation (\(declared)) { \(text) }", variables)
    }
}
