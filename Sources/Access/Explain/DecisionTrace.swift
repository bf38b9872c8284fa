import JSON
import JSON
import Synchronization

/// Why something was allowed or denied: the rules that were considered, and what was compared with what.
///
/// It is written by the evaluator itself while it decides, never worked out a second time, so it cannot disagree. A
/// caller without a trace pays for one test of nil. It names values of records: it is for whoever runs the server.
package final class DecisionTrace: Sendable {
    /// A rule that was considered.
    package struct Step: Sendable {
        /// What was asked, such as `list Post` or `read Post.secret`.
        package let question: String
        /// The rule as a schema has it, or what else was asked.
        package let rule: String
        package let verdict: Verdict
        /// What was compared with what.
        package let reason: String
        /// The field of the record at hand that was compared; nil: none was.
        package let compared: Compared?

        package var isMet: Bool { verdict == .admits }
    }

    /// What a field of a record holds of those whom it lets in.
    package struct Compared: Sendable {
        package let field: String
        package let value: JSONValue
    }

    /// What a rule says of a caller.
    package enum Verdict: String, Sendable {
        case admits = "yes"
        case doesNotAdmit = "no"
        /// Records that meet a condition are the caller's.
        case dependsOnRecord = "if"
    }

    private struct State {
        var question = ""
        var steps: [Step] = []
    }

    /// Who is asking, in words.
    private let subject: String
    private let state = Mutex(State())

    package init(subject: String = "the caller") {
        self.subject = subject
    }

    /// Begins anew: what was asked is asked again.
    package func forget() { state.withLock { $0 = State() } }

    /// The steps so far, in their order.
    package var steps: [Step] { state.withLock { $0.steps } }

    /// What was denied, each as a block of lines: what was asked and by whom, then each rule with its reason.
    ///
    ///     update Post: denied for bob (Cognito User Pools)
    ///       no   {allow: private}  update is not among its operations
    ///       no   {allow: owner, ownerField: "author"}  the record's author is "ann", compared with ["bob"]
    package var lines: [String] {
        let blocks = questions
        let denials = blocks.filter(Self.isDenial)
        return (denials.isEmpty ? blocks : denials).flatMap { block in
            ["\(block.first?.question ?? ""): \(Self.isDenial(block) ? "denied for" : "asked by") \(subject)"]
                + block.map { step in
                    let verdict = step.verdict.rawValue
                    return
                        "  \(verdict)\(String(repeating: " ", count: 5 - verdict.utf8.count))\(step.rule)  \(step.reason)"
                }
        }
    }

    /// The steps by what was asked, in their order.
    package var questions: [[Step]] {
        var blocks: [[Step]] = []
        for step in steps {
            if let last = blocks.last?.last, last.question.utf8.elementsEqual(step.question.utf8) {
                blocks[blocks.count - 1].append(step)
            } else {
                blocks.append([step])
            }
        }
        return blocks
    }

    /// The questions that were answered with no.
    package var denials: [[Step]] { questions.filter(Self.isDenial) }

    /// What rules call the record that is at hand, in place of a rule.
    package static let record = "this record"

    /// A question about which no rule said yes. Where it depends on records, one that is at hand must have been compared, or an
    /// argument that says of all of them what they are.
    private static func isDenial(_ block: [Step]) -> Bool {
        guard !block.contains(where: \.isMet) else { return false }
        let isOpen = block.indices.contains { place in
            let step = block[place]
            guard step.verdict == .dependsOnRecord else { return false }
            return !block[place...].contains {
                $0.verdict == .doesNotAdmit && $0.rule.utf8.elementsEqual(step.rule.utf8)
            }
        }
        return !isOpen || block.contains { $0.rule.utf8.elementsEqual(record.utf8) }
    }

    /// What is asked from here on.
    package func begin(_ question: String) {
        state.withLock { $0.question = question }
    }

    /// Says of the record that is asked for that it is not there.
    package func noteMissing(_ what: String) {
        note(Self.record, .doesNotAdmit, what)
    }

    func note(_ rule: String, isMet: Bool, _ reason: String, comparing compared: Compared? = nil) {
        note(rule, isMet ? .admits : .doesNotAdmit, reason, comparing: compared)
    }

    func note(_ rule: String, _ verdict: Verdict, _ reason: String, comparing compared: Compared? = nil) {
        state.withLock { state in
            guard state.steps.count < AccessLimits.traceStepsMax else { return }
            state.steps.append(
                Step(question: state.question, rule: rule, verdict: verdict, reason: reason, compared: compared))
        }
    }
}
