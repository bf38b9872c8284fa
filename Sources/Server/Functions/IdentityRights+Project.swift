import Access
import JSON
import Project

extension IdentityRights {
    /// - Parameter values: what a deployment would make of the project.
    convenience init(_ grants: IdentityRoleGrants, _ values: ProjectValues?) {
        self.init(
            users: RolePolicy(grants.users, values), guests: RolePolicy(grants.guests, values),
            groups: grants.groups.map { ($0.name, RolePolicy($0.grants, values)) })
    }

    /// Why an identity may not do something to what goes by these names; nil: it may.
    func refusal(of action: String, onOneOf names: [PolicyResource], by principal: IAMPrincipal) -> Refusal? {
        let call = PolicyCall(identity: principal.identityID)
        let verdicts = names.map { name in
            Self.role(of: principal).map { verdict(of: $0, on: action, name, call) } ?? .notAllowed
        }
        guard verdicts.contains(.allowed), !verdicts.contains(.denied) else {
            return .accessDenied(principal.userARN, action: action).because(
                "the project does not give \(Self.name(of: principal)) \(action) on \(names.first?.name ?? "*"); "
                    + "backend.NAME.resources.lambda.grantInvoke(ROLE) in amplify/backend.ts does")
        }
        return nil
    }

    /// Nil: it is none of the pool's.
    private static func role(of principal: IAMPrincipal) -> Role? {
        switch principal.role {
        case .administrator: nil
        case .unauthenticated: .guests
        case .authenticated: principal.isInGroupRole ? principal.group.map { .group($0) } : .users
        }
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
