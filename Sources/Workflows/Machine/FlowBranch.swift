import JSON

/// One way through a definition: the execution's own, or that of a branch of a `Parallel` or of an element of a `Map`. Where a state has
/// branches of its own, this one waits in that state until they have ended.
struct FlowBranch: Sendable {
    let number: Int
    /// The branch whose state made this one, and its place among those; nil: it is the execution's own.
    let parent: Int?
    let place: Int
    /// What it does with an element of a `Map`: the element, for `$$.Map.Item.Value`.
    let item: JSONValue?
    var state: String
    /// What the state was given, before any path is looked at.
    var input: JSONValue
    var phase: Phase
    /// How often each of the state's rules for tries has been used.
    var tries: [Int64] = []
    var enteredMilliseconds: Int64 = 0
    /// The last event of its history.
    var lastEvent: Int
    /// The event with which its state was entered.
    var enteredEvent = 0
    /// The variables that its states have assigned.
    var variables = JSONObject()
    /// The elements of a `Map` in JSONata, which are worked out once.
    var items: [JSONValue]?

    enum Phase: Sendable {
        /// The state is to be entered.
        case entering
        /// The state has been entered, and is to be tried.
        case ready
        /// It is tried again then.
        case retrying(until: Int64)
        /// It is left then.
        case waiting(until: Int64)
        case calling(Call)
        case joining(Join)
    }

    /// A task that is under way.
    struct Call: Sendable {
        /// Which one it is in this branch's life: what belongs to an earlier one means nothing any more.
        let attempt: Int
        /// What whoever ends it has to know.
        let secret: String?
        let deadline: Int64?
        let heartbeatMilliseconds: Int64?
        var heartbeatDeadline: Int64?
        /// Whether who was asked has answered, and only the token is waited for.
        var isSubmitted = false
        /// True if the history says that the execution for whose end it waits is begun.
        var isBegun = false
        /// That of a distributed `Map`; nil: it is a task.
        var run: Run?
    }

    /// A run of a distributed `Map`.
    struct Run: Sendable {
        let id: String
        let label: String
    }

    /// Branches that are waited for.
    struct Join: Sendable {
        let count: Int
        var begun = 0
        var ended = 0
        /// What the results that are there come to.
        var bytes = 0
    }

    /// When it wants to be looked at; nil: not before something happens to it.
    var due: Int64? {
        switch phase {
        case .entering, .ready: .min
        case .retrying(let time), .waiting(let time): time
        case .calling(let call): [call.deadline, call.heartbeatDeadline].compactMap(\.self).min()
        case .joining: nil
        }
    }

    var call: Call? { if case .calling(let call) = phase { call } else { nil } }
}

// MARK: As it is stored

extension FlowBranch {
    var stored: JSONValue {
        var object = JSONObject([
            ("place", .integer(Int64(place))), ("state", .string(state)), ("input", input),
            ("tries", .array(tries.map { .integer($0) })), ("entered", .integer(enteredMilliseconds)),
            ("event", .integer(Int64(lastEvent))), ("phase", phase.stored),
        ])
        if let parent { object.set("parent", to: .integer(Int64(parent))) }
        if let item { object.set("item", to: item) }
        if enteredEvent > 0 { object.set("enteredEvent", to: .integer(Int64(enteredEvent))) }
        if let items { object.set("items", to: .array(items)) }
        if !variables.isEmpty { object.set("variables", to: .object(variables)) }
        return .object(object)
    }

    /// Nil: it was written by nobody who knows how.
    init?(_ number: Int, stored value: JSONValue) {
        guard let state = value["state"]?.string, let input = value["input"],
            let phase = value["phase"].flatMap({ Phase(stored: $0) })
        else { return nil }
        func whole(_ name: String) -> Int? { value[name]?.integer.map { Int(clamping: $0) } }
        self.init(
            number: number, parent: whole("parent"), place: whole("place") ?? 0, item: value["item"], state: state,
            input: input, phase: phase, tries: (value["tries"]?.array ?? []).compactMap(\.integer),
            enteredMilliseconds: value["entered"]?.integer ?? 0, lastEvent: whole("event") ?? 0,
            enteredEvent: whole("enteredEvent") ?? 0, variables: value["variables"]?.object ?? JSONObject(),
            items: value["items"]?.array)
    }
}

extension FlowBranch.Phase {
    fileprivate var stored: JSONValue {
        switch self {
        case .entering: return ["is": "entering"]
        case .ready: return ["is": "ready"]
        case .retrying(let time): return ["is": "retrying", "until": .integer(time)]
        case .waiting(let time): return ["is": "waiting", "until": .integer(time)]
        case .joining(let join):
            return [
                "is": "joining", "count": .integer(Int64(join.count)), "begun": .integer(Int64(join.begun)),
                "ended": .integer(Int64(join.ended)), "bytes": .integer(Int64(join.bytes)),
            ]
        case .calling(let call):
            var object = JSONObject([
                ("is", "calling"), ("attempt", .integer(Int64(call.attempt))), ("submitted", .bool(call.isSubmitted)),
            ])
            if let secret = call.secret { object.set("secret", to: .string(secret)) }
            for (name, time) in [
                ("deadline", call.deadline), ("heartbeat", call.heartbeatMilliseconds),
                ("beat", call.heartbeatDeadline),
            ] {
                if let time { object.set(name, to: .integer(time)) }
            }
            if call.isBegun { object.set("begun", to: true) }
            if let run = call.run { object.set("run", to: ["id": .string(run.id), "label": .string(run.label)]) }
            return .object(object)
        }
    }

    fileprivate init?(stored value: JSONValue) {
        func whole(_ name: String) -> Int { value[name]?.integer.map { Int(clamping: $0) } ?? 0 }
        switch value["is"]?.string {
        case "entering": self = .entering
        case "ready": self = .ready
        case "retrying": self = .retrying(until: value["until"]?.integer ?? 0)
        case "waiting": self = .waiting(until: value["until"]?.integer ?? 0)
        case "joining":
            self = .joining(
                FlowBranch.Join(
                    count: whole("count"), begun: whole("begun"), ended: whole("ended"), bytes: whole("bytes")))
        case "calling":
            let run = value["run"].map {
                FlowBranch.Run(id: $0["id"]?.string ?? "", label: $0["label"]?.string ?? "")
            }
            self = .calling(
                FlowBranch.Call(
                    attempt: whole("attempt"), secret: value["secret"]?.string, deadline: value["deadline"]?.integer,
                    heartbeatMilliseconds: value["heartbeat"]?.integer, heartbeatDeadline: value["beat"]?.integer,
                    isSubmitted: value["submitted"]?.bool ?? false, isBegun: value["begun"]?.bool ?? false, run: run))
        default: return nil
        }
    }
}
