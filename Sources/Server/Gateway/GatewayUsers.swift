import Access
import JSON
import Network
import Project
import UserPool

/// Recognises users of the pool who call paths of APIs: by their tokens alone, whatever modes the GraphQL API has.
struct GatewayUsers: Sendable {
    /// For each loop its own; none where no path is for users.
    private let authenticators: [Authenticator]

    init(_ configuration: Configuration, _ recognition: CallerRecognition) throws(StartError) {
        let isWanted = configuration.functions.values.contains { $0.rest.contains { $0.scopes != nil } }
        authenticators = isWanted ? try recognition.authenticators(for: [.userPools]) : []
    }

    /// - Parameter scopes: those of which an access token has one; none: an ID token is wanted, or with version 2 either.
    func user(
        of request: HTTPRequest, _ body: [UInt8], _ scopes: [String], _ event: RestPath.EventForm,
        _ outside: any OutsideService
    ) async throws(Refusal) -> TokenClaims {
        let place = request.loop.index
        guard authenticators.indices.contains(place), let text = request.head.fields["authorization"],
            !SignatureHeader.begins(text)
        else { throw Refusal.notAuthorized }
        // Another field of the request is no business of this.
        let sent = CredentialRequest(
            path: "/", fields: ListedFields([("authorization", text)]), body: [])
        let identity: Identity
        switch authenticators[place].identify(sent) {
        case .identity(let known): identity = known
        case .refused(let refusal): throw Refusal.notAuthorized.because(refusal.reason ?? refusal.message)
        case .pending(let pending): identity = try await pending.identity(using: outside)
        }
        guard let token = identity.token else { throw Refusal.notAuthorized }
        let use = token.claims["token_use"]?.string
        guard scopes.isEmpty else {
            let held = (token.claims["scope"]?.string ?? "").words
            guard use == "access", scopes.contains(where: { held.contains($0) }) else {
                throw Refusal.notAuthorized.because(
                    "the token is no access token with one of the scopes that are wanted")
            }
            return token
        }
        guard event == .version2 || use != "access" else {
            throw Refusal.notAuthorized.because("an access token stands where an ID token is wanted")
        }
        return token
    }
}
