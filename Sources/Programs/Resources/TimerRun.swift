import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What calls functions and starts state machines by the clock: rules with a schedule, and what EventBridge's scheduler has.
final class TimerRun {
    private var timers: [Timer] = []

    func forgetObjects() { timers = [] }

    /// Returns whether `new X(...)` calls something by the clock; nil: it has nothing to do with the clock.
    func takes(_ construct: NewConstruct, _ signIn: SignInRun) -> Bool? {
        guard let options = construct.options else { return nil }
        if construct.name == "Rule" { return takes(rule: options, construct.made, signIn) }
        guard construct.module.contains(bytesOf: "aws-scheduler") else { return nil }
        switch construct.name {
        case "Schedule": return takes(schedule: options, construct.made, signIn)
        case "CfnSchedule": return takes(plainSchedule: options, construct.made, signIn)
        default: return nil
        }
    }

    /// `new Rule(scope, id, { schedule, targets })`
    private func takes(rule options: ScriptObject, _ rule: OpaqueObject, _ signIn: SignInRun) -> Bool? {
        guard let schedule = options.value("schedule").opaque.flatMap(CDKSchedule.init) else { return nil }
        let part = signIn.parts.part(of: rule, "\(rule.origin).CfnRule()")
        let place = timers.count
        timers.append(
            Timer(
                part: part, enabled: options.value("enabled"), schedule: schedule, isOfRule: true,
                targets: options.value("targets").elements))
        rule.put(
            "addTarget",
            FunctionRun.method("addTarget", rule.realm) { run, given in
                if let target = given.first { run.signIn?.timers.timers[place].targets.append(target) }
            })
        return true
    }

    /// `new Schedule(scope, id, { schedule, target, enabled })` of EventBridge's scheduler.
    private func takes(schedule options: ScriptObject, _ made: OpaqueObject, _ signIn: SignInRun) -> Bool {
        guard let schedule = options.value("schedule").opaque.flatMap(CDKSchedule.init),
            let target = try? options.get("target")
        else { return false }
        let enabled = options.value("enabled")
        // Something else that the scheduler calls is said not to be served.
        guard start(target, by: schedule, isOfRule: false, signIn, isTried: true) else {
            if case .boolean(false) = enabled { return true }
            return false
        }
        let part = signIn.parts.part(of: made, "\(made.origin).CfnSchedule()")
        timers.append(Timer(part: part, enabled: enabled, schedule: schedule, isOfRule: false, targets: [target]))
        return true
    }

    /// `new CfnSchedule(scope, id, { scheduleExpression, target: { arn, input } })`
    private func takes(plainSchedule options: ScriptObject, _ made: OpaqueObject, _ signIn: SignInRun) -> Bool {
        guard let expression = options.text("scheduleExpression"), !expression.hasPrefix("at("),
            let target = options.plain("target"), let arn = try? target.get("arn"),
            let place = signIn.functions.place(ofFunction: arn)
        else { return false }
        let input = target.text("input")
        // What is no JSON the scheduler refuses.
        if let input, (try? JSONReader.value(of: input)) == nil { return false }
        timers.append(
            Timer(
                part: signIn.parts.part(made), enabled: options.value("state"),
                plain: FunctionSchedule(expression, zone: options.text("scheduleExpressionTimezone"), input: input),
                function: place))
        return true
    }

    /// What the program has come to say of them when it has ended.
    func settle(_ signIn: SignInRun) {
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
                signIn.functions.functions[place].schedules.append(
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
    private func start(
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
        guard let place = signIn.functions.place(ofTarget: target) else { return false }
        if !isTried { signIn.functions.functions[place].schedules.append(schedule) }
        return true
    }
}

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
