import Blueprint
import GraphQL
import JSON
import Script

/// What a program assigns to the resources of a deployment. Each assignment is read, has no meaning here, is said not to hold, or
/// refuses the project: none is dropped without a word.
final class AssignmentRun {
    private var assignments: [(object: OpaqueObject, name: String, position: Position)] = []
    private(set) var warnings: [(message: String, position: Position)] = []
    private static let assignmentsMax = 1_000

    func note(_ object: OpaqueObject, _ name: String, at position: Position) {
        if assignments.count < Self.assignmentsMax { assignments.append((object, name, position)) }
    }

    /// `x.addPropertyOverride('MfaConfiguration', 'ON')` of something that has no such method here is an assignment, too.
    func note(call function: OpaqueObject, _ arguments: [ProgramValue], at position: Position) {
        guard case .member(let owner, let method) = function.making,
            let prefix = DeployedPool.overrideMethods.first(where: { $0.name == method })?.prefix,
            case .text(let text)? = arguments.first, text.string.hasPrefix(prefix)
        else { return }
        let path = text.string.dropFirst(prefix.count)
        guard let first = path.split(separator: ".").first else { return }
        note(owner, DeployedPool.propertyName(first), at: position)
    }

    func warn(_ message: String, at position: Position) {
        if !warnings.contains(where: { $0.message == message }) { warnings.append((message, position)) }
    }

    /// - Parameter parts: those whose properties were looked at already.
    func settle(_ errors: ResourceErrors, _ files: ProgramFiles, readBy parts: [OpaqueObject]) {
        for (object, name, position) in assignments where !parts.contains(where: { $0 === object }) {
            if let resource = ResourceProperties.all.first(where: { $0.isMeant(by: object) }) {
                let check = PropertyCheck(resource, errors, place: { _ in position }, warn: warn)
                if let value = try? object.get(name) { check.run(on: name, value) }
            } else if Self.isOfSignIn(object) {
                errors.add(
                    TypeScriptError(
                        "nothing here reads `\(object.origin).\(name)`, so what it says of sign-in would not hold",
                        at: position,
                        hint: "Is it written as in the documents of Amplify? Its place is backend.auth.resources."))
            } else if object.origin.hasPrefix("backend.") || object.origin.hasPrefix("new ") {
                warn("`\(object.origin).\(name)` does not hold here: nothing reads it", at: position)
            }
        }
    }

    /// The words without which nothing leads to the resources of sign-in.
    private static let words = [
        "backend.auth", "resources.userPool", "resources.identityPool", "cfnUserPool", "cfnIdentityPool", "CfnUserPool",
        "CfnIdentityPool",
    ]

    private static func isOfSignIn(_ object: OpaqueObject) -> Bool {
        words.contains { object.origin.contains(bytesOf: $0) }
    }

    func forgetObjects() { assignments = [] }
}
