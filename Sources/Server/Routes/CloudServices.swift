import Access
import Engine
import JSON
import Network

/// The services of AWS that are served, and which of them a request is for.
struct CloudServices: Sendable {
    private let all: [any CloudService]
    /// Those that are asked about paths. Hot path: every request of the API asks all of them.
    private let placed: [any CloudService]
    // A few of each, so that looking through them is the quickest.
    private let targets: [(name: [UInt8], place: Int)]
    private let scopes: [(name: [UInt8], place: Int)]

    /// - Parameter all: in the order in which they are asked about paths.
    init(_ all: [any CloudService]) {
        self.all = all
        placed = all.filter(\.hasOwnPaths)
        func table(_ names: (any CloudService) -> [String]) -> [(name: [UInt8], place: Int)] {
            all.enumerated().flatMap { place, service in names(service).map { (Array($0.utf8), place) } }
        }
        targets = table { $0.targets }
        scopes = table { $0.scopes }
    }

    /// Nil: the request is for none of them. A target that is known goes before the signature, and both before the path.
    func service(for head: HTTPRequestHead) -> (any CloudService)? {
        if let place = head.fields.withValue(of: "x-amz-target", { place(ofTarget: $0) }) ?? nil { return all[place] }
        if let place = head.fields.withValue(of: "authorization", { place(ofSignature: $0, head) }) ?? nil {
            return all[place]
        }
        return placed.first { $0.isAt(head) }
    }

    private func place(ofTarget text: UnsafeRawBufferPointer) -> Int? {
        targets.first { name, _ in
            name.count < text.count && text[name.count] == UInt8(ascii: ".") && text.starts(with: name)
        }?.place
    }

    private func place(ofSignature text: UnsafeRawBufferPointer, _ head: HTTPRequestHead) -> Int? {
        guard let scope = SignatureHeader.service(in: text) else { return nil }
        return scopes.first { $0.name.elementsEqual(scope) && all[$0.place].shares(head) }?.place
    }

    /// The services that some calls are signed for, of which the requests that come to none of them are something else.
    var signedServices: [String] { all.filter { !$0.isPartial }.flatMap(\.signedServices) }

    /// Those that are called by the name of a region; APIs have hosts of their own.
    var regionalServices: [String] { all.flatMap(\.scopes) + partialServices }

    /// Those whose other calls are refused as not served.
    var partialServices: [String] { all.filter(\.isPartial).flatMap(\.signedServices) }

    func serve(_ engine: Engine) { for service in all { service.serve(engine) } }

    func close() { for service in all { service.close() } }
}
