import Project
import Script

/// `new X(scope, 'id', { ... })` of a class that exists only outside, such as a construct of the CDK: what it makes, and what it is given.
struct NewConstruct {
    let made: OpaqueObject
    /// The class, as the program has it: `sqs.Queue`.
    let kind: OpaqueObject
    /// The name of the class: `Queue`.
    let name: String
    let arguments: [ProgramValue]

    init(_ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [ProgramValue]) {
        (self.made, self.kind, self.arguments) = (made, kind, arguments)
        name = kind.origin.split(separator: ".").last.map(String.init) ?? ""
    }

    /// The address of the module that has the class; empty: none has.
    var module: String { kind.module?.address ?? "" }

    /// The name of its place in a stack.
    var id: String? { arguments.count > 1 ? arguments[1].text : nil }

    /// Its options as the program has written them; nil: there are none, or they are known only when the app is deployed.
    var options: ScriptObject? { arguments.count > 2 ? arguments[2].plain : nil }

    /// The name that an option gives it; without one it has that of its place.
    func givenName(_ option: String) -> String? { options?.text(option) ?? id }
}
