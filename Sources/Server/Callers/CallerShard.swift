import Access
import Engine
import Functions
import Items
import Network
import Store

/// The state of one loop for recognising and answering callers.
final class CallerShard: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    /// The API that is served here, and what the loop keeps for it. Who answers a request takes both at once.
    private(set) var api: Engine
    private(set) var engine: EngineShard
    let outside: OutsideClient
    /// The loop's state for tables.
    let items: ItemShard
    /// The rows that the loop reads of a database on a server by itself, whatever the API is.
    private let rowReads: LoopReads?
    private var authenticator: Authenticator
    /// A note that no request uses.
    private var spareNote: OperationNote?
    /// The clients whose requests are under way, where the log names them.
    private var subjects: [RequestIdentifier: String] = [:]
    private let notesSubjects: Bool

    /// - Parameter trace: is told of each call to the outside; nil: nobody is.
    init(
        _ api: Engine, _ authenticator: Authenticator, on loop: EventLoop, functions: Functions? = nil,
        trace: (@Sendable (String) -> Void)? = nil, notesSubjects: Bool = false
    ) {
        self.notesSubjects = notesSubjects
        self.loop = loop
        self.api = api
        self.authenticator = authenticator
        let outside = OutsideClient(on: loop, functions: functions, trace: trace)
        self.outside = outside
        let items = ItemShard(atEndOfTurn: { [unowned loop] in loop.callAtEndOfTurn($0) })
        self.items = items
        rowReads = api.store.reads(on: loop)
        engine = Self.shard(on: loop, outside, items, rowReads)
    }

    private static func shard(
        on loop: EventLoop, _ outside: OutsideClient, _ items: ItemShard, _ rowReads: LoopReads?
    ) -> EngineShard {
        EngineShard(
            outside: outside, tables: items, rowReads: rowReads,
            atEndOfTurn: { [unowned loop] in loop.callAtEndOfTurn($0) },
            beginWork: { [unowned loop] work in Task(executorPreference: loop) { await work() } })
    }

    /// Goes on with another API. What is under way ends with what it has begun with.
    func serve(_ api: Engine, _ authenticator: Authenticator) {
        checkLoop()
        self.api = api
        self.authenticator = authenticator
        engine = Self.shard(on: loop, outside, items, rowReads)
    }

    /// What a request is noted on. Hot path: most are answered at once, and the next one takes the same.
    func takeNote() -> OperationNote {
        checkLoop()
        defer { spareNote = nil }
        return spareNote ?? OperationNote()
    }

    /// Takes a note back that nobody else holds.
    func giveBack(_ note: OperationNote) {
        checkLoop()
        note.clear()
        spareNote = note
    }

    /// Notes for the log whose request it is.
    func noteSubject(_ identity: Identity, of request: RequestIdentifier) {
        guard notesSubjects, let subject = identity.token?.subject else { return }
        checkLoop()
        subjects[request] = subject
    }

    /// The client of a request that has ended.
    func takeSubject(of request: RequestIdentifier) -> String? {
        subjects.isEmpty ? nil : subjects.removeValue(forKey: request)
    }

    func identify(_ request: CredentialRequest) -> Authenticator.Answer { authenticator.identify(request) }

    /// The caller of an HTTP request. Hot path: what only tokens and signatures need is made for them alone.
    func identify(_ request: HTTPRequest, _ body: [UInt8]) -> Authenticator.Answer {
        let fields = HeadFields(request.head, from: request.peer)
        let known = request.head.findings as? KnownHead
        if let holder = known?.holder(isPeerLoopback: fields.isPeerLoopback, of: authenticator) {
            return .identity(holder)
        }
        let answer = authenticator.identify(fields) { request.credentials(body: body) }
        if let known, case .identity(let identity) = answer { known.note(identity, fields, by: authenticator) }
        return answer
    }

    /// The caller, also where a service has to be asked.
    func recognised(_ request: CredentialRequest) async -> Result<Identity, Refusal> {
        checkLoop()
        switch identify(request) {
        case .identity(let identity): return .success(identity)
        case .refused(let refusal): return .failure(refusal)
        case .pending(let pending):
            do throws(Refusal) {
                return .success(try await pending.identity(using: outside))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Called on the loop when nothing is served any more.
    func close() {
        checkLoop()
        rowReads?.close()
        engine.close()
        outside.closeIdleConnections()
    }
}

extension EngineShard: EndOfTurnHandler {}

/// The fields of a request's head, as those see them who recognise callers.
struct HeadFields: CredentialFields {
    // Hot path: these few bytes are passed on without an allocation.
    let head: HTTPRequestHead
    let isPeerLoopback: Bool

    init(_ head: HTTPRequestHead, from peer: SocketAddress) {
        self.head = head
        isPeerLoopback = peer.isLoopback
    }

    func values(of name: String) -> [String] { head.fields.values(of: name) }
    func forEachValue(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        head.fields.forEachText(of: name, body)
    }
    /// As functions are told of them.
    var all: [(name: String, value: String)] { OwnCookies.hidden(in: head.fields.all) }
    var source: RequestSource { RequestOrigin.source(of: head, isPeerLoopback: isPeerLoopback) }
    // Hot path: the API key of Amplify's mock counts for pages too, so which page it is is not looked for.
    var areFromThisMachine: Bool { RequestOrigin.isThisMachine(head, isPeerLoopback: isPeerLoopback) }
}

extension HTTPRequest {
    /// The credentials in the request.
    func credentials(body: [UInt8]) -> CredentialRequest {
        var request = CredentialRequest(fields: HeadFields(head, from: peer), body: body) { [head, identifier] in
            CredentialRequest.Line(
                method: head.methodText, path: head.encodedPath, query: head.query, authority: head.authority,
                identifier: identifier.description)
        }
        request.sentDigest = sentDigest
        return request
    }

    /// The sender, for functions.
    func requester(
        _ identity: Identity, _ forwarding: Forwarding, explanation: Explanation?, note: OperationNote? = nil
    ) -> Requester {
        let sender =
            (head.findings as? KnownHead)?.sender(of: head, from: peer, forwarding)
            ?? HTTPSender(head.fields, peer, forwarding)
        return Requester(identity, explanation: explanation, note: note, sender: sender)
    }
}

/// From where a request came over HTTP, for functions.
final class HTTPSender: RequestSender {
    private let fields: HTTPFields
    let peer: SocketAddress
    private let forwarding: Forwarding

    init(_ fields: HTTPFields, _ peer: SocketAddress, _ forwarding: Forwarding) {
        (self.fields, self.peer, self.forwarding) = (fields, peer, forwarding)
    }

    func told(of identity: Identity) -> FieldCaller.Told {
        FieldCaller.Told(
            identity, from: [forwarding.client(of: fields, from: peer)], fields: OwnCookies.hidden(in: fields.all))
    }
}
