import Foundation
import JSON
import Testing

/// `Vectors/proofs.json`: what clients of Cognito were seen to prove, and numbers made to have each edge that bytes can have.
/// Numbers of 3072 bits stand there as the SHA-256 of their padded forms.
struct ProofVectors {
    let srp: [JSONValue]
    let deviceVerifiers: [JSONValue]
    let totp: [JSONValue]
    let illegalNumbers: [String]

    static let all: ProofVectors = {
        let url = (Bundle.module.resourceURL ?? URL(filePath: "/")).appending(path: "Vectors/proofs.json")
        let value = (try? Data(contentsOf: url)).flatMap { try? JSONReader.value(of: Array($0)) }
        return ProofVectors(
            srp: value?["srp"]?.array ?? [], deviceVerifiers: value?["deviceVerifiers"]?.array ?? [],
            totp: value?["totp"]?.array ?? [], illegalNumbers: value?["illegalA"]?.array?.compactMap(\.string) ?? [])
    }()
}

extension JSONValue {
    /// The text of a member, which is there.
    func text(_ member: String) -> String {
        let text = self[member]?.string
        if text == nil { Issue.record("no \(member) in \(self)") }
        return text ?? ""
    }
}
