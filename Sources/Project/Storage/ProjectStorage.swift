import Blueprint

/// The storage of a project.
package enum ProjectStorage: Sendable, Equatable {
    /// Nothing at all.
    case none
    /// As `defineStorage` does, in the order of the project.
    case version2([StorageResource])
    /// As `amplify add storage` does.
    case version1(Version1Storage)
    /// It says something, and that is refused: nobody may do anything.
    case refused
}
