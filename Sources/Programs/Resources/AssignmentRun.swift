import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What a program assigns to the resources of a deployment. Each assignment is read, has no meaning here, is said not to hold, or
/// refuses the project: none is dropped without a word.
final class AssignmentRun {
    private var assignments: [(object: OpaqueObject, name: String, position: Position)] = []
    /// Calls of methods that no resource has, whose names resemble one of those that assign.
    private var misspelled: [(object: OpaqueObject, name: String, nearest: String, position: Position)] = []
    private(set) var warnings: [(message: String, position: Position)] = []
    private static let assignmentsMax = 1_000
    /// True for `override.ts` of a Gen 1 project that changes other resources than those of sign-in.
    var isOfOverride = false
    /// True if such an override has the API tell nobody its schema.
    private(set) var hidesSchema = false

    func note(_ object: OpaqueObject, _ name: String, at position: Position) {
        if assignments.count < Self.assignmentsMax { assignments.append((object, name, position)) }
    }

    /// `x.addPropertyOverride('MfaConfiguration', 'ON')` of something that has no such method here is an assignment, too.
    func note(call function: OpaqueObject, _ arguments: [ProgramValue], at position: Position) {
        guard case .member(let owner, let method) = function.making else { return }
        if Self.isOfDeployment(owner), let warning = UnreadParts.warning(of: function) { warn(warning, at: position) }
        if isOfOverride, Self.changing.contains(method) { return note(owner, method, at: position) }
        guard let prefix = DeployedPool.overrideMethods.first(where: { $0.name == method })?.prefix else {
            let nearest = NearestName.of(method, in: DeployedPool.overrideMethods.map(\.name))
            if let nearest, misspelled.count < Self.assignmentsMax {
                misspelled.append((owner, method, nearest, position))
            }
            return
        }
        guard case .text(let text)? = arguments.first,
            let path = PropertyPath.names(in: text.string, behind: prefix)
        else { return }
        var names = Array(path.prefix(1))
        // `addOverride('Properties', { A: 1, B: 2 })`
        if names.isEmpty, case .object(let members)? = arguments.dropFirst().first, !members.isOpaque {
            names = ((try? members.enumerableKeys()) ?? []).map { members.realm.describe($0) }
        }
        for name in names { note(owner, DeployedPool.propertyName(name), at: position) }
    }

    /// Where a property was assigned for the last time.
    func position(of object: OpaqueObject, _ name: String) -> Position {
        assignments.last { $0.object === object && $0.name == name }?.position ?? .none
    }

    func warn(_ message: String, at position: Position) {
        if !warnings.contains(where: { $0.message == message }) { warnings.append((message, position)) }
    }

    /// - Parameter parts: those whose properties were looked at already.
    func settle(_ errors: ResourceErrors, _ files: ProgramFiles, readBy parts: [OpaqueObject]) {
        for (object, name, nearest, position) in misspelled
        where parts.contains(where: { $0 === object }) || Self.isOfSignIn(object)
            || ResourceProperties.all.contains(where: { $0.saysRights && $0.isMeant(by: object) })
        {
            errors.add(
                TypeScriptError(
                    "`\(object.origin)` has no method `\(name)`, so what it says would not hold", at: position,
                    hint: "Did you mean \(nearest)?"))
        }
        for (object, name, position) in assignments where !parts.contains(where: { $0 === object }) {
            if isOfOverride {
                settleOverride(of: object, name, errors, at: position)
            } else if let resource = ResourceProperties.all.first(where: { $0.isMeant(by: object) }) {
                let check = PropertyCheck(resource, errors, place: { _ in position }, warn: warn)
                if let value = try? object.get(name) { check.run(on: name, value) }
            } else if Self.isOfSignIn(object) {
                errors.add(
                    TypeScriptError(
                        "nothing here reads `\(object.origin).\(name)`, so what it says of sign-in would not hold",
                        at: position,
                        hint: "Is it written as in the documents of Amplify? Its place is backend.auth.resources."))
            } else if !object.isExtended, Self.isOfDeployment(object), UnreadParts.saysRights("", name) {
                errors.add(UnreadParts.error(object.origin, name, at: position))
            } else if !object.isExtended, Self.isOfDeployment(object) {
                warn("`\(object.origin).\(name)` does not hold here: nothing reads it", at: position)
            }
        }
    }

    // MARK: Overrides of Gen 1

    /// Methods that change a list of what is known only when the app is deployed.
    private static let changing: Set<String> = ["push", "unshift", "splice", "pop", "shift", "fill"]
    /// The resources of Amplify's templates whose properties are known, by the ends of their names.
    private static let overridden: [(name: String, resource: ResourceProperties)] = [
        ("s3Bucket", .bucket), ("dynamoDBTable", .table), ("modelDDBTable", .table), ("GraphQLAPI", .api),
    ]
    private func settleOverride(
        of object: OpaqueObject, _ name: String, _ errors: ResourceErrors, at position: Position
    ) {
        guard object.origin.hasPrefix(Version1Override.resources) else { return }
        let steps = object.origin.dropFirst(Version1Override.resources.count)
        if let known = Self.overridden.first(where: { steps.hasSuffix(".\($0.name)") }) {
            let check = PropertyCheck(known.resource, errors, place: { _ in position }, warn: warn)
            guard let value = try? object.get(name) else { return }
            check.run(on: name, value)
            guard name == "introspectionConfig", case .text(let text) = value else { return }
            hidesSchema = text.string == DataSourceRun.hidden
        } else if UnreadParts.saysRights(String(steps), name) {
            errors.add(UnreadParts.error(object.origin, name, at: position))
        } else {
            warn("`\(object.origin).\(name)` does not hold here: nothing reads it", at: position)
        }
    }

    /// The words without which nothing leads to the resources of sign-in.
    private static let words = [
        "backend.auth", "resources.userPool", "resources.identityPool", "cfnUserPool", "cfnIdentityPool", "CfnUserPool",
        "CfnIdentityPool",
    ]

    /// Returns whether a deployment makes something of it: what `defineBackend` gives, and what comes of the CDK.
    private static func isOfDeployment(_ object: OpaqueObject) -> Bool {
        guard let module = object.module?.address else { return true }
        return object.origin.hasPrefix("new ")
            || ["aws-cdk-lib", "constructs"].contains { module.contains(bytesOf: $0) }
    }

    /// What `override.ts` of a Gen 1 project finds the same resources by.
    private static let version1Names = ["userPool", "userPoolClient", "userPoolClientWeb", "identityPool"]

    private static func isOfSignIn(_ object: OpaqueObject) -> Bool {
        if words.contains(where: { object.origin.contains(bytesOf: $0) }) { return true }
        // One of them, misspelled.
        let steps = object.origin.split(separator: ".", maxSplits: 2)
        guard steps.count > 1, String(steps[0]) == "resources" else { return false }
        return NearestName.of(String(steps[1]), in: version1Names) != nil
    }

    func forgetObjects() { (assignments, misspelled) = ([], []) }
}
