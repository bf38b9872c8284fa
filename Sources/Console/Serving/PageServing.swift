import JSON
import Network
import Threads

/// Answers with the page: `index.html` at `/`, everything else below a folder that has the hash of all files in its name.
struct PageServing: Sendable {
    static let folder = "/_homeport/page"
    private static let yearSeconds = 31_536_000

    private let embedded = LazyPage()
    #if DEBUG
        private let disk: PageFolder?
    #endif

    init(environment: [String: String]) {
        #if DEBUG
            disk = environment[PageFolder.variable].flatMap { $0.isEmpty ? nil : PageFolder(path: $0) }
        #endif
    }

    /// The page at `/`. It is kept nowhere: a browser that kept it whole to go back to it would keep its streams open too, and has
    /// few connections.
    func index(_ head: HTTPRequestHead) -> HTTPResponse {
        answer(PageBase.index, head, caching: "no-store") ?? HTTPResponse(status: .notFound)
    }

    /// A file of it. An address with another hash is that of a page from before: what it asks for is gone.
    func file(_ head: HTTPRequestHead) -> HTTPResponse? {
        let parts = head.path.parts(separatedBy: "/").dropFirst(Self.folder.parts(separatedBy: "/").count)
        let name = parts.dropFirst().joined(separator: "/")
        guard parts.first == hash, !name.isEmpty, !PageBase.isNamed(in: name) else {
            return nil
        }
        return answer(name, head, caching: "public, max-age=\(Self.yearSeconds), immutable")
    }

    private var hash: String {
        #if DEBUG
            if disk != nil { return "dev" }
        #endif
        return embedded.page.hash
    }

    private func answer(_ name: String, _ head: HTTPRequestHead, caching: String) -> HTTPResponse? {
        let base = "\(Self.folder)/\(hash)"
        #if DEBUG
            if let disk {
                guard let type = PageFile.type(of: name), let bytes = disk.bytes(of: name) else { return nil }
                var fields = PageFields.all
                fields.append("content-type", type)
                fields.append("cache-control", "no-store")
                return HTTPResponse(fields: fields, body: .bytes(PageBase.written(base, into: bytes, of: name)))
            }
        #endif
        guard let file = embedded.page.file(name, base: base) else { return nil }
        var fields = PageFields.all
        fields.append("etag", file.tag)
        fields.append("cache-control", caching)
        fields.append("vary", "accept-encoding")
        if head.fields.values(of: "if-none-match" as StaticString).contains(where: { $0.contains(bytesOf: file.tag) }) {
            return HTTPResponse(status: HTTPStatus(code: 304), fields: fields)
        }
        fields.append("content-type", file.type)
        guard let compressed = file.compressed, head.fields.list("accept-encoding", contains: "gzip") else {
            guard let plain = file.plain() else { return nil }
            return HTTPResponse(fields: fields, body: .bytes(plain, isCompressible: false))
        }
        fields.append("content-encoding", "gzip")
        return HTTPResponse(fields: fields, body: .bytes(compressed, isCompressible: false))
    }
}

/// The embedded page, taken up when somebody asks for it first.
private final class LazyPage: Sendable {
    private let made = MadeOnce<EmbeddedPage>()

    var page: EmbeddedPage { made.object { EmbeddedPage() } }
}
