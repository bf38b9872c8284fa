import JSON
import Network
import Testing

@testable import Cloud
@testable import Outbox

extension ServiceTable {
    /// Answers a call by its parameters, as a form has them.
    func answer(_ action: String, form parameters: [(String, String)]) async throws(CloudError) -> JSONObject {
        guard let form else { throw CloudError("NoForms", "The service has no forms.") }
        let members = try form.object(
            of: parameters.map { (name: $0, value: $1) }, operation(named: action)?.members ?? [])
        return try await answer(action, .object(members))
    }

    /// The actions and the resources that a call by a form asks for: `sns:Publish t`.
    func demands(_ action: String, _ parameters: [(String, String)]) throws(CloudError) -> [String] {
        let given = parameters.map { (name: $0, value: $1) }
        let members = try form?.object(of: given, operation(named: action)?.members ?? []) ?? JSONObject()
        return rights(of: action, CallInput(members)).map { demand in
            ([demand.action] + demand.resources.map { "\($0.kind)\($0.name)" }).joined(separator: " ")
        }
    }
}

extension NoticeService {
    func answer(_ action: String, _ parameters: [(String, String)]) async throws(CloudError) -> JSONObject {
        try await table.answer(action, form: parameters)
    }
}

extension MailService {
    func answer(_ action: String, _ parameters: [(String, String)]) async throws(CloudError) -> JSONObject {
        try await table.answer(action, form: parameters)
    }

    /// A call of the newer API.
    func answer(_ method: HTTPMethod, _ path: String, _ body: [UInt8]) async throws(CloudError) -> JSONObject {
        let table = newerTable
        guard let call = table.call(method, method.rawValue, path) else {
            throw CloudError("NoPath", "The service has no such paths.")
        }
        return try await table.answer(call.operation, .object(try table.members(of: call, body)))
    }
}
