import Access

/// The keys that administer the built-in user pool while nobody has configured any: tests and seeds sign with them.
///
/// They are no secret. So they count for programs on this machine, under one of its own names, and only as long as nobody else can
/// reach the server and no administrator is configured. Web pages of other origins are refused: a script signs as well as a test does.
enum DevelopmentAdministrator {
    static let accessKeyID = "local"
    static let secret = "local"

    static let credential = PrincipalCredential(
        secret: secret, principal: IAMPrincipal(role: .administrator, accessKeyID: accessKeyID),
        reach: .programsOfThisMachine)
}

extension Configuration {
    /// True if the keys that everybody knows administer the pool.
    var acceptsDevelopmentAdministrator: Bool {
        isForThisMachineOnly && !auth.principals.contains { $0.principal.role == .administrator }
    }

    /// Whose signatures the administration of the pool may be under.
    var administrators: [PrincipalCredential] {
        auth.principals + (acceptsDevelopmentAdministrator ? [DevelopmentAdministrator.credential] : [])
    }
}
