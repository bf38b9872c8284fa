import Access

extension FunctionRights {
    /// Returns whether the role of a function may do that to an object, or, for `list`, see the keys of its bucket.
    func allow(_ action: FileAction, _ bucket: String, _ key: String) -> Bool {
        let (name, place) = action.question(bucket, key)
        // There are as many keys as there are files.
        return refusal(of: name, on: place, isRemembered: action == .list) == nil
    }

    /// Returns whether a statement denies it, whoever else allows it.
    func denies(_ action: FileAction, _ bucket: String, _ key: String) -> Bool {
        let (name, place) = action.question(bucket, key)
        return policy.verdict(on: name, place) == .denied
    }
}

extension IdentityRights {
    /// Returns whether the role of an identity may do that to an object, or, for `list`, see the keys of its bucket that begin so.
    func allow(_ action: FileAction, _ bucket: String, _ key: String, to caller: FileCaller) -> Bool {
        let role: Role? =
            switch caller {
            case .guest: .guests
            case .user: .users
            case .member(let group, _): .group(group)
            case .anonymous, .administrator, .function: nil
            }
        guard let role else { return false }
        let (name, place) = action.question(bucket, key)
        let call = PolicyCall(identity: caller.identity, prefix: action == .list ? key : nil)
        return verdict(of: role, on: name, place, call) == .allowed
    }
}

extension FileAction {
    /// The action as policies call it, with what it is done to.
    fileprivate func question(_ bucket: String, _ key: String) -> (action: String, place: PolicyResource) {
        let object = PolicyResource("s3", "\(bucket)/", key)
        return switch self {
        case .get: ("s3:GetObject", object)
        case .list: ("s3:ListBucket", PolicyResource("s3", bucket))
        case .put: ("s3:PutObject", object)
        case .delete: ("s3:DeleteObject", object)
        }
    }
}
