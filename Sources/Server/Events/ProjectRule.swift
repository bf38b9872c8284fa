import Blueprint
import JSON
import Project

/// The rules of events of a project, as the configuration would say them.
enum ProjectRule {
    static func configured(_ rule: RuleResource) -> JSONValue {
        var setting = JSONObject([("pattern", .string(JSONWriter.text(of: .object(rule.pattern))))])
        if let bus = rule.bus { setting.set("bus", to: .string(bus)) }
        if !rule.isEnabled { setting.set("enabled", to: false) }
        setting.set(
            "targets",
            to: .array(
                rule.targets.map { target in
                    let members = [
                        ("function", target.function), ("queue", target.queue), ("stateMachine", target.stateMachine),
                        ("group", target.group),
                        ("inputPath", target.inputPath), ("input", target.input),
                    ]
                    return .object(
                        JSONObject(members.compactMap { name, text in text.map { (name, JSONValue.string($0)) } }))
                }))
        return .object(setting)
    }
}
