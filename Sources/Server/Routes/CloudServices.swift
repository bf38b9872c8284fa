import Access
import Engine
import JSON
import Network

/// The services of AWS that are served, and which of them a request is for.
struct CloudServices: Sendable {
    private let all: [any CloudService]
    private let byTarget: [ByteText: Int]
    /// A few, so that looking through them is the quickest.
    private let scopes: [(name: [UInt8], place: Int)]

    /// - Parameter all: in the order in which they are asked about paths.
    init(_ all: [any CloudService]) {
        self.all = all
        func table(_ names: (any CloudService) -> [String]) -> [ByteText: Int] {
            let pairs = all.enumerated().flatMap { place, service in names(service).map { (ByteText($0), place) } }
            return Dictionary(pairs) { first, _ in first }
        }
        byTarget = table { $0.targets }
        scopes = table { $0.scopes }.map { (Array($0.key.string.utf8), $0.value) }
    }

    /// Nil: the request is for none of them. A target that is known goes before the signature, and both before the path.
    func service(for head: HTTPRequestHead) -> (any CloudService)? {
        if let target = head.fields["x-amz-target"], let point = target.utf8.firstIndex(of: UInt8(ascii: ".")) {
            if let place = byTarget[ByteText(target[..<point])] { return all[place] }
        }
        if let place = head.fields.withValue(of: "authorization", { place(ofSignature: $0) }) ?? nil {
            return all[place]
        }
        return all.first { $0.isAt(head) }
    }

    private func place(ofSignature text: UnsafeRawBufferPointer) -> Int? {
        guard let scope = SignatureHeader.service(in: text) else { return nil }
        return scopes.first { $0.name.elementsEqual(scope) }?.place
    }

    func serve(_ engine: Engine) { for service in all { service.serve(engine) } }

    func close() { for service in all { service.close() } }
}
