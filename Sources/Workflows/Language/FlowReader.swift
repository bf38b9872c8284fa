import JSON

/// Reads a definition in the Amazon States Language, with JSONPath or JSONata.
struct FlowReader {
    private var statesLeft = WorkflowLimits.statesMax
    /// Whether the machine is of the type EXPRESS, whose tasks wait for answers alone.
    private var isExpress: Bool
    /// The language of the whole machine.
    private var language: FlowLanguage?

    private init(isExpress: Bool) { self.isExpress = isExpress }

    static func definition(of text: String, isExpress: Bool = false) throws(FlowRefusal) -> FlowDefinition {
        let limits = JSONLimits(
            bytesMax: WorkflowLimits.definitionBytesMax, nestingMax: WorkflowLimits.definitionNestingMax)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: Array(text.utf8), limits: limits)
        } catch {
            throw FlowRefusal("The definition is no JSON: \(error)", at: "")
        }
        var reader = FlowReader(isExpress: isExpress)
        return try reader.definition(value, at: "", WorkflowLimits.scopesInEachOtherMax)
    }

    mutating func definition(
        _ value: JSONValue, at place: String, _ nesting: Int
    ) throws(FlowRefusal) -> FlowDefinition {
        let fields = FlowFields(value, at: place)
        guard nesting > 0 else {
            throw fields.refusal("More than \(WorkflowLimits.scopesInEachOtherMax) Parallel and Map are in each other")
        }
        if language == nil { language = try fields.language(usual: nil) }
        let start = try fields.demandedText("StartAt")
        guard let listed = value["States"]?.object, !listed.isEmpty else {
            throw fields.refusal("'States' is an object with one state at least")
        }
        var states: [ByteText: FlowState] = [:]
        for member in listed.members {
            let inner = "\(place)/States/\(member.key)"
            statesLeft -= 1
            guard statesLeft >= 0 else {
                throw FlowRefusal("A definition has at most \(WorkflowLimits.statesMax) states", at: inner)
            }
            guard member.key.count <= WorkflowLimits.nameCharactersMax, !member.key.isEmpty else {
                throw FlowRefusal(
                    "A state's name has 1 to \(WorkflowLimits.nameCharactersMax) characters", at: inner)
            }
            states[member.key] = try state(member.key, FlowFields(member.value, at: inner), nesting)
        }
        guard states[start] != nil else {
            throw FlowRefusal("MISSING_TRANSITION_TARGET: there is no state \(start)", at: "\(place)/StartAt")
        }
        for state in states.values {
            for next in Self.targets(of: state) where states[next] == nil {
                throw FlowRefusal(
                    "MISSING_TRANSITION_TARGET: there is no state \(next)", at: "\(place)/States/\(state.name)")
            }
        }
        return FlowDefinition(
            startAt: start, states: states,
            timeoutSeconds: try fields.whole("TimeoutSeconds", 1...WorkflowLimits.secondsMax),
            comment: value["Comment"]?.string)
    }

    private static func targets(of state: FlowState) -> [String] {
        var targets = [state.next].compactMap { $0 } + state.catchers.map(\.next)
        if case .choice(let rules, let otherwise) = state.kind {
            targets += rules.map(\.next) + [otherwise].compactMap { $0 }
        }
        return targets
    }

    // MARK: States

    private mutating func state(
        _ name: String, _ fields: FlowFields, _ nesting: Int
    ) throws(FlowRefusal) -> FlowState {
        let language = try fields.language(usual: self.language)
        try fields.check(language)
        let isQuery = language == .query
        let type = try fields.demandedText("Type")
        let kind: FlowState.Kind
        switch type {
        case "Task": kind = .task(try task(fields, language))
        case "Pass": kind = .pass(fields.value["Result"])
        case "Choice": kind = try choice(fields, language)
        case "Wait": kind = .wait(try wait(fields, language))
        case "Parallel":
            guard let listed = fields.value["Branches"]?.array, !listed.isEmpty else {
                throw fields.refusal("'Branches' is a list with one branch at least")
            }
            var branches: [FlowDefinition] = []
            for (number, branch) in listed.enumerated() {
                branches.append(try definition(branch, at: "\(fields.place)/Branches[\(number)]", nesting - 1))
            }
            kind = .parallel(branches)
        case "Map": kind = .map(try map(fields, nesting, language))
        case "Succeed": kind = .succeed
        case "Fail":
            kind =
                isQuery
                ? .fail(error: try fields.text(query: "Error"), cause: try fields.text(query: "Cause"))
                : .fail(
                    error: try fields.text("Error", path: "ErrorPath"),
                    cause: try fields.text("Cause", path: "CausePath"))
        default: throw fields.refusal("There is no type of states '\(type)'")
        }
        let ends = type == "Succeed" || type == "Fail"
        var next: String?
        if type != "Choice", !ends {
            next = try fields.text("Next")
            guard (next != nil) != (fields.value["End"]?.bool == true) else {
                throw fields.refusal("A state has either 'Next' or 'End': true")
            }
        }
        let tries = ["Task", "Parallel", "Map"].contains(type)
        let takes = tries || type == "Pass"
        let outcome = type == "Fail" ? nil : try fields.outcome(language)
        return FlowState(
            name: name, kind: kind, inputPath: try fields.path("InputPath"), outputPath: try fields.path("OutputPath"),
            parameters: !isQuery && takes && type != "Map" ? try fields.template("Parameters") : nil,
            selector: !isQuery && tries ? try fields.template("ResultSelector") : nil,
            resultPath: takes ? try fields.reference("ResultPath") : FlowFields.root, next: next,
            retriers: tries ? try retriers(fields) : [], catchers: tries ? try catchers(fields, language) : [],
            query: isQuery ? try fields.query(ofState: type) : nil, outcome: outcome)
    }

    private func task(_ fields: FlowFields, _ language: FlowLanguage) throws(FlowRefusal) -> FlowTask {
        let text = try fields.demandedText("Resource")
        guard let resource = FlowResource(text) else {
            throw fields.refusal("'Resource' is no ARN of a function or of a service: \(text)")
        }
        let place = "\(fields.place)/Resource"
        guard !resource.isUnknown else {
            throw FlowRefusal(
                "The resource provided \(text) is not recognized. The value is not a valid resource ARN, or the resource is not "
                    + "available in this region.", at: place)
        }
        guard !isExpress || resource.pattern == .answer else {
            throw FlowRefusal(
                "Express state machine does not support '.\(resource.pattern.rawValue)' service integration", at: place)
        }
        guard language == .path else {
            return FlowTask(
                resource: resource,
                timeout: try fields.number(query: "TimeoutSeconds", 1...WorkflowLimits.secondsMax),
                heartbeat: try fields.number(query: "HeartbeatSeconds", 1...WorkflowLimits.secondsMax))
        }
        return FlowTask(
            resource: resource,
            timeout: try fields.number("TimeoutSeconds", path: "TimeoutSecondsPath", 1...WorkflowLimits.secondsMax),
            heartbeat: try fields.number(
                "HeartbeatSeconds", path: "HeartbeatSecondsPath", 1...WorkflowLimits.secondsMax))
    }

    private func wait(_ fields: FlowFields, _ language: FlowLanguage) throws(FlowRefusal) -> FlowWait {
        let isQuery = language == .query
        let names = ["Seconds", "SecondsPath", "Timestamp", "TimestampPath"].filter { fields.value[$0] != nil }
        guard names.count == 1, let name = names.first else {
            throw fields.refusal("A state that waits has one of Seconds, SecondsPath, Timestamp and TimestampPath")
        }
        if name.hasPrefix("Seconds") {
            let seconds =
                isQuery
                ? try fields.number(query: "Seconds", 0...WorkflowLimits.secondsMax)
                : try fields.number("Seconds", path: "SecondsPath", 0...WorkflowLimits.secondsMax)
            guard let seconds else {
                throw fields.refusal("'\(name)' cannot be read")
            }
            return .seconds(seconds)
        }
        let time =
            isQuery ? try fields.text(query: "Timestamp") : try fields.text("Timestamp", path: "TimestampPath")
        guard let time else {
            throw fields.refusal("'\(name)' cannot be read")
        }
        if case .fixed(let text) = time, Timestamp(text) == nil {
            throw fields.refusal("'Timestamp' is no time such as 2027-01-01T00:00:00Z")
        }
        return .time(time)
    }

    private mutating func map(
        _ fields: FlowFields, _ nesting: Int, _ language: FlowLanguage
    ) throws(FlowRefusal) -> FlowMap {
        let name = fields.value["ItemProcessor"] == nil ? "Iterator" : "ItemProcessor"
        guard let inner = fields.value[name] else { throw fields.refusal("A Map has an 'ItemProcessor'") }
        let distribution = try Self.distribution(fields, of: inner, language, in: self.language ?? .path)
        guard distribution == nil || !isExpress else {
            throw fields.refusal("Express state machine does not support the mode DISTRIBUTED")
        }
        // Executions of a distributed one have a type of their own.
        let isOfExpress = isExpress
        if let distribution { isExpress = distribution.isExpress }
        defer { isExpress = isOfExpress }
        let definition = try definition(inner, at: "\(fields.place)/\(name)", nesting - 1)
        guard language == .path else {
            return FlowMap(
                inner: definition, itemsPath: nil, selector: nil,
                concurrency: try fields.number(query: "MaxConcurrency", 0...Int64(Int32.max)) ?? .fixed(0),
                distribution: distribution)
        }
        var selector = try fields.template("ItemSelector")
        if selector == nil { selector = try fields.template("Parameters") }
        return FlowMap(
            inner: definition,
            itemsPath: try fields.path("ItemsPath"), selector: selector,
            concurrency: try fields.number("MaxConcurrency", path: "MaxConcurrencyPath", 0...Int64(Int32.max))
                ?? .fixed(0), distribution: distribution)
    }

    // MARK: Errors

    private func retriers(_ fields: FlowFields) throws(FlowRefusal) -> [FlowRetrier] {
        var retriers: [FlowRetrier] = []
        for rule in try fields.rules("Retry") {
            let rate = rule.value["BackoffRate"]
            guard rate == nil || rate?.number.map({ $0 >= 1 && $0.isFinite }) == true else {
                throw rule.refusal("'BackoffRate' is a number from 1 on")
            }
            let jitter = try rule.text("JitterStrategy") ?? "NONE"
            guard ["NONE", "FULL"].contains(jitter) else { throw rule.refusal("'JitterStrategy' is NONE or FULL") }
            retriers.append(
                FlowRetrier(
                    errors: try rule.errors(),
                    intervalSeconds: try rule.whole("IntervalSeconds", 1...WorkflowLimits.secondsMax) ?? 1,
                    attemptsMax: try rule.whole("MaxAttempts", 0...WorkflowLimits.secondsMax) ?? 3,
                    rate: rate?.number ?? 2,
                    delaySecondsMax: try rule.whole("MaxDelaySeconds", 1...31_622_400), isJittered: jitter == "FULL"))
        }
        return retriers
    }

    private func catchers(_ fields: FlowFields, _ language: FlowLanguage) throws(FlowRefusal) -> [FlowCatcher] {
        var catchers: [FlowCatcher] = []
        for rule in try fields.rules("Catch") {
            try rule.check(language)
            catchers.append(
                FlowCatcher(
                    errors: try rule.errors(), resultPath: try rule.reference("ResultPath"),
                    next: try rule.demandedText("Next"), outcome: try rule.outcome(language)))
        }
        return catchers
    }

    // MARK: Choices

    private func choice(_ fields: FlowFields, _ language: FlowLanguage) throws(FlowRefusal) -> FlowState.Kind {
        let rules = try fields.rules("Choices")
        guard !rules.isEmpty else { throw fields.refusal("'Choices' is a list with one rule at least") }
        var all: [FlowRule] = []
        for rule in rules {
            let next = try rule.demandedText("Next")
            try rule.check(language)
            let test =
                language == .query ? try rule.condition() : try test(rule, WorkflowLimits.ruleNestingMax)
            all.append(FlowRule(test: test, next: next, outcome: try rule.outcome(language)))
        }
        return .choice(all, otherwise: try fields.text("Default"))
    }

    private func test(_ fields: FlowFields, _ nesting: Int) throws(FlowRefusal) -> FlowTest {
        guard nesting > 0 else {
            throw fields.refusal("More than \(WorkflowLimits.ruleNestingMax) rules are in each other")
        }
        for name in ["And", "Or"] where fields.value[name] != nil {
            let rules = try fields.rules(name)
            guard !rules.isEmpty else { throw fields.refusal("'\(name)' is a list with one rule at least") }
            var tests: [FlowTest] = []
            for rule in rules { tests.append(try test(rule, nesting - 1)) }
            return name == "And" ? .all(tests) : .any(tests)
        }
        if let inner = fields.value["Not"] {
            return .not(try test(FlowFields(inner, at: "\(fields.place)/Not"), nesting - 1))
        }
        guard let path = FlowPath(try fields.demandedText("Variable")) else {
            throw fields.refusal("'Variable' is no path such as $.total")
        }
        let members =
            fields.value.object?.members.filter { !["Variable", "Next", "Comment", "Assign"].contains($0.key) } ?? []
        guard members.count == 1, let member = members.first else {
            throw fields.refusal("A rule has one comparison")
        }
        if let kind = FlowTest.Kind(rawValue: member.key) {
            guard let isWanted = member.value.bool else { throw fields.refusal("'\(member.key)' is true or false") }
            return .has(path, kind, isWanted: isWanted)
        }
        let ending = "Path"
        let isPath = member.key.hasSuffix(ending)
        let name = isPath ? String(member.key.dropLast(ending.count)) : member.key
        guard let comparison = FlowComparison.byName[name], !isPath || comparison.order != .matching else {
            throw fields.refusal("There is no comparison '\(member.key)'")
        }
        guard isPath else {
            guard comparison.takes(member.value) else {
                throw fields.refusal("'\(member.key)' cannot compare with \(member.value.kind)")
            }
            return .compare(path, comparison, .value(member.value))
        }
        guard let other = member.value.string.flatMap({ FlowPath($0) }) else {
            throw fields.refusal("'\(member.key)' is no path such as $.total")
        }
        return .compare(path, comparison, .path(other))
    }
}
