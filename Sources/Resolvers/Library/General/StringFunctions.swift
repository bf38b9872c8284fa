import JSON
import Script

/// `util.str`.
enum StringFunctions {
    static let all = [
        LibraryFunction("util.str.normalize") { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            let name = try call.text(1)
            guard let form = Normalization(rawValue: name.uppercased()) else {
                throw .fault("\(call.function) knows the forms nfc, nfd, nfkc and nfkd, but not '\(name.prefix(100))'.")
            }
            try call.count(bytes: text.utf8.count)
            return .string(String(decoding: form.apply(to: Array(text.utf16)), as: UTF16.self))
        },
        EncodingFunctions.text("util.str.toUpper", in: .velocity) { text in .string(text.uppercased()) },
        EncodingFunctions.text("util.str.toLower", in: .velocity) { text in .string(text.lowercased()) },
        LibraryFunction("util.str.toReplace", in: .velocity) { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            let part = try call.text(1)
            let other = try call.text(2)
            try call.count(bytes: text.utf8.count)
            guard !part.isEmpty else { return .string(text) }
            let parts = text.parts(separatedBy: part)
            let (added, overflows) = other.utf8.count.multipliedReportingOverflow(by: parts.count - 1)
            try call.count(bytes: overflows ? Int.max : added.addingReportingOverflow(text.utf8.count).partialValue)
            return .string(parts.joined(separator: other))
        },
    ]
}
