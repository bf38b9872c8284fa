import Blueprint
import GraphQL
import Project
import Script

/// `Aspects.of(scope).add({ visit(node) { ... } })`: a deployment shows such a function every construct, and it may change any. It is not
/// called here. The project is refused where the text of the function names resources of sign-in or files: it may restrict rights.
struct AspectCall {
    private let origin: String
    /// A word of its text by which it changes rights.
    private let word: String?

    /// Nil: the call is another.
    init?(_ function: OpaqueObject, _ arguments: [ProgramValue]) {
        guard case .member(let aspects, "add") = function.making, case .call = aspects.making,
            aspects.origin.hasSuffix("Aspects.of()")
        else { return nil }
        origin = "\(function.origin)()"
        word = arguments.lazy.compactMap(Self.visit).compactMap(UnreadParts.word).first
    }

    func note(in signIn: SignInRun, at position: Position) {
        guard let word else {
            return signIn.assignments.warn(
                "`\(origin)` does not hold here: no aspect is shown the constructs of the project", at: position)
        }
        signIn.errors.add(
            TypeScriptError(
                "`\(origin)` speaks of \(word), and no aspect is shown the constructs here, so what it restricts would not hold",
                at: position, hint: "Change the resource itself, as in backend.auth.resources.cfnResources."))
    }

    /// The function that visits the constructs.
    private static func visit(_ value: ProgramValue) -> ProgramValue? {
        guard case .object(let visitor) = value else { return nil }
        return try? visitor.get("visit")
    }
}

/// The words without which no program changes what `defineAuth` and `defineStorage` say of rights.
enum RightsWords {
    static let all = ofResources + ["defaultChild", "findChild", "Aspects"]

    /// Those that name the resources themselves.
    static let ofResources = [
        "cfnUserPool", "cfnIdentityPool", "cfnUserGroup", "cfnBucket", "CfnUserPool", "CfnIdentityPool", "CfnBucket",
        "IamRole",
    ]
}
