import JSON
import Synchronization

/// Why something was allowed or denied: the rules that were considered, and what was compared with what.
///
/// It is written by the evaluator itself while it decides, never worked out a second time, so it cannot disagree. A
/// caller without a trace pays for one test of nil. It names values of records: it is for whoever runs the server.
package final class DecisionTrace: Sendable {
    /// A rule that was considered.
    package struct Step: Sendable, Equatable {
        /// What was asked, such as `list Post` or `read Post.secret`.
        package let question: String
        /// The role that a rule stands for, by its name, or what else was asked.
        package let rule: String
        package let isMet: Bool
        /// What was compared with what.
        package let reason: String
    }

    private struct State {
        var question = ""
        var steps: [Step] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The steps so far, in their order.
    package var steps: [Step] { state.withLock { $0.steps } }

    /// The steps as lines of a log.
    package var lines: [String] {
        steps.map { "\($0.question): \($0.rule) \($0.isMet ? "admits" : "does not admit"): \($0.reason)" }
    }

    func begin(_ question: String) {
        state.withLock { $0.question = question }
    }

    func note(_ rule: String, isMet: Bool, _ reason: String) {
        state.withLock { state in
            guard state.steps.count < AccessLimits.traceStepsMax else { return }
            state.steps.append(Step(question: state.question, rule: rule, isMet: isMet, reason: reason))
        }
    }
}
