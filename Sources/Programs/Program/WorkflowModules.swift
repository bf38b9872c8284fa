import Blueprint
import Project
import Script

/// What programs import of the CDK's modules for state machines. Their constructs are classes of a program of our own, which puts the
/// definition together as the CDK does: chains, branches and conditions refer to each other long before anybody asks for it.
enum WorkflowModules {
    /// The modules, by what programs call them; what they have beside that is opaque.
    private static let programs = [
        ("aws-cdk-lib/aws-stepfunctions", WorkflowProgram.constructs),
        ("aws-cdk-lib/aws-stepfunctions-tasks", WorkflowProgram.tasks),
    ]
    private static let rest = "rest:"
    private static let host = "homeport:workflows"

    /// The address of a module by its name; nil: it is none of these.
    static func address(of specifier: String) -> String? {
        if specifier == host || specifier.hasPrefix(rest) { return specifier }
        return programs.contains { $0.0 == specifier } ? specifier : nil
    }

    static func load(_ address: String, _ realm: Realm) throws(ScriptHostError) -> ModuleSource? {
        if address == host { return .native(exports(realm)) }
        if address.hasPrefix(rest) { return .opaque(name: String(address.dropFirst(rest.count))) }
        guard let text = programs.first(where: { $0.0 == address })?.1 else { return nil }
        do throws(ScriptSyntaxError) {
            return .program(try Script.compile(text, file: address, SyntaxOptions(goal: .module, isTypeScript: false)))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    /// What those programs ask of here.
    private static func exports(_ realm: Realm) -> [(name: String, value: ProgramValue)] {
        func function(
            _ name: String, _ body: @escaping @Sendable (borrowing NativeCall) throws(Thrown) -> ProgramValue
        ) -> (name: String, value: ProgramValue) {
            (name, .object(realm.function(name, length: 1, body)))
        }
        return [
            function("isOpaque") { call in
                if case .object(let object) = call[0] { .boolean(object.isOpaque) } else { .boolean(false) }
            },
            // `Duration.minutes(5)`
            function("seconds") { call in
                CDKDuration.seconds(call[0]).map { .number(Double($0)) } ?? .undefined
            },
            function("opaque") { call in
                var origin = "stateMachine"
                if case .text(let text) = call[0] { origin = text.string }
                return .object(OpaqueObject(call.realm, origin: origin))
            },
            function("give") { call throws(Thrown) in
                try ProgramRun.of(call.realm).signIn?.grants.give(call[0])
                return .undefined
            },
            function("define") { call throws(Thrown) in
                let run = try ProgramRun.of(call.realm)
                guard let signIn = run.signIn, case .object(let made) = call[0] else { return .undefined }
                return try signIn.workflows.define(made, call.arguments, run)
            },
        ]
    }
}
