import Blueprint
import GraphQL
import JSON
import Project
import Script

extension FunctionRun {
    /// What functions come to when the program has ended: by the resources under them, and by what calls them.
    func settle(_ signIn: SignInRun, _ run: ProgramRun) {
        for (place, part) in parts where functions.indices.contains(place) { settle(part, of: place, signIn, run) }
        signIn.timers.settle(signIn)
    }

    // MARK: Resources under functions

    private static let variables = ["Environment", "Variables"]
    private static let runtimePrefix = "nodejs"

    private func settle(_ part: ResourcePart, of place: Int, _ signIn: SignInRun, _ run: ProgramRun) {
        func unread(_ name: String) {
            signIn.assignments.warn(
                "`\(part.object.origin).\(name)` cannot be read, so it does not hold here",
                at: signIn.assignments.position(of: part.object, name))
        }
        if let written = part.value("environment") {
            if let variables = Self.variables(in: written) {
                functions[place].environment = []
                for (name, value) in variables { functions[place].set(name, to: run.environmentValue(value)) }
            } else if !written.isNullish {
                unread("environment")
            }
        }
        for override in part.overrides where override.path.starts(with: Self.variables) && override.path.count == 3 {
            functions[place].environment.removeAll { $0.name == override.path[2] }
            if let value = override.value { functions[place].set(override.path[2], to: run.environmentValue(value)) }
        }
        for override in part.overrides where override.value == nil && override.path.count < 3 {
            if Self.variables.starts(with: override.path) { functions[place].environment = [] }
        }
        if let value = part.value("timeout") {
            if let seconds = part.whole("timeout"), seconds > 0 {
                functions[place].timeoutSeconds = seconds
            } else if !value.isNullish {
                unread("timeout")
            }
        }
        if let value = part.value("memorySize") {
            if let size = part.whole("memorySize"), size > 0 {
                functions[place].memoryMegabytes = size
            } else if !value.isNullish {
                unread("memorySize")
            }
        }
        if part.value("runtime") != nil {
            if let name = part.text("runtime"), name.hasPrefix(Self.runtimePrefix),
                let version = name.dropFirst(Self.runtimePrefix.utf8.count).split(separator: ".").first.flatMap({
                    Int($0)
                })
            {
                functions[place].runtime = version
            } else {
                unread("runtime")
            }
        }
    }

    /// The members of `variables` of an environment that is assigned.
    private static func variables(in environment: ProgramValue) -> [(name: String, value: ProgramValue)]? {
        guard case .object(let environment) = environment, known(environment).contains("variables"),
            case .object(let variables)? = try? environment.get("variables")
        else { return nil }
        return known(variables).compactMap { name in (try? variables.get(name)).map { (name, $0) } }
    }

    /// The names of the members that the program has written, also of an object with something unknown spread into it.
    private static func known(_ object: ProgramObject) -> [String] {
        let keys = (object as? OpaqueObject)?.assignedKeys ?? (try? object.enumerableKeys()) ?? []
        return keys.map { object.realm.describe($0) }
    }
}
