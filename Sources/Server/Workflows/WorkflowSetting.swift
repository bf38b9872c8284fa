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

extension WorkflowSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard value.object != nil else { return nil }
        self.init()
        definition = value["definition"]?.string
        text = value["text"]?.string
        isExpress = value["type"]?.string == "EXPRESS"
        substitutions = value["substitutions"].flatMap { [String: String](configured: $0) } ?? [:]
        schedules = ScheduleSetting.all(value["schedule"])
    }
}
