import Access
import Crypto
import Foundation
import JSON
import Network
import TestSupport
import Testing

@testable import Files

/// What real clients asked a store for, one request after the other, and what they were answered: `Vectors/flows.json`, whose requests stand in
/// `Vectors/signatures.json`.
///
/// Each request comes as it was recorded, under the signature and the keys of then, at the time of then. Where it names what an answer before it
/// has given, such as the id of an upload, that is put in and the request signed again.
@Suite("Recorded flows of files")
struct RecordedFileFlowTests {
    struct Flow: Sendable, CustomTestStringConvertible {
        let value: JSONValue
        var testDescription: String { value["name"]?.string ?? "?" }
    }

    static let file: JSONValue = {
        let url = (Bundle.module.resourceURL ?? URL(filePath: "/")).appending(path: "Vectors/flows.json")
        return (try? Data(contentsOf: url)).flatMap { try? JSONReader.value(of: Array($0)) } ?? .null
    }()

    static let flows = (file["flows"]?.array ?? []).map { Flow(value: $0) }

    @Test("are all there, with each request that is signed")
    func areThere() {
        #expect(Self.flows.count == 22)
        let steps = Self.flows.flatMap { $0.value["steps"]?.array ?? [] }
        #expect(steps.count == SignatureVectors.all.requests.count)
    }

    @Test("are answered as their clients need it", arguments: flows)
    func run(_ flow: Flow) async throws {
        let clock = Clock()
        let files = try await TestFiles(clock: { clock.now }, signatures: Self.signatures) { settings in
            let levels: [PathRule.Who] = [.guest, .authenticated]
            let all = levels.map { PathRule($0, [.get, .list, .put, .delete]) }
            let rules: [(path: String, rules: [PathRule])] = [
                ("public/*", all), ("album/*", all), ("odd/*", all),
                ("protected/{entity_id}/*", [PathRule(.owner, [.get, .list, .put, .delete])]),
                ("private/{entity_id}/*", [PathRule(.owner, [.get, .list, .put, .delete])]),
                ("uploads/*", levels.map { PathRule($0, [.put]) }),
            ]
            for name in ["app-files", "app-other", "app.files"] {
                settings.buckets[ByteText(name)] = Version2Rights(rules)
            }
            settings.usualBucket = "app-files"
        }
        var run = FlowRun(files: files, clock: clock)
        for step in flow.value["steps"]?.array ?? [] { try run.take(step) }
        try await files.stop()
    }

    /// The keys of then, each its identity's.
    private static let signatures: FileSignatures = {
        var keys = FlowKeys(given: SignatureVectors.all.keys)
        for member in file["identities"]?.object?.members ?? [] {
            keys.identities[ByteText(member.key)] = member.value.string
        }
        return FileSignatures(SignatureVectors.all.configured, keys, region: "us-east-1")
    }()

    private struct FlowKeys: TemporaryCredentials {
        let given: GivenKeys
        var identities: [ByteText: String] = [:]

        func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
            guard let found = given.credential(ofKey: accessKeyID, sessionToken: sessionToken) else { return nil }
            let principal = IAMPrincipal(
                role: .authenticated, accessKeyID: accessKeyID, identityID: identities[accessKeyID] ?? "")
            return TemporaryCredential(secret: found.secret, principal: principal, expires: found.expires)
        }
    }
}

/// A flow as it goes on.
private struct FlowRun {
    let files: TestFiles
    let clock: Clock
    private var answers: [FileClient.Answer] = []

    init(files: TestFiles, clock: Clock) { (self.files, self.clock) = (files, clock) }

    mutating func take(_ step: JSONValue) throws {
        let name = step["request"]?.string ?? ""
        var vector = try #require(SignatureVectors.all.requests.first { $0.name == name })
        for member in step["given"]?.object?.members ?? [] {
            let place = (member.value.string ?? "").split(separator: " ").map(String.init)
            let value = try #require(Int(place[0]).flatMap { answers[$0].element(place[1]) }, "\(name)")
            vector = try vector.signedAgain(with: member.key, value)
        }
        clock.set(milliseconds: vector.time * 1_000)
        let answer = try send(vector, step)
        answers.append(answer)
        #expect(answer.status == step["status"]?.integer.map { Int($0) }, "\(name): \(answer.text.prefix(600))")
        #expect(answer.fields["access-control-allow-origin"] == "*", "\(name)")
        for member in step["answer"]?.object?.members ?? [] {
            // Letters beyond ASCII travel as Latin-1, which is not how these fields were read.
            let (found, wanted) = (answer.fields[member.key] ?? "", member.value.string ?? "")
            #expect(found.filter(\.isASCII) == wanted.filter(\.isASCII), "\(name): \(member.key)")
        }
        if let content = step["content"] { #expect(answer.bytes == Self.bytes(content), "\(name)") }
        if let content = step["content64"]?.string {
            #expect(answer.bytes == Base64.bytes(of: content.utf8, .standard), "\(name)")
        }
        guard let root = step["root"]?.string else { return }
        #expect(vector.method == "HEAD" || answer.text.contains("<\(root)"), "\(name)")
        let isEncoded = step["elements"]?["EncodingType"] != nil
        for member in step["elements"]?.object?.members ?? [] {
            let wanted = (member.value.array ?? []).compactMap(\.string).map { Self.plain($0, isEncoded) }
            let found = answer.elements(member.key).map { Self.plain($0, isEncoded) }
            #expect(found == wanted, "\(name): \(member.key)")
        }
    }

    private func send(_ vector: SignatureVector, _ step: JSONValue) throws -> FileClient.Answer {
        let client = try RawClient(port: files.port)
        let body = step["body"].map(Self.bytes) ?? []
        var fields = vector.fields + (step["fields"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }
        let isChunked = fields.contains { $0.name == "transfer-encoding" }
        if !isChunked, !fields.contains(where: { $0.name == "content-length" }), !body.isEmpty || vector.method != "GET"
        {
            fields.append(("content-length", "\(body.count)"))
        }
        try client.send(vector.bytes(fields + [("origin", "http://localhost:8090")]))
        if isChunked { try client.send("\(String(body.count, radix: 16))\r\n") }
        if !body.isEmpty { try client.send(body) }
        if isChunked { try client.send("\r\n0\r\n\r\n") }
        return try FileClient.answer(from: client, to: vector.method)
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] {
        if let text = value.string { return Array(text.utf8) }
        let (count, start) = (Int(value["count"]?.integer ?? 0), Int(value["start"]?.integer ?? 0))
        let round = (0..<251).map { UInt8(($0 + start) % 251) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += round.prefix(count - bytes.count) }
        return bytes
    }

    /// A text of an element, without its entities, and where a list is escaped without its escapes.
    private static func plain(_ text: String, _ isEncoded: Bool) -> String {
        let entities = [
            ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#9;", "\t"), ("&lt;", "<"),
            ("&gt;", ">"),
            ("&amp;", "&"),
        ]
        let text = entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
        return isEncoded ? text.replacing("+", with: " ").removingPercentEncoding ?? text : text
    }
}

extension SignatureVector {
    /// The request with another value of a parameter, under a signature of its own.
    fileprivate func signedAgain(with name: String, _ value: String) throws -> SignatureVector {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let escaped = value.addingPercentEncoding(withAllowedCharacters: plain) ?? value
        let parameters = query.split(separator: "&").map { part in
            part.hasPrefix("\(name)=") ? "\(name)=\(escaped)" : String(part)
        }
        let field = try #require(fields.first { $0.name == "authorization" }).value
        let names = try #require(field.firstMatch(of: /SignedHeaders=([^,]*)/)).1.split(separator: ";")
        let credential = try #require(field.firstMatch(of: /Credential=([^\/]*)\/([^,]*)/))
        let lines = names.map { name in "\(name):\(fields.first { $0.name == name }?.value ?? "")" }
        let digest = fields.first { $0.name == "x-amz-content-sha256" }?.value ?? ""
        let canonical =
            [
                method, path, parameters.map { $0.contains("=") ? $0 : "\($0)=" }.sorted().joined(separator: "&"),
            ] + lines + ["", names.joined(separator: ";"), digest]
        let hashed = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.joined(separator: "\n").utf8)))
        let date = fields.first { $0.name == "x-amz-date" }?.value ?? ""
        let key = String(credential.1)
        let secret = SignatureVectors.all.keys.all[key]?.secret ?? key
        let code = HMACSHA256.code(
            of: Array("AWS4-HMAC-SHA256\n\(date)\n\(credential.2)\n\(hashed)".utf8),
            key: SigningKey.bytes(secret: secret, day: String(date.prefix(8)), region: "us-east-1", service: "s3"))
        let again = field.replacing(/Signature=[0-9a-f]{64}/, with: "Signature=\(Hexadecimal.text(of: code))")
        return changing(
            query: parameters.joined(separator: "&"),
            fields: fields.map { $0.name == "authorization" ? ($0.name, again) : $0 })
    }
}
