import JSON

extension PoolOperation {
    /// Passkeys, which this pool does not offer: apps that ask are told so in Cognito's words.
    static let passkeys: [PoolOperation] = [
        refused("StartWebAuthnRegistration", []),
        refused("CompleteWebAuthnRegistration", [.init("Credential", .anything, isRequired: true)]),
        refused(
            "ListWebAuthnCredentials",
            [
                .init("MaxResults", .integer(0...20)),
                .init("NextToken", .text(1...PoolLimits.authParameterMax, .solid)),
            ]),
        refused(
            "DeleteWebAuthnCredential",
            [.init("CredentialId", .text(0...PoolLimits.authParameterMax), isRequired: true)]),
    ]

    private static func refused(_ name: String, _ members: [MemberShape.Member]) -> PoolOperation {
        PoolOperation(name, .open, [.init("AccessToken", .accessToken, isRequired: true)] + members) {
            run throws(PoolError) in
            _ = try await run.signedInUser()
            throw PoolError("WebAuthnNotEnabledException", "Passkeys are not enabled for this user pool.")
        }
    }
}
