import JSON

/// Reads XML 1.0 in UTF-8, as clients of S3 send it, into elements. Size, depth and elements have their bounds.
enum MarkupReader {
    static let attributesMax = 32

    /// The outermost element.
    static func read(
        _ bytes: [UInt8], bytesMax: Int = FileLimits.markupBytesMax, depthMax: Int = FileLimits.markupDepthMax,
        elementsMax: Int = FileLimits.markupElementsMax
    ) throws(FileError) -> MarkupElement {
        let rules = XMLEventReader.Rules(
            .strict, bytesMax: bytesMax, depthMax: depthMax, elementsMax: elementsMax, attributesMax: attributesMax)
        do throws(XMLFault) {
            var reader = try XMLEventReader(bytes, rules)
            var (open, root): ([MarkupElement], MarkupElement?) = ([], nil)
            while let event = try reader.next() {
                switch event {
                case .start(let name): open.append(MarkupElement(name: try local(name)))
                // What they say, such as a namespace, means nothing here.
                case .attribute: break
                case .text(let text, _): if !open.isEmpty { open[open.count - 1].text += text }
                case .end:
                    guard let element = open.popLast() else { break }
                    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
                }
            }
            guard let root else { throw XMLFault(.malformed, "no element") }
            return root
        } catch {
            throw .malformedXML.because(error.description)
        }
    }

    /// A name without its prefix.
    private static func local(_ name: String) throws(XMLFault) -> String {
        let parts = name.parts(separatedBy: ":")
        guard parts.count <= 2, let last = parts.last, !parts.contains("") else {
            throw XMLFault(.malformed, "the name \(name)")
        }
        return last
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
