extension HomeportProcess {
    /// The body of the answer to an operation, sent with these header fields.
    package func answer(to query: String, fields: [String] = [OperationClient.key]) throws -> String {
        try OperationClient(port: port, fields: fields).answer(to: query)
    }
}
