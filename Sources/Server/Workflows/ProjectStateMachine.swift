import Blueprint
import JSON
import Project

/// The state machines of a project, as the configuration would say them. Their definitions come when it is known what their parts stand for.
enum ProjectStateMachine {
    static func configured(_ machine: StateMachineResource) -> JSONValue {
        var setting = JSONObject([("type", machine.isExpress ? "EXPRESS" : "STANDARD")])
        if !machine.schedules.isEmpty {
            setting.set("schedule", to: .array(machine.schedules.map(ScheduleSetting.configured)))
        }
        return .object(setting)
    }

    /// The setting with the definition of the project, as far as its parts have texts here.
    ///
    /// - Returns: also what is known to nobody.
    static func resolved(_ setting: WorkflowSetting, _ values: ProjectValues) -> (WorkflowSetting, unknown: [String]) {
        guard let resource = setting.resource else { return (setting, []) }
        var setting = setting
        var unknown: [String] = []
        func text(_ value: FunctionVariable.Value) -> String {
            do throws(ProjectValues.Unknown) { return try values.text(of: value) } catch {
                let name =
                    switch error {
                    case .secret(let name): "the secret \(name)"
                    case .deployed(let origin): origin
                    case .missing: "a value that is not there"
                    }
                unknown.append(name)
                return name
            }
        }
        let (written, file) = resource.definition { text($0) } ?? (nil, nil)
        (setting.text, setting.definition) = (written, file)
        for variable in resource.substitutions where setting.substitutions[variable.name] == nil {
            setting.substitutions[variable.name] = text(variable.value)
        }
        return (setting, unknown)
    }
}
