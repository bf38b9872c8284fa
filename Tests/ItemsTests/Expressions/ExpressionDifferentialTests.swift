import JSON
import TestSupport
import Testing

@testable import Items

@Suite("Random expressions, evaluated twice")
struct ExpressionDifferentialTests {
    @Test("conditions hold for random items as a second evaluator says")
    func conditions() throws {
        let random = SeededRandom(test: "ExpressionDifferentialTests")
        var state = random
        var held = 0
        let rounds = Fuzz.rounds(ordinarily: 500)
        for _ in 0..<rounds {
            var made = RandomItems(SeededRandom(seed: state.next()))
            let condition = made.condition(depth: 3)
            var substitutions = try Substitutions(
                names: nil, values: made.values.isEmpty ? nil : .object(made.values))
            // Parentheses around parentheses are refused, and the text has none of those.
            let read = try substitutions.condition(condition.text)
            for _ in 0..<4 {
                let item = made.item()
                let holds = read.holds(for: try Item(json: item))
                held += holds ? 1 : 0
                #expect(
                    holds == condition.holds(item),
                    "\(condition.text) \(JSONWriter.text(of: .object(made.values))) \(JSONWriter.text(of: item))")
            }
        }
        #expect(held > rounds / 4 && held < rounds * 4, "some hold, and some do not")
    }

    @Test("updates change random items as a second evaluator does")
    func updates() throws {
        var state = SeededRandom(test: "ExpressionDifferentialTests")
        var applied = 0
        let rounds = Fuzz.rounds(ordinarily: 500)
        for _ in 0..<rounds {
            var made = RandomItems(SeededRandom(seed: state.next()))
            let item = made.item()
            var sets: [String] = []
            var removes: [String] = []
            var changes: [(path: [JSONValue], value: JSONValue?)] = []
            for _ in 0..<Int.random(in: 1...8, using: &made.random) {
                let path = made.path()
                let value: JSONValue? = made.chance(2) ? .some(made.value(depth: 1)) : .none
                // One that stands in the way of another one is left out here.
                let others = changes.map { Self.path($0.path) } + [Self.path(path)]
                guard DocumentPath.clash(among: others) == nil else { continue }
                changes.append((path, value))
                let text = RandomItems.text(of: path)
                if let value { sets.append("\(text) = \(made.key(of: value))") } else { removes.append(text) }
            }
            let text =
                (sets.isEmpty ? "" : "SET " + sets.joined(separator: ", "))
                + (removes.isEmpty ? "" : " REMOVE " + removes.joined(separator: ", "))
            var substitutions = try Substitutions(
                names: nil, values: made.values.isEmpty ? nil : .object(made.values))
            let update = try substitutions.update(text)
            let known = PlainItems.updated(item, changes)
            let updated = try? update.apply(to: Item(json: item), key: [:])?.json
            applied += updated == nil ? 0 : 1
            #expect(
                updated.map { PlainItems.canonical(["M": $0]) } == known.map { PlainItems.canonical(["M": $0]) },
                "\(text) \(JSONWriter.text(of: item))")
        }
        #expect(applied > rounds / 8 && applied < rounds)
    }

    private static func path(_ parts: [JSONValue]) -> DocumentPath {
        DocumentPath(
            parts[0].string ?? "",
            parts.dropFirst().map { part in part.string.map { .name($0) } ?? .index(Int(part.integer ?? 0)) })
    }
}
