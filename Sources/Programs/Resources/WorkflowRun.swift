import Blueprint
import JSON
import Project
import Script

/// What a run of a project's programs finds out about state machines: those that `new StateMachine(...)` and `new CfnStateMachine(...)` make.
final class WorkflowRun {
    private(set) var machines: [StateMachineResource] = []
    /// What stands for a machine.
    private var objects: [(object: ProgramObject, place: Int)] = []
    private static let countMax = 1_000
    private static let nameBytesMax = 80
    /// What the values of a machine are called that are known only when the server runs: `stateMachines/NAME.stateMachineArn`.
    static let origin = "stateMachines/"

    func forgetObjects() { objects = [] }

    /// `define(machine, name, what, definition, type, substitutions)` of the program that stands for the CDK's modules.
    func define(_ made: ProgramObject, _ given: [ProgramValue], _ run: ProgramRun) throws(Thrown) -> ProgramValue {
        func argument(_ number: Int) -> ProgramValue { given.indices.contains(number) ? given[number] : .undefined }
        let realm = made.realm
        guard machines.count < Self.countMax else { return .undefined }
        let name = unused(argument(1).text ?? "StateMachine")
        var machine: StateMachineResource
        switch argument(2).text {
        case "file": machine = StateMachineResource(name, .file(argument(3).text ?? ""))
        case "text": machine = StateMachineResource(name, .text(run.environmentValue(argument(3))))
        default:
            var reader = OutputValue(firstNumber: 0)
            machine = StateMachineResource(name, .value(try reader.json(argument(3), "") ?? .null))
            machine.parts = reader.deployed.map(\.value)
        }
        if case .file(let path) = machine.content {
            // The CDK takes paths from where it runs.
            machine.content = .file(ProgramFiles.join(run.files.project.workingDirectory, path))
        }
        machine.isExpress = argument(4).text == "EXPRESS"
        if case .object(let written) = argument(5), !written.isOpaque {
            for key in try written.enumerableKeys() {
                machine.substitutions.append(
                    FunctionVariable(name: realm.describe(key), value: run.environmentValue(try written.get(key))))
            }
        }
        objects.append((made, machines.count))
        machines.append(machine)
        let answer = realm.object()
        answer.put("name", realm.value(name))
        answer.put("arn", .object(OpaqueObject(realm, origin: "\(Self.origin)\(name).stateMachineArn")))
        return .object(answer)
    }

    /// The machine that a value stands for.
    func name(of value: ProgramValue) -> String? { place(of: value).map { machines[$0].name } }

    /// A machine is started by the clock.
    func start(_ value: ProgramValue, by schedule: FunctionSchedule) -> Bool {
        guard let place = place(of: value) else { return false }
        machines[place].schedules.append(schedule)
        return true
    }

    private func place(of value: ProgramValue) -> Int? {
        guard case .object(let object) = value else { return nil }
        return objects.first { $0.object === object }?.place
    }

    /// Letters, digits, `-` and `_`; stacks may each have one of the same name.
    private func unused(_ text: String) -> String {
        let name = text.isEmpty ? "StateMachine" : ResourceName.of(text, bytesMax: Self.nameBytesMax - 4)
        return ResourceName.unused(name, among: machines.map(\.name))
    }
}
