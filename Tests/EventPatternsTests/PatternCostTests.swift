import JSON
import TestSupport
import Testing

@testable import EventPatterns

/// What patterns look at is counted: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("What patterns look at is counted")
struct PatternCostTests {
    private static let long = String(repeating: "a", count: 200_000)

    /// The worst test of a name, and what it is asked about.
    private static func worst(_ name: ValueTest.Name) -> (test: JSONValue, value: JSONValue) {
        let text = String(repeating: "a", count: 1_000)
        return switch name {
        case .prefix: (["prefix": .string(long)], .string(long))
        case .suffix: (["suffix": .string("b" + long.dropFirst())], .string(long))
        case .wildcard: (["wildcard": .string("*\(text)b*")], .string(long))
        case .exists: (["exists": true], .string(long))
        case .cidr: (["cidr": "2001:db8::/32"], .string(long))
        case .numeric: (["numeric": [">", 1, "<", 2]], 1.5)
        case .sameLetters: (["equals-ignore-case": .string("b" + long.dropFirst())], .string(long))
        case .anythingBut: (["anything-but": ["wildcard": .string("*\(text)b*")]], .string(long))
        }
    }

    /// A step is about five nanoseconds. A build that checks everything takes five times as long for what is Swift's code alone as for the
    /// mixture that `HeldTime` goes by.
    private static let stepNanoseconds: Double = HeldTime.factor > 1 ? 25 : 5

    /// What is counted is no less than a third of what is done.
    @Test("of every name", arguments: ValueTest.Name.allCases)
    func names(_ name: ValueTest.Name) throws {
        let (wanted, value) = Self.worst(name)
        let test = try ValueTest(wanted)
        var (taken, told) = (Double.infinity, 0.0)
        // Others disturb: what takes too long is looked at once more.
        for _ in 0..<10 where taken >= 3 * told + 0.5 {
            let steps = MatchingSteps(.max)
            taken = try HeldTime.milliseconds(tries: 1) { _ = try test.matches(value, steps) }
            told = Double(steps.used) * Self.stepNanoseconds / 1_000_000
        }
        #expect(taken < 3 * told + 0.5, "\(name) takes \(taken) ms, and \(told) ms are counted")
    }

    /// Events whose names lead into each other: as many objects, members or elements as come together one by one.
    private static let pointed: [String: JSONValue] = [
        "members": object((0..<20_000).map { ("a.b\($0)", 1) }),
        "elements": ["a": list(2_000), "b": .object(JSONObject([("a", list(20_000)), ("a.b", 1)]))],
        "depth": object((0..<2_000).map { ("a.b.c.d.e.f.g.h.i.j.k\($0)", 1) }),
        "names": object((0..<20_000).map { ("\($0)" + String(repeating: "x", count: 40), 1) }),
        "long": object([(String(repeating: "x", count: 1_000_000), 1), ("a.b", 1)]),
        "points": object([(String(repeating: ".", count: 1_000_000), 1)]),
    ]

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue { .object(JSONObject(members)) }

    private static func list(_ count: Int) -> JSONValue { .array((0..<count).map { .integer(Int64($0)) }) }

    @Test("and of names with points", arguments: pointed.keys.sorted { $0 < $1 })
    func points(_ name: String) throws {
        let event = try #require(Self.pointed[name])
        var (taken, told) = (Double.infinity, 0.0)
        for _ in 0..<10 where taken >= 3 * told + 0.5 {
            let steps = MatchingSteps(EventPatternLimits.stepsMax)
            taken = HeldTime.milliseconds(tries: 1) {
                do throws(EventPatternError) { _ = try EventSubject(event, steps) } catch {
                    #expect(steps.isSpent, "\(error)")
                }
            }
            told = Double(steps.used) * Self.stepNanoseconds / 1_000_000
        }
        #expect(taken < 3 * told + 0.5, "\(name) takes \(taken) ms, and \(told) ms are counted")
        #expect(taken < 2_000, "\(name) takes \(taken) ms")
    }

    @Test("and a loop is held by none")
    func loops() async throws {
        let tests = (0..<900).map { #"{"wildcard": "*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\#($0)*"}"# }.joined(separator: ",")
        let values = (0..<500).map { _ in #""\#(String(repeating: "a", count: 100))""# }.joined(separator: ",")
        let wanted = try JSONReader.value(of: #"{"detail": {"a": [\#(tests)]}}"#)
        let event = try JSONReader.value(of: #"{"detail": {"a": [\#(values)]}}"#)
        // Where a build checks everything, the steps that a loop has time for take longer than the mixture that times are divided by.
        let pattern = try EventPattern(wanted)
        let allowed = HeldTime.milliseconds {
            let steps = MatchingSteps(EventPatternLimits.loopSteps)
            #expect(throws: EventPatternError.self) { try pattern.matches(event, steps) }
            #expect(steps.isSpent)
        }
        let most = max(5, 2 * allowed)
        let loop = HeldLoop()
        var held = Double.infinity
        // Others disturb: what takes too long is looked at once more.
        for _ in 0..<10 where held >= most {
            held = await loop.longestPiece {
                _ = try? await MatchingSteps.work { steps throws(EventPatternError) in
                    try EventPattern(wanted).matches(event, steps)
                }
            }
        }
        #expect(held < most, "a pattern holds a loop for \(held) ms")
    }

    @Test("and what looks at too much ends")
    func bound() throws {
        let pattern = try EventPattern(["a": [["wildcard": .string("*" + String(repeating: "a", count: 1_000) + "b*")]]]
        )
        let steps = MatchingSteps(10_000)
        #expect(throws: EventPatternError.self) { try pattern.matches(["a": [.string(Self.long)]], steps) }
        #expect(steps.isSpent)
    }
}
