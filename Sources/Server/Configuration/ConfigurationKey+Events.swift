import EventPatterns
import Events
import JSON

extension ConfigurationKey {
    /// The app's events.
    static let events: [ConfigurationKey] = [
        ConfigurationKey(
            "events.buses", .list(.text), \.eventBuses,
            "The buses of events that the app has beside `default`; with those of the project."),
        ConfigurationKey(
            "events.rules",
            .map(
                .object([
                    ConfigurationField("bus", .text, "The bus of whose events it is (`default`)."),
                    ConfigurationField(
                        "pattern",
                        .checked(
                            "event pattern",
                            expectation: "an event pattern as a text, such as \"{\\\"source\\\": [\\\"shop\\\"]}\"",
                            fault: EventRuleSetting.fault), isRequired: true,
                        "What it looks for, as EventBridge has it."),
                    ConfigurationField("enabled", .boolean, "Whether it is looked at (`true`)."),
                    ConfigurationField("targets", .list(.object(target)), isRequired: true, "Who is told."),
                ])), \.eventRules,
            "The rules by which events are passed on, as EventBridge does; with those of the project."),
    ]

    private static let target = [
        ConfigurationField("function", .text, "The function that is told; a name of `functions`."),
        ConfigurationField("queue", .text, "Or the queue that gets it as a message."),
        ConfigurationField(
            "stateMachine", .text, "Or the state machine that is started with it; a name of `stateMachines`."),
        ConfigurationField("group", .text, "The group of the message, for a queue in order."),
        ConfigurationField("inputPath", .text, "The part of the event that is told, such as `$.detail`."),
        ConfigurationField("input", .text, "Or a text that is told in its place."),
        ConfigurationField("template", .text, "Or a text with values of the event: `{\"order\": <id>}`."),
        ConfigurationField("paths", .map(.text), "Where those values are: `{\"id\": \"$.detail.id\"}`."),
    ]
}
