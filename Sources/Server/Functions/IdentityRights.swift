import Access
import JSON
import Project

/// The rights of the identity pool's roles at Lambda's API, by the project: none by default, and none that could not be read.
struct IdentityRights: Sendable {
    private let users: RolePolicy
    private let guests: RolePolicy
    private let groups: [ByteText: RolePolicy]

    /// Nobody may do anything.
    init() { (users, guests, groups) = (RolePolicy(), RolePolicy(), [:]) }

    /// - Parameter values: what a deployment would make of the project.
    init(_ grants: IdentityRoleGrants, _ values: ProjectValues?) {
        users = RolePolicy(grants.users, values)
        guests = RolePolicy(grants.guests, values)
        groups = Dictionary(
            texts: grants.groups.map { ($0.name, RolePolicy($0.grants, values)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The policy of the role in which an identity acts; nil: it is none of the pool's, or that of a group without rights.
    private func policy(of principal: IAMPrincipal) -> RolePolicy? {
        switch principal.role {
        case .administrator: nil
        case .unauthenticated: guests
        case .authenticated: principal.isInGroupRole ? principal.group.flatMap { groups[$0] } : users
        }
    }

    /// Why an identity may not do something to what goes by these names; nil: it may.
    func refusal(of action: String, onOneOf names: [PolicyResource], by principal: IAMPrincipal) -> Refusal? {
        let verdicts = names.map { policy(of: principal)?.verdict(on: action, $0) ?? .notAllowed }
        guard verdicts.contains(.allowed), !verdicts.contains(.denied) else {
            return .accessDenied(principal.userARN, action: action).because(
                "the project does not give \(Self.name(of: principal)) \(action) on \(names.first?.name ?? "*"); "
                    + "backend.NAME.resources.lambda.grantInvoke(ROLE) in amplify/backend.ts does")
        }
        return nil
    }

    private static func name(of principal: IAMPrincipal) -> String {
        switch principal.role {
        case .administrator: "an administrator"
        case .unauthenticated: "the role of guests"
        case .authenticated where principal.isInGroupRole: "the role of the group \(principal.group ?? "")"
        case .authenticated: "the role of signed-in users"
        }
    }
}
