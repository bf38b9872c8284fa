import GraphQL

extension Engine {
    /// Plans a query that a client might send, and forgets it: code and tables that nothing has touched yet are there then
    /// when the first request comes. For a thread that has nothing better to do.
    package func warmUp() {
        let fields = schema.queryType.flatMap { schema[$0].fields?.fields } ?? []
        let usual = fields.first {
            schema[$0.type.named].isComposite && !$0.arguments.values.contains(where: \.isRequired)
        }
        guard let usual else { return }
        let body = #"{"query": "{ \#(usual.name) { __typename } }"}"#
        guard let request = try? EngineRequest(parsing: Array(body.utf8)) else { return }
        var plans = PlanCache()
        _ = try? plans.plan(for: request, in: self)
    }
}
