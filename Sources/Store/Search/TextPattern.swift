/// A pattern that describes whole texts: a wildcard or a regular expression of Lucene.
///
/// It runs as an automaton that is in several states at a time: the time is bounded by the product of text and pattern,
/// whatever the pattern is.
struct TextPattern: Sendable {
    enum Step: Sendable, Equatable {
        case scalar(Unicode.Scalar)
        case any
        case among([ClosedRange<Unicode.Scalar>], isNegated: Bool)
        /// Goes on at both places.
        case fork(Int, Int)
        case jump(Int)
        case accept
        /// Nothing goes on from here.
        case fail
    }

    let steps: [Step]

    /// What SQLite keeps between rows.
    final class Kept: Sendable {
        let pattern: TextPattern
        init(_ pattern: TextPattern) { self.pattern = pattern }
    }

    /// `*` stands for any text, `?` for one character, and a backslash takes the meaning of what follows.
    init(wildcard text: String) throws(StoreError) {
        try Self.check(text)
        var steps: [Step] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped:
                // Another way to say the same would only cost time.
                if case .jump? = steps.last { continue }
                steps += [.fork(steps.count + 1, steps.count + 3), .any, .jump(steps.count)]
            case "?" where !isEscaped: steps.append(.any)
            default: steps.append(.scalar(scalar))
            }
            isEscaped = false
        }
        if isEscaped { steps.append(.scalar("\\")) }
        self.steps = steps + [.accept]
    }

    init(regexp text: String) throws(StoreError) {
        try Self.check(text)
        var parser = TextPatternParser(text)
        steps = try parser.steps() + [.accept]
    }

    private static func check(_ text: String) throws(StoreError) {
        guard text.utf8.count <= StoreLimits.patternBytesMax else {
            throw StoreError(.tooLarge, "a pattern has more than \(StoreLimits.patternBytesMax) bytes")
        }
    }

    /// Steps between two questions whether to go on.
    private static let stepsPerQuestion = 1_000

    /// Returns whether the pattern describes the whole text; nil when `allows`, which is told how many steps were taken, ends the
    /// search.
    func describes(_ text: String, allows: (Int) -> Bool) -> Bool? {
        var current = States(count: steps.count)
        var next = States(count: steps.count)
        var work = 0
        add(0, to: &current)
        for scalar in text.unicodeScalars {
            work += current.places.count + 1
            if work >= Self.stepsPerQuestion {
                guard allows(work) else { return nil }
                work = 0
            }
            next.removeAll()
            for place in current.places where steps[place].takes(scalar) { add(place + 1, to: &next) }
            if next.places.isEmpty {
                _ = allows(work)
                return false
            }
            swap(&current, &next)
        }
        _ = allows(work)
        return current.places.contains { steps[$0] == .accept }
    }

    /// Adds a place and all that can be reached from it without a character.
    private func add(_ place: Int, to states: inout States) {
        switch steps[place] {
        case .fork, .jump: break
        default:
            _ = states.insert(place)
            return
        }
        var waiting = [place]
        while let place = waiting.popLast() {
            guard states.insert(place) else { continue }
            switch steps[place] {
            case .fork(let one, let other): waiting += [other, one]
            case .jump(let to): waiting.append(to)
            default: break
            }
        }
    }

    /// A set of places in the order in which they came.
    private struct States {
        private(set) var places: [Int] = []
        private var isIn: [Bool]

        init(count: Int) { isIn = Array(repeating: false, count: count) }

        mutating func insert(_ place: Int) -> Bool {
            guard isIn.indices.contains(place), !isIn[place] else { return false }
            isIn[place] = true
            places.append(place)
            return true
        }

        mutating func removeAll() {
            for place in places { isIn[place] = false }
            places.removeAll(keepingCapacity: true)
        }
    }
}

extension TextPattern.Step {
    fileprivate func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .scalar(let wanted): wanted == scalar
        case .any: true
        case .among(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
        case .fork, .jump, .accept, .fail: false
        }
    }
}
