import JSON

/// JSONata: the query and transformation language of docs.jsonata.org, as state machines use it. This is the room's front page.
///
///     text ─▶ Lexer ─▶ Parser ─▶ TreeBuilder ─▶ Node (a tree that never changes) ─▶ JSONataEvaluation ─▶ Value ─▶ JSON
///                                                                 variables, time, chance ──┘
///
/// - `Syntax/` is the text of an expression, and the tree it becomes.
/// - `Values/` is what expressions work on: JSON, functions, and lists that may be one value.
/// - `Running/` evaluates a tree.
/// - `Functions/` is the library.
///
/// What must stay true: no expression and no data make an evaluation long, deep or large. `JSONataLimits` names each bound; the evaluator
/// counts its steps, its depth, the bytes that it makes and how deep values are nested. An evaluation leaves nothing behind: functions and
/// the variables around them may know each other, and `JSONataEvaluation.end` lets go of them.
package struct JSONataExpression: Sendable {
    package let text: String
    private let root: Node

    /// Reads an expression.
    package init(_ text: String) throws(JSONataError) {
        self.text = text
        root = try Parser.tree(of: text)
    }

    /// The value of the expression; nil: it has none.
    ///
    /// - Parameters:
    ///   - input: what paths begin at; nil: nothing.
    ///   - variables: values by their names, without `$`.
    ///   - budget: what the evaluation may cost; afterwards, what is left.
    package func value(
        of input: JSONValue?, _ variables: JSONataVariables, in surroundings: JSONataSurroundings,
        _ budget: inout JSONataBudget
    ) throws(JSONataError) -> JSONValue? {
        let evaluation = JSONataEvaluation(surroundings, budget)
        defer {
            budget = evaluation.budget
            evaluation.end()
        }
        return try evaluation.value(of: root, input, variables)
    }
}

/// The variables of expressions, converted once for many expressions.
///
/// Unchecked: values never change once they are made.
package struct JSONataVariables: @unchecked Sendable {
    private(set) var values: [(name: String, value: Value)] = []

    package init() {}

    package init(_ values: [(String, JSONValue)]) {
        for (name, value) in values { set(name, to: value) }
    }

    package mutating func set(_ name: String, to value: JSONValue) {
        values.removeAll { $0.name == name }
        values.append((name, Value(value)))
    }
}

/// The time, chance and identifiers of an evaluation.
package struct JSONataSurroundings: Sendable {
    /// Milliseconds since 1970, the same for the whole evaluation.
    let milliseconds: Double
    /// From 0 up to, not with, 1.
    let fraction: @Sendable () -> Double
    /// A UUID of version 4.
    let makeID: @Sendable () -> String

    package init(
        milliseconds: Double, fraction: @escaping @Sendable () -> Double, makeID: @escaping @Sendable () -> String
    ) {
        (self.milliseconds, self.fraction, self.makeID) = (milliseconds, fraction, makeID)
    }
}

/// The budget of evaluations.
package struct JSONataBudget: Sendable {
    /// Steps: nodes evaluated, values and bytes looked at.
    package var steps: Int
    /// Bytes of lists, objects, texts and variables that are made, whether they are kept or not.
    package var bytes: Int
    /// Of the thread's stack.
    package var stackBytes: Int

    package init(
        steps: Int = JSONataLimits.stepsMax, bytes: Int = JSONataLimits.bytesMax,
        stackBytes: Int = JSONataLimits.stackBytesMax
    ) {
        (self.steps, self.bytes, self.stackBytes) = (steps, bytes, stackBytes)
    }
}
