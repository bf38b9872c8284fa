/// The page that takes the place of a provider's.
struct StandInPage {
    let run: HostedRun
    let provider: IdentityProvider
    let authorization: AuthorizationRequest
    /// As it came, for the form.
    let query: FormPairs

    func answer(problem: String? = nil, status: Int = 200) -> HostedAnswer {
        let cookie = run.cookie
        let told: HTML = problem.map { #"<p class="error" role="alert" id="problem">\#($0)</p>"# } ?? ""
        let form = run.request.form
        let title = provider.title
        return run.page(
            "Sign in with \(title)",
            """
            <p class="note">This page of Homeport stands in for \(title) on this machine: you are whoever you say.</p>
            \(told)<form method="post" action="\(HostedPath.standIn.rawValue)?\(query.encoded)">
            <input type="hidden" name="\(HostedRun.formTokenName)" value="\(run.formToken(cookie))">
            <label for="email">E-mail</label>
            <input id="email" name="email" type="email" value="\(form?["email"] ?? authorization.hint ?? "")" \
            autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>
            <label for="name">Name</label>
            <input id="name" name="name" type="text" value="\(form?["name"] ?? "")" autocomplete="name" maxlength="256">
            <button>Continue</button>
            <button name="cancel" value="1" formnovalidate>Cancel</button></form>
            """, cookie, for: authorization, status: status)
    }
}
