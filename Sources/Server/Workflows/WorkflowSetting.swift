import Blueprint
import JSON
import Network
import Project
import Workflows

/// A state machine as it is configured: a file with its definition in the Amazon States Language, or what the project says.
package struct WorkflowSetting: Sendable, Equatable {
    /// The file of its definition.
    package var definition: String?
    /// The definition itself, of a project.
    package var text: String?
    package var isExpress = false
    /// The values of `${NAME}` in it.
    package var substitutions: [String: String] = [:]
    /// When it is started by the clock.
    package var schedules: [ScheduleSetting] = []
    /// The project's definition, some of which is known only when the server runs.
    var resource: StateMachineResource?

    package init() {}

    /// True if nobody but the project says what it is.
    var isOfProject: Bool { definition == nil && text == nil }

    struct Fault: Error {
        let message: String
    }

    /// The same as the room has it.
    func machine(named name: String, createdMilliseconds: Int64) throws(Fault) -> WorkflowMachine {
        var text = try written
        for (name, value) in substitutions.sorted(by: { $0.key < $1.key }) {
            let quoted = JSONWriter.text(of: .string(value)).dropFirst().dropLast()
            text = text.parts(separatedBy: "${\(name)}").joined(separator: String(quoted))
        }
        do throws(FlowRefusal) {
            return try WorkflowMachine(
                name, definition: text, isExpress: isExpress, createdMilliseconds: createdMilliseconds)
        } catch {
            throw Fault(message: error.text)
        }
    }

    private var written: String {
        get throws(Fault) {
            if let text { return text }
            guard let definition else { throw Fault(message: "it has no definition") }
            guard let bytes = try? SmallFile.read(definition, bytesMax: WorkflowLimits.definitionBytesMax) else {
                throw Fault(
                    message:
                        "the file \(definition) cannot be read, or has more than \(WorkflowLimits.definitionBytesMax) bytes"
                )
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension WorkflowSetting: SettingObject {
    package static let members: [SettingMember<WorkflowSetting>] = [
        SettingMember("definition", \.definition),
        SettingMember("text", \.text),
        SettingMember("type") { value, machine in
            machine.isExpress = value.string == "EXPRESS"
        } shown: { machine in
            machine.isExpress ? "EXPRESS" : "STANDARD"
        },
        SettingMember("substitutions", \.substitutions),
        ScheduleSetting.member(\.schedules),
    ]

    /// A state machine of a project, whose definition comes when it is known what its parts stand for.
    init(_ machine: StateMachineResource) {
        resource = machine
        isExpress = machine.isExpress
        schedules = machine.schedules.map(ScheduleSetting.init)
    }
}

extension WorkflowSetting {
    /// The setting with the definition of the project, as far as its parts have texts here.
    ///
    /// - Returns: also what is known to nobody.
    func resolved(_ values: ProjectValues) -> (WorkflowSetting, unknown: [String]) {
        guard let resource else { return (self, []) }
        var setting = self
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
