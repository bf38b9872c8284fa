import JSON
import Language

extension ConfigurationKey {
    /// Who answers in the place of models of language.
    static let language: [ConfigurationKey] = [
        ConfigurationKey(
            "bedrock.url", .url, \.language.url,
            "Where calls of language models are passed on to: Bedrock itself, `https://bedrock-runtime.eu-west-1.amazonaws.com`, or "
                + "what speaks as it does. It goes before `bedrock.openai`, and that before `bedrock.rules`; with none of them a "
                + "stand-in answers that it is one."),
        ConfigurationKey(
            "bedrock.region", .text, \.language.region, "The region that calls to `bedrock.url` are signed for."),
        ConfigurationKey(
            "bedrock.credentials",
            .object([
                ConfigurationField("accessKeyId", .text, isRequired: true, "The access key."),
                ConfigurationField("secretAccessKey", .text, isRequired: true, isSecret: true, "Its secret."),
                ConfigurationField(
                    "sessionToken", .text, isSecret: true, "The session token, of temporary credentials."),
            ]), \.language.credentials,
            "What calls to `bedrock.url` are signed with. Without it they are not signed."),
        ConfigurationKey(
            "bedrock.openai",
            .either(
                .url,
                .object([
                    ConfigurationField("url", .url, isRequired: true, "Where `/chat/completions` is below."),
                    ConfigurationField("key", .text, isSecret: true, "The key that it wants as a bearer token."),
                    ConfigurationField(
                        "model", .text,
                        "The model for all that `models` has no name for; without it, the app's own name."),
                    ConfigurationField(
                        "models", .map(.text), "Its models by the names that the app has for them."),
                ])), \.language.compatible,
            "An endpoint with OpenAI's chat completions that answers in the place of Bedrock's models, such as Ollama's, "
                + "`http://127.0.0.1:11434/v1`."),
        ConfigurationKey(
            "bedrock.rules", .path, \.language.rules,
            "A file of rules that answer in the place of models, for tests; it is read for each request."),
    ]
}
