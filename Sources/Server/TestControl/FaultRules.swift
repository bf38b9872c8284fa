import JSON
import Realtime
import Synchronization

/// The rules by which requests fail, and how often each was met.
final class FaultRules: Sendable {
    private struct Entry: Sendable {
        let number: Int64
        let rule: FaultRule
        /// How many requests have fitted, and with how many of them something happened.
        var met = 0
        var applied = 0
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var last: Int64 = 0
    }

    private let state = Mutex(State())

    /// Adds rules, all or none.
    func add(_ rules: [FaultRule]) throws(ErrorAnswer) {
        let fits = state.withLock { state in
            guard state.entries.count + rules.count <= TestControlLimits.rulesMax else { return false }
            for rule in rules {
                state.last += 1
                state.entries.append(Entry(number: state.last, rule: rule))
            }
            return true
        }
        guard fits else {
            throw .test(
                "There may be \(TestControlLimits.rulesMax) rules: remove some with DELETE \(TestPlace.folder)/faults.")
        }
    }

    func removeAll() -> Int {
        state.withLock { state in
            defer { state.entries = [] }
            return state.entries.count
        }
    }

    /// Decides on a request, by the first rule whose turn it is. It counts for all that fit.
    func fault(for subject: FaultSubject) -> FaultRule? {
        first { !$0.isForFrames && $0.fits(subject) }
    }

    /// Decides on a frame.
    func fault(frame type: String) -> FrameFault? {
        guard let rule = first(where: { $0.fits(frame: type) }) else { return nil }
        if case .lose = rule.outcome { return .lose }
        return .delay(milliseconds: rule.delayMilliseconds)
    }

    private func first(where fits: (FaultPattern) -> Bool) -> FaultRule? {
        state.withLock { state in
            var found: FaultRule?
            for index in state.entries.indices where fits(state.entries[index].rule.pattern) {
                state.entries[index].met += 1
                let entry = state.entries[index]
                guard found == nil, entry.rule.turns.contains(entry.met) else { continue }
                state.entries[index].applied += 1
                found = entry.rule
            }
            return found
        }
    }

    var json: JSONValue {
        let entries = state.withLock { $0.entries }
        return [
            "rules": .array(
                entries.map { entry in
                    var rule = JSONObject([("id", .integer(entry.number))])
                    for member in entry.rule.json { rule.set(member.key, to: member.value) }
                    rule.set("met", to: .integer(Int64(entry.met)))
                    rule.set("applied", to: .integer(Int64(entry.applied)))
                    return .object(rule)
                })
        ]
    }
}
