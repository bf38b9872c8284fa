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
            let (bytes, old, new) = (Array(text.utf8), Array(part.utf8), Array(other.utf8))
            var replaced: [UInt8] = []
            var rest = 0
            while let place = TextPlace.first(of: old, in: bytes, from: rest) {
                try call.count(1 + (place - rest + new.count) / LibraryLimits.bytesPerStep)
                replaced += bytes[rest..<place] + new
                // Looked at only where it is too long.
                if replaced.count > call.limits.resultBytesMax { try call.count(bytes: replaced.count) }
                rest = place + old.count
            }
            try call.count(bytes: replaced.count + bytes.count - rest)
            return .string(String(decoding: replaced + bytes[rest...], as: UTF8.self))
        },
    ]
}
