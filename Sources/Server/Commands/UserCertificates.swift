import Network

/// The certificate of the user of this machine, for all servers of theirs: `homeport certificate --trust` makes it.
package enum UserCertificates {
    /// The folder `homeport/certificates` of the user's configuration folder; nil where the environment names no such folder.
    package static func files(_ environment: [String: String]) -> LocalCertificateFiles? {
        let own = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") && $0 != "/" ? "\($0)/.config" : nil }
        return (own ?? home).map { LocalCertificateFiles(of: "\($0)/homeport/certificates") }
    }
}
