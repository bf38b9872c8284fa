/// How much state machines may be. Where Step Functions has a limit, it is the same.
package enum WorkflowLimits {
    /// How often the runner looks for executions that other nodes have begun, whether or not it was woken.
    static let lookMilliseconds: Int64 = 2_000
    // MARK: Definitions

    /// A definition's text, its states in each other, and what rules, templates and functions of it may have.
    package static let definitionBytesMax = 1 << 20
    package static let definitionNestingMax = 200
    static let scopesInEachOtherMax = 10
    static let statesMax = 10_000
    static let nameCharactersMax = 80
    static let labelCharactersMax = 40
    static let ruleNestingMax = 32
    static let intrinsicNestingMax = 10
    static let filterNestingMax = 16
    static let pathStepsMax = 100
    package static let machinesMax = 1_000

    // MARK: Data

    /// What a state is told, and what comes of it.
    package static let dataBytesMax = 256 << 10
    static let dataNestingMax = 200
    /// All variables that a branch of an execution assigns.
    static let variablesBytesMax = 10 << 20
    /// How many values a path looks at.
    static let pathValuesMax = 200_000
    static let rangeElementsMax = 1_000
    /// What functions for codes and digests take.
    static let codedCharactersMax = 10_000
    /// What one state does with its data: about a second. See `FlowSteps`.
    static let stateStepsMax = 200_000_000
    static let errorBytesMax = 256
    static let causeBytesMax = 32_768
    static let secondsMax: Int64 = 99_999_999

    // MARK: Executions

    /// How many branches of an execution are under way at the same time.
    static let branchesMax = 2_000
    /// How many elements of a `Map` are, whatever its `MaxConcurrency` says.
    static let mapConcurrencyMax = 40
    /// What an execution may come to: each state takes two events or more.
    static let eventsMax = 25_000
    /// How much data an execution's history keeps; later events are without.
    static let historyBytesMax: Int64 = 16 << 20
    /// How long executions that have ended are kept.
    static let endedMilliseconds: Int64 = 90 * 86_400_000
    /// How long one of a machine of the type EXPRESS may take, and how long one that somebody waits for may.
    static let expressMilliseconds: Int64 = 300_000

    // MARK: Runs of distributed maps

    /// The bytes that all runs together have in memory.
    static let runsBytesMax = 256 << 20
    /// The file that a run reads, and what all its executions are given.
    package static let itemFileBytesMax = 8 << 20
    static let runInputBytesMax = 16 << 20
    static let runItemsMax = 100_000
    /// The files that a manifest lists.
    static let manifestFilesMax = 1_000
    /// How many executions of a run are under way, whatever its `MaxConcurrency` says.
    static let runConcurrencyMax = 40
    /// How many bytes of results a file has before the next is begun.
    static let resultFileBytesMax = 4 << 20
    /// How many elements are looked at before others have their turn.
    static let itemsAtOnce = 500
    /// A batch has no more, as the input of an execution.
    static let batchItemsMax: Int64 = 1_000_000

    // MARK: Runs

    /// How much work of an execution's states on their data, and how many bytes of its history, before others have their turn.
    static let stepsAtOnce = 4_000_000
    static let writtenAtOnceBytesMax: Int64 = 1 << 20
    /// How many executions a round takes.
    static let executionsAtOnce = 50
    /// How often a heartbeat has to come at least.
    static let readMilliseconds: Int64 = 10_000
    static let pauseMilliseconds: Int64 = 1_000
    static let sweepAtOnce: Int64 = 200
    package static let sweepMilliseconds = 60_000

    // MARK: Calls

    package static let bodyBytesMax = 2 << 20
    package static let bodyNestingMax = 16
    static let pageMax: Int64 = 1_000
    static let usualPage: Int64 = 100
    static let tokenBytesMax = 1_024
}

/// How much all executions together are.
package struct WorkflowCapacity: Sendable {
    /// How many are under way, and how many that have ended are kept.
    package var runningMax = 10_000
    package var endedMax = 10_000
    /// How much they keep.
    package var bytesMax: Int64 = 4 << 30
    /// How many tasks are asked at the same time. Those that wait for another execution are not counted.
    package var callsAtOnce = 200
    /// How many wait for the end of an execution.
    package var waitersMax = 1_000
    /// How many states of an execution are left before it is saved, and others have their turn.
    package var statesAtOnce = 200

    package init() {}
}
