import Access
import JSON
import Network
import Synchronization

/// Calls that are signed for services of AWS for which nothing here stands in: each gets an answer that its SDK reads, which names the service
/// and the operation.
///
/// Nothing is done for whoever has not signed: whether the signature is right does not matter, since nobody gets anything.
final class UnservedServices: Sendable {
    private let given: GivenCredentials
    private let administrators: [String]
    /// The services that answer for themselves, and those some of whose calls come here.
    private let served: Set<ByteText>
    private let partlyServed: Set<ByteText>
    private let crossOrigin: CrossOrigin
    private let log: Log
    /// The callers that the log has named already, with their services.
    private let told = Mutex<Set<ByteText>>([])

    private static let toldMax = 1_000
    /// How long a form is read for the name of its operation.
    static let formBytesMax = 256 << 10
    private static let parametersMax = 4_096

    /// - Parameter cloud: those that are served on the port of the API, beside files and sign-in.
    init(
        _ cloud: CloudServices, _ administrators: [PrincipalCredential], _ given: GivenCredentials,
        _ crossOrigin: CrossOrigin, _ log: Log
    ) {
        served = Set(texts: cloud.signedServices + BuiltInFiles.signedServices + SignInDoors.signedServices)
        partlyServed = Set(texts: cloud.partialServices)
        self.administrators = administrators.map(\.principal.accessKeyID)
        (self.given, self.crossOrigin, self.log) = (given, crossOrigin, log)
    }

    /// The call that a request is; nil: it may be for something that is served.
    func call(_ head: HTTPRequestHead) -> UnservedCall? { UnservedCall(head, served: served) }

    /// Answers a request that no route takes.
    func reception(_ head: HTTPRequestHead, _ call: UnservedCall) -> HTTPReception {
        guard call.form.isOfForms, head.method == .post, call.operation == nil else {
            return .answer(answer(call, head, head.query))
        }
        return .collect(bodyMax: Self.formBytesMax) { [self] request in
            guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
            return answer(call, request.head, String(decoding: body, as: UTF8.self))
        }
    }

    private func answer(_ call: UnservedCall, _ head: HTTPRequestHead, _ parameters: String) -> HTTPResponse {
        let operation =
            call.operation
            ?? HTTPPercentCoding.parameters(of: parameters, max: Self.parametersMax).first { $0.name == "Action" }?
            .value
            ?? "\(head.methodText) \(head.path)"
        let shown = String(operation.prefix(UnservedCall.operationCharactersMax))
        tell(call, shown, head)
        let message =
            partlyServed.contains(ByteText(call.service))
            ? "\(shown) of \(call.service) is not served here." : "\(call.service) is not served here: \(shown)."
        return call.form.answer("\(message) docs/functions.md says what is.", crossOrigin.fields(for: head))
    }

    /// Warns of who needs it once: a function, or an administrator. Anybody else could fill the log.
    private func tell(_ call: UnservedCall, _ operation: String, _ head: HTTPRequestHead) {
        guard let caller = caller(call, head) else { return }
        let isNew = told.withLock { told in
            told.count < Self.toldMax && told.insert(ByteText("\(caller) \(call.service)")).inserted
        }
        guard isNew else { return }
        log.warning("\(caller) calls \(operation) of \(call.service), which is not served here")
    }

    private func caller(_ call: UnservedCall, _ head: HTTPRequestHead) -> String? {
        if let token = head.fields["x-amz-security-token"],
            let given = given.credential(ofKey: call.accessKeyID, sessionToken: token)
        {
            return given.principal.function.map { "the function \($0)" }
        }
        return administrators.contains { ByteText($0) == ByteText(call.accessKeyID) } ? "an administrator" : nil
    }
}
