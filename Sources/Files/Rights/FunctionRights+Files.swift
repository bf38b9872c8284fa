import Access

extension FunctionRights {
    /// Returns whether the role of a function may do that to an object, or, for `list`, see the keys of its bucket.
    func allow(_ action: FileAction, _ bucket: String, _ key: String) -> Bool {
        let (name, place) = Self.question(action, bucket, key)
        // There are as many keys as there are files.
        return refusal(of: name, on: place, isRemembered: action == .list) == nil
    }

    /// Returns whether a statement denies it, whoever else allows it.
    func denies(_ action: FileAction, _ bucket: String, _ key: String) -> Bool {
        let (name, place) = Self.question(action, bucket, key)
        return policy.verdict(on: name, place) == .denied
    }

    private static func question(
        _ action: FileAction, _ bucket: String, _ key: String
    ) -> (action: String, place: PolicyResource) {
        let object = PolicyResource("s3", "\(bucket)/", key)
        return switch action {
        case .get: ("s3:GetObject", object)
        case .list: ("s3:ListBucket", PolicyResource("s3", bucket))
        case .put: ("s3:PutObject", object)
        case .delete: ("s3:DeleteObject", object)
        }
    }
}
