import JSON
import Workflows

extension ConfigurationKey {
    /// The app's state machines.
    static let workflows: [ConfigurationKey] = [
        ConfigurationKey(
            "stateMachines",
            .map(
                .object([
                    ConfigurationField(
                        "definition", .path, "The file of its definition, in the Amazon States Language."),
                    ConfigurationField("text", .text, "Or the definition itself."),
                    ConfigurationField("type", .choice(["STANDARD", "EXPRESS"]), "Its type (`STANDARD`)."),
                    ConfigurationField(
                        "substitutions", .map(.text), "What stands for `${NAME}` in the definition, by its names."),
                    ConfigurationField(
                        "schedule", schedules,
                        "When it is started by the clock, as functions are called: `rate(5 minutes)`, the fields of a cron."
                    ),
                ])), \.stateMachines,
            "The state machines that the app has, as Step Functions runs them; with those of the project.")
    ]
}
