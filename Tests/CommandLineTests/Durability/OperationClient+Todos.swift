import Foundation
import TestSupport

extension OperationClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The `data` of an answer without errors.
    func data(_ query: String, _ variables: [String: Any] = [:]) throws -> [String: Any] {
        let text = try answer(to: query, variables)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        guard let value, value["errors"] == nil, let data = value["data"] as? [String: Any] else {
            throw Failure(description: text)
        }
        return data
    }

    /// All todos, page by page: names by id.
    func todos() throws -> [String: String] {
        var found: [String: String] = [:]
        var token: Any = NSNull()
        while true {
            let data = try data(
                "query ($t: String) { listTodos(limit: 1000, nextToken: $t) { nextToken items { id name } } }",
                ["t": token])
            let page = data["listTodos"] as? [String: Any]
            for item in page?["items"] as? [[String: String]] ?? [] {
                found[item["id"] ?? ""] = item["name"]
            }
            guard let next = page?["nextToken"] as? String else { return found }
            token = next
        }
    }
}
