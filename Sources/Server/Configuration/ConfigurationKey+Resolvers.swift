extension ConfigurationKey {
    /// Resolvers of the app's own.
    static let resolvers: [ConfigurationKey] = [
        ConfigurationKey(
            "resolvers.dataSources",
            .map(
                .object([
                    ConfigurationField("model", .text, "The model whose table it is."),
                    ConfigurationField("table", .text, "Or the name of another table, as the DynamoDB API knows it."),
                    ConfigurationField("endpoint", .url, "Or where a service is called over HTTP."),
                    ConfigurationField("function", .text, "Or the function that is called; a name of `functions`."),
                    ConfigurationField(
                        "maxBatchSize", .integer(1...2_000),
                        "How many invocations of it may go as one (`BatchInvoke`); 5 without."),
                    ConfigurationField("eventBus", .text, "Or the bus that events are put on."),
                    ConfigurationField("openSearch", .url, "Or where OpenSearch is."),
                    ConfigurationField("partitionKey", .text, "Of a table that is made here: `id`, or `number:N`."),
                    ConfigurationField("sortKey", .text, "The same of its sort key."),
                    ConfigurationField(
                        "indexes", .map(.text), "Its indexes by name: `{\"byOwner\": \"owner, at:N\"}`."),
                    ConfigurationField("database", .boolean, "Whether it is a relational database."),
                    ConfigurationField("dataApi", .url, "Where the Data API of that one is."),
                    ConfigurationField("cluster", .text, "What that wants to know as `resourceArn`."),
                    ConfigurationField("secret", .text, "And as `secretArn`."),
                    ConfigurationField("databaseName", .text, "And as `database`."),
                    ConfigurationField("models", .boolean, "Whether it is language models (docs/ai.md)."),
                    ConfigurationField(
                        "none", .boolean, "Whether it is nothing, so that what is sent there is the result."),
                    ConfigurationField(
                        "signingService", .text, "What requests over HTTP are signed for, such as `bedrock`."),
                    ConfigurationField("signingRegion", .text, "In which region (`us-east-1`)."),
                    ConfigurationField(
                        "policy", .list(.object(statement)),
                        "What its role may do at the services of this server, beside what a project gives it."),
                ])), \.resolvers.sources,
            "What resolvers of the app's own work on, by the names that they have for it; with what the project adds. The tables "
                + "of models and `NONE_DS` need not be said."),
        ConfigurationKey(
            "resolvers.environment", .map(.text), \.resolvers.environment,
            "The variables that resolvers find in `ctx.env`; with those of the project."),
        ConfigurationKey(
            "resolvers.endpoints", .map(.url), \.resolvers.endpoints,
            "Where services are that resolvers call at other addresses: `{\"https://api.example.com\": "
                + "\"http://127.0.0.1:9000\"}`. Services of AWS that this server stands for need not be said."),
    ]
}
