// EventPatterns: the language in which rules say which events they look for. This is the room's front page.
//
//     text ─▶ JSON ─▶ EventPattern(rules of a service) ─▶ matches(event, steps) ─▶ yes or no
//
// EventBridge, the filter policies of SNS and the event filters of Lambda speak this language, and differ in the tests that they
// accept: `PatternRules` says which.
//
// - `EventPattern` is a pattern: objects in the form of the event, with lists of tests.
// - `ValueTest` is one test of a value: `{"prefix": "a"}`.
// - `EventSubject` is an event as patterns see it.
// - `MatchingSteps` counts what patterns look at, and ends what takes too long.
// - `EventPatternLimits` has the bounds.
//
// What must stay true: a pattern with a test that its service does not accept is refused with a message that names the test; every
// look at an event is counted.

import JSON

/// The tests that a service accepts in its patterns.
package struct PatternRules: Sendable {
    /// The service's name in messages.
    package let service: String
    let tests: [ValueTest.Name]
    /// The tests that may stand within `anything-but`.
    let negated: [ValueTest.Name]
    /// True if `prefix` and `suffix` take `{"equals-ignore-case": TEXT}`.
    let ignoresCaseWithin: Bool

    /// The rules of EventBridge's buses.
    package static let eventBridge = PatternRules(
        service: "EventBridge", tests: ValueTest.Name.allCases, negated: [.prefix, .suffix, .sameLetters, .wildcard],
        ignoresCaseWithin: true)

    /// The filter policies of SNS.
    package static let notices = PatternRules(
        service: "SNS", tests: ValueTest.Name.allCases, negated: [.prefix],
        ignoresCaseWithin: true)

    /// The event filters of Lambda, which read streams and queues.
    package static let lambdaFilters = PatternRules(
        service: "Lambda's event filters",
        tests: [.prefix, .suffix, .exists, .numeric, .sameLetters, .anythingBut],
        negated: [.prefix, .suffix, .sameLetters], ignoresCaseWithin: false)
}

/// The bounds of patterns and of what they look at.
package enum EventPatternLimits {
    package static let nestingMax = 16
    package static let leavesMax = 1_000
    static let wildcardBytesMax = 1_024
    /// The stars of a wildcard whose texts between stars repeat.
    static let repeatedStarsMax = 5
    /// A longer text is no address of a network.
    static let addressBytesMax = 64
    static let numbers: ClosedRange<Double> = -5e9...5e9
    /// The steps of one call on a loop: some two milliseconds.
    package static let loopSteps = 400_000
    /// The steps of one call altogether: about half a second.
    package static let stepsMax = 100_000_000
}

/// A pattern that is refused, or one that takes too long for an event.
package struct EventPatternError: Error, Sendable, Equatable {
    package let reason: String
    /// The pattern is right, and the event would take too many steps.
    package let isOfTime: Bool

    package init(_ reason: String, isOfTime: Bool = false) { (self.reason, self.isOfTime) = (reason, isOfTime) }

    package static func == (left: EventPatternError, right: EventPatternError) -> Bool {
        left.reason == right.reason && left.isOfTime == right.isOfTime
    }
}
