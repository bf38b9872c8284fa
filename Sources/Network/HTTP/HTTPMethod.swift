/// The method of a request. Only those that something is served for have a name.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case options = "OPTIONS"
    case patch = "PATCH"
    /// Any other: `HTTPRequestHead.methodText` has its name.
    case other = ""

    /// Hot path: no text is made.
    init(_ bytes: UnsafeRawBufferPointer) {
        func isEqual(_ text: StaticString) -> Bool {
            bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        switch bytes.count {
        case 3: self = isEqual("GET") ? .get : isEqual("PUT") ? .put : .other
        case 4: self = isEqual("POST") ? .post : isEqual("HEAD") ? .head : .other
        case 5: self = isEqual("PATCH") ? .patch : .other
        case 6: self = isEqual("DELETE") ? .delete : .other
        case 7: self = isEqual("OPTIONS") ? .options : .other
        default: self = .other
        }
    }
}
