import Cloud
import EventPatterns
import Events
import JSON
import Project

/// A rule of a bus as it is configured: what it looks for, and who is told.
package struct EventRuleSetting: Sendable, Equatable {
    package struct Target: Sendable, Equatable {
        package var function: String?
        package var queue: String?
        package var stateMachine: String?
        package var group: String?
        /// A path, the text itself, or a template with its paths.
        package var inputPath: String?
        package var input: String?
        package var template: String?
        package var paths: [String: String] = [:]

        package init() {}
    }

    /// Nil: the usual one.
    package var bus: String?
    package var pattern: JSONValue = .null
    package var isEnabled = true
    package var targets: [Target] = []

    package init() {}

    /// - Parameter function: the name of a function by any that the project has for it; nil: there is none.
    func rule(_ name: String, function: (String) -> String?) throws(Fault) -> EventRule {
        let read: EventPattern
        do throws(EventPatternError) { read = try EventPattern(pattern) } catch {
            throw Fault(message: CloudError(error).message)
        }
        do throws(CloudError) {
            var all: [EventTarget] = []
            for target in targets { all.append(try target.target(function: function)) }
            return EventRule(name, on: bus ?? Events.usualBus, pattern: read, isEnabled: isEnabled, targets: all)
        } catch {
            throw Fault(message: error.message)
        }
    }

    struct Fault: Error {
        let message: String
    }

    /// Why a text is no pattern; nil: it is one.
    static func fault(_ text: String) -> String? {
        guard let value = try? JSONReader.value(of: text) else { return "it is no JSON" }
        do throws(EventPatternError) {
            _ = try EventPattern(value)
            return nil
        } catch {
            return error.reason
        }
    }
}

extension EventRuleSetting.Target {
    fileprivate func target(function name: (String) -> String?) throws(CloudError) -> EventTarget {
        if let function {
            guard let known = name(function) else {
                throw CloudError.setting("there is no function \(function); name one of functions")
            }
            return EventTarget(.function(known), try told)
        }
        if let stateMachine { return EventTarget(.stateMachine(stateMachine), try told) }
        guard let queue else { throw CloudError.setting("a target names a function, a queue or a state machine") }
        return EventTarget(.queue(queue, group: group), try told)
    }

    private var told: EventInput {
        get throws(CloudError) {
            if let template {
                return .template(
                    try EventTemplate(template, paths: paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
            }
            if let input { return .fixed(input) }
            guard let inputPath else { return .whole }
            guard let path = ValuePath(inputPath) else {
                throw CloudError.setting("\(inputPath) is no path such as $.detail")
            }
            return .part(path)
        }
    }
}

extension EventRuleSetting: SettingObject {
    package static let members: [SettingMember<EventRuleSetting>] = [
        // A text, so that a file of the configuration can have any: what an event may be is nobody's list of keys.
        SettingMember("pattern") { value, rule in
            rule.pattern = value.string.flatMap { try? JSONReader.value(of: $0) } ?? .null
        } shown: { rule in
            .string(JSONWriter.text(of: rule.pattern))
        },
        SettingMember("bus", \.bus),
        SettingMember("enabled", \.isEnabled),
        SettingMember("targets", \.targets, isAlwaysShown: true),
    ]

    /// A rule of a project.
    init(_ rule: RuleResource) {
        (bus, pattern, isEnabled) = (rule.bus, .object(rule.pattern), rule.isEnabled)
        targets = rule.targets.map(Target.init)
    }
}

extension EventRuleSetting.Target: SettingObject {
    package static let members: [SettingMember<EventRuleSetting.Target>] = [
        SettingMember("function", \.function),
        SettingMember("queue", \.queue),
        SettingMember("stateMachine", \.stateMachine),
        SettingMember("group", \.group),
        SettingMember("inputPath", \.inputPath),
        SettingMember("input", \.input),
        SettingMember("template", \.template),
        SettingMember("paths", \.paths),
    ]

    fileprivate init(_ target: RuleResource.Target) {
        (function, queue, stateMachine) = (target.function, target.queue, target.stateMachine)
        (group, inputPath, input) = (target.group, target.inputPath, target.input)
    }
}
