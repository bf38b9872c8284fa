import Blueprint
import GraphQL
import JSON
import Script

/// What calls functions by the clock: a rule with a schedule, or a schedule of EventBridge's scheduler. Whether it is on is known when
/// the program has ended.
struct Timer {
    let part: ResourcePart
    /// What its options say of it: a truth value, or `ENABLED`.
    let enabled: ProgramValue
    var schedule: CDKSchedule?
    var isOfRule = false
    var targets: [ProgramValue] = []
    /// Of a schedule whose target is the ARN of a function.
    var plain: FunctionSchedule?
    var function: Int?

    /// Nil: it is known only when the app is deployed.
    var isOn: Bool? { Self.isOn(part.value("state") ?? enabled) }

    /// What `enabled` or `state` says.
    static func isOn(_ value: ProgramValue) -> Bool? {
        switch value {
        case .undefined, .null: return true
        case .boolean(let flag): return flag
        case .text(let text):
            if text.string == "DISABLED" { return false }
            return text.string.hasPrefix("ENABLED") ? true : nil
        default: return nil
        }
    }
}

extension FunctionRun {
    /// What functions come to when the program has ended: by the resources under them, and by what calls them.
    func settle(_ signIn: SignInRun, _ run: ProgramRun) {
        for (place, part) in parts where functions.indices.contains(place) { settle(part, of: place, signIn, run) }
        for timer in timers {
            guard let isOn = timer.isOn else {
                signIn.assignments.warn(
                    "whether `\(timer.part.object.origin)` is on is known only when the app is deployed, so it calls nobody "
                        + "here", at: signIn.assignments.position(of: timer.part.object, "state"))
                continue
            }
            guard isOn else { continue }
            let expression = timer.part.text("scheduleExpression")
            if let plain = timer.plain, let place = timer.function {
                functions[place].schedules.append(
                    FunctionSchedule(expression ?? plain.text, zone: plain.zone, input: plain.input))
            }
            guard let schedule = timer.schedule else { continue }
            for target in timer.targets {
                start(target, by: schedule, expression, isOfRule: timer.isOfRule, signIn)
            }
        }
    }

    /// Has a target called by the clock.
    ///
    /// - Parameters:
    ///   - expression: what the program has put in the place of the schedule.
    ///   - isTried: whether it is only asked if that can be.
    @discardableResult
    func start(
        _ target: ProgramValue, by written: CDKSchedule, _ expression: String? = nil, isOfRule: Bool,
        _ signIn: SignInRun, isTried: Bool = false
    ) -> Bool {
        var given: [ProgramValue] = []
        if case .call(let told)? = target.opaque?.making { given = told }
        let options = given.count > 1 ? given[1] : nil
        let schedule = FunctionSchedule(
            expression ?? written.text, zone: written.zone, isOfRule: isOfRule,
            input: MessagingRun.input(ofTarget: options)?.text)
        // `new SfnStateMachine(machine)`
        if let machine = given.first, signIn.workflows.name(of: machine) != nil {
            return isTried || signIn.workflows.start(machine, by: schedule)
        }
        guard let place = place(ofTarget: target) else { return false }
        if !isTried { functions[place].schedules.append(schedule) }
        return true
    }

    // MARK: Resources under functions

    private static let variables = ["Environment", "Variables"]
    private static let runtimePrefix = "nodejs"

    private func settle(_ part: ResourcePart, of place: Int, _ signIn: SignInRun, _ run: ProgramRun) {
        func unread(_ name: String) {
            signIn.assignments.warn(
                "`\(part.object.origin).\(name)` cannot be read, so it does not hold here",
                at: signIn.assignments.position(of: part.object, name))
        }
        if let written = part.value("environment") {
            if let variables = Self.variables(in: written) {
                functions[place].environment = []
                for (name, value) in variables { functions[place].set(name, to: run.environmentValue(value)) }
            } else if !written.isNullish {
                unread("environment")
            }
        }
        for override in part.overrides where override.path.starts(with: Self.variables) && override.path.count == 3 {
            functions[place].environment.removeAll { $0.name == override.path[2] }
            if let value = override.value { functions[place].set(override.path[2], to: run.environmentValue(value)) }
        }
        for override in part.overrides where override.value == nil && override.path.count < 3 {
            if Self.variables.starts(with: override.path) { functions[place].environment = [] }
        }
        if let value = part.value("timeout") {
            if let seconds = part.whole("timeout"), seconds > 0 {
                functions[place].timeoutSeconds = seconds
            } else if !value.isNullish {
                unread("timeout")
            }
        }
        if let value = part.value("memorySize") {
            if let size = part.whole("memorySize"), size > 0 {
                functions[place].memoryMegabytes = size
            } else if !value.isNullish {
                unread("memorySize")
            }
        }
        if part.value("runtime") != nil {
            if let name = part.text("runtime"), name.hasPrefix(Self.runtimePrefix),
                let version = name.dropFirst(Self.runtimePrefix.utf8.count).split(separator: ".").first.flatMap({
                    Int($0)
                })
            {
                functions[place].runtime = version
            } else {
                unread("runtime")
            }
        }
    }

    /// The members of `variables` of an environment that is assigned.
    private static func variables(in environment: ProgramValue) -> [(name: String, value: ProgramValue)]? {
        guard case .object(let environment) = environment, known(environment).contains("variables"),
            case .object(let variables)? = try? environment.get("variables")
        else { return nil }
        return known(variables).compactMap { name in (try? variables.get(name)).map { (name, $0) } }
    }

    /// The names of the members that the program has written, also of an object with something unknown spread into it.
    private static func known(_ object: ProgramObject) -> [String] {
        let keys = (object as? OpaqueObject)?.assignedKeys ?? (try? object.enumerableKeys()) ?? []
        return keys.map { object.realm.describe($0) }
    }
}
