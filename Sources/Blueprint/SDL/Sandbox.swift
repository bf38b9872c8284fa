import GraphQL

/// The sandbox rule: `input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }`.
enum Sandbox {
    static let inputName = "AMPLIFY"
    private static let help = "https://docs.amplify.aws/cli/graphql/authorization-rules"

    /// Returns whether the schema says that API keys may use models without rules.
    static func isOn(in definitions: [Definition], log: inout DiagnosticLog) -> Bool {
        for definition in definitions {
            guard case .type(.inputObject(let input)) = definition, input.name.text == inputName else { continue }
            guard
                let field = input.fields.first(where: { ["globalAuthRule", "global_auth_rule"].contains($0.name.text) })
            else {
                log.error(
                    "input AMPLIFY requires \"globalAuthRule\" field. Learn more here: \(help)",
                    at: input.name.position, step: .sandbox,
                    hint: "Write input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }.")
                return false
            }
            guard field.defaultValue?.object?.value("allow")?.text == "public" else {
                log.error(
                    "There was a problem with your auth configuration. Learn more about auth here: \(help)",
                    at: field.position, step: .sandbox,
                    hint: "The only rule there is { allow: public }; for others use @auth on the models.")
                return false
            }
            return true
        }
        return false
    }
}
