import Access

extension FileCaller {
    /// Who the owner of credentials is to files. Credentials of a function count as the function's whatever else they are;
    /// whoever acts in the role of a group that is not known any more has the rights of no group.
    package init(_ principal: IAMPrincipal) {
        let identity = principal.identityID ?? ""
        if let function = principal.function {
            self = .function(name: function, rights: principal.rights)
        } else if principal.isInGroupRole {
            self = .member(group: principal.group ?? "", identity: identity)
        } else {
            self =
                switch principal.role {
                case .administrator: .administrator
                case .authenticated: .user(identity: identity)
                case .unauthenticated: .guest(identity: identity)
                }
        }
    }
}
