/// The version of this program.
package enum Version {
    package static let name = "homeport"
    /// Follows semver.org; `CHANGELOG.md` says what is in it.
    package static let number = "0.1.0"
}
