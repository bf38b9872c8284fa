import Cloud
import EventPatterns
import JSON
import Schedules

/// A rule that a call has made, with its targets.
struct MadeRule: Sendable {
    let description: String?
    let role: String?
    /// In the order in which they came.
    let targets: [MadeTarget]
    let rule: EventRule
    /// Nil: the clock does not call it.
    let schedule: Schedule?

    /// - Parameter content: as the database has it. What is wrong with it was refused before it was written.
    init(_ name: String, on bus: String, _ content: JSONObject, of events: Events) throws(CloudError) {
        let schedule = content["ScheduleExpression"]?.string
        self.schedule = schedule.flatMap { Self.schedule($0) }
        var pattern: EventPattern?
        if self.schedule == nil || content["EventPattern"] != nil {
            let written = try? JSONReader.value(of: content["EventPattern"]?.string ?? "")
            pattern = try CloudError.of { () throws(EventPatternError) in try EventPattern(written ?? .null) }
        }
        var targets: [MadeTarget] = []
        for value in content["Targets"]?.array ?? [] {
            targets.append(try MadeTarget(value.object ?? JSONObject(), of: events))
        }
        (description, role) = (content["Description"]?.string, content["RoleArn"]?.string)
        self.targets = targets
        rule = EventRule(
            name, on: bus, pattern: pattern, schedule: schedule, isEnabled: content["State"]?.string != Self.disabled,
            targets: targets.map(\.target))
    }

    static let disabled = "DISABLED"
    static let enabled = "ENABLED"

    /// The schedule of an expression in the only form that the service takes: `rate(1 minute)`, `rate(90 minutes)`, and fields of cron of
    /// which one says nothing of days. Nil: it has another.
    static func schedule(_ text: String) -> Schedule? {
        guard let schedule = try? Schedule(text) else { return nil }
        if let words = words(of: text, behind: "rate(") {
            let units = words.first == "1" ? ["minute", "hour", "day"] : ["minutes", "hours", "days"]
            return words.count == 2 && units.contains(words[1]) ? schedule : nil
        }
        guard let fields = words(of: text, behind: "cron("), fields.count == 6 else { return nil }
        return (fields[2] == "?") != (fields[4] == "?") ? schedule : nil
    }

    private static func words(of text: String, behind start: String) -> [String]? {
        guard text.utf8.starts(with: start.utf8), text.utf8.last == UInt8(ascii: ")") else { return nil }
        return String(Substring(text.utf8.dropFirst(start.utf8.count).dropLast())).parts(separatedBy: " ")
    }
}

/// A target that a call has named: a queue, a function, a state machine, a topic or a bus of this server, and its input.
struct MadeTarget: Sendable {
    let id: String
    let arn: String
    /// As the call has it.
    let members: JSONObject
    let target: EventTarget

    private static let inputs = ["Input", "InputPath", "InputTransformer"]
    /// The members of other targets.
    static let unserved = [
        "KinesisParameters", "RunCommandParameters", "EcsParameters", "BatchParameters", "HttpParameters",
        "RedshiftDataParameters", "SageMakerPipelineParameters", "AppSyncParameters",
    ]

    init(_ members: JSONObject, of events: Events) throws(CloudError) {
        let input = CallInput(members)
        (id, arn) = (input.demanded("Id"), input.demanded("Arn"))
        self.members = members
        let group = input.object("SqsParameters")?["MessageGroupId"]?.string
        guard Self.unserved.allSatisfy({ input.value($0) == nil }), let place = events.place(ofARN: arn, group: group)
        else {
            throw .invalid(
                "Parameter \(arn) is not valid. Reason: the targets are queues, functions, state machines, topics and buses of this server."
            )
        }
        if case .bus = place, Self.inputs.contains(where: { input.value($0) != nil }) {
            throw .invalid("Parameter \(arn) is not valid. Reason: a bus gets the whole event.")
        }
        target = EventTarget(place, try Self.told(input, id))
    }

    private static func told(_ input: CallInput, _ id: String) throws(CloudError) -> EventInput {
        guard Self.inputs.count(where: { input.value($0) != nil }) <= 1 else {
            throw .invalid("Only one of Input, InputPath, or InputTransformer must be provided for target \(id).")
        }
        if let text = input.text("Input") {
            let limits = JSONLimits(bytesMax: EventLimits.templateBytesMax, nestingMax: EventLimits.nestingMax)
            guard (try? JSONReader.value(of: Array(text.utf8), limits: limits)) != nil else {
                throw .invalid("JSON syntax error in input for target \(id).")
            }
            return .fixed(text)
        }
        if let text = input.text("InputPath") {
            guard let path = ValuePath(text) else { throw .invalid("Invalid InputPath for target \(id).") }
            return .part(path)
        }
        guard let transformer = input.object("InputTransformer") else { return .whole }
        let paths = (transformer["InputPathsMap"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }
        let template = transformer["InputTemplate"]?.string ?? ""
        if let name = unknownPlaceholder(in: template, paths.map(\.0)) {
            throw .invalid("InputTemplate for target \(id) contains invalid placeholder \(name).")
        }
        return .template(try EventTemplate(template, paths: paths))
    }

    /// The first `<name>` of a template that no path has, and that is none of the service's own.
    private static func unknownPlaceholder(in template: String, _ names: [String]) -> String? {
        let known = Set(names.map { ByteText($0) })
        for part in template.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ">")), end > part.startIndex else { continue }
            let name = String(Substring(part[..<end]))
            guard MemberPattern.resource.admits(name), !name.hasPrefix("aws.events.") else { continue }
            if !known.contains(ByteText(name)) { return name }
        }
        return nil
    }
}
