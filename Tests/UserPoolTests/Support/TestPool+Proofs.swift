import Crypto
import JSON

@testable import UserPool

extension TestPool {
    /// The answers of a client to the first round of a proof, at the pool's time.
    func claim(of client: ReferenceClient, _ begun: JSONValue) throws -> JSONValue {
        let block = begun.parameter("SECRET_BLOCK") ?? ""
        let proof = client.proof(
            clientNumber: client.clientNumber, salt: begun.parameter("SALT") ?? "",
            serverNumber: begun.parameter("SRP_B") ?? "", secretBlock: Base64.bytes(of: block.utf8, .standard) ?? [],
            timestamp: timestamp)
        return .object(
            JSONObject([
                ("USERNAME", .string(begun.parameter("USERNAME") ?? "")),
                ("PASSWORD_CLAIM_SECRET_BLOCK", .string(block)), ("TIMESTAMP", .string(timestamp)),
                ("PASSWORD_CLAIM_SIGNATURE", .string(Base64.text(of: proof.claim, .standard))),
            ]))
    }

    /// The pool's time as clients write it. Tests end on the day on which they begin.
    var timestamp: String {
        let seconds = clock.now / 1_000 % 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "Fri Jan 15 \(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) UTC 2027"
    }
}

extension JSONValue {
    /// The members of this object, and others.
    func adding(_ others: JSONValue) -> JSONValue {
        var members = object ?? JSONObject()
        for member in others.object ?? JSONObject() { members.set(member.key, to: member.value) }
        return .object(members)
    }
}
