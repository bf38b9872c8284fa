/// Who may do what in a bucket.
package protocol FileRights: Sendable {
    /// Returns whether the caller may do that to the object with this key; for `list`, to all keys that begin with it. What no rule
    /// allows is denied.
    func allow(_ action: FileAction, _ key: String, to caller: FileCaller) -> Bool
}
