import JSON

/// Something that went wrong with a request, as a client reads it in `errors`. Specification: section 7.1.2.
///
/// AppSync writes two forms, and their keys in these orders:
///
///     the engine's own      path, locations, message
///     from a resolver       path, data, errorType, errorInfo, locations, message
package struct GraphQLError: Error, Sendable, Equatable {
    package var message: String
    /// Where in the document; nil is written as `null`.
    package var locations: [SourceLocation]?
    /// Where in the response; nil is written as `null`.
    package var path: ResponsePath?
    /// What a resolver's errors have beside; nil for errors of the engine.
    package var resolver: ResolverPart?

    /// The part of an error that a resolver fills.
    package struct ResolverPart: Sendable, Equatable {
        package var errorType: String?
        package var errorInfo: JSONValue
        package var data: JSONValue

        package init(errorType: String?, errorInfo: JSONValue = .null, data: JSONValue = .null) {
            self.errorType = errorType
            self.errorInfo = errorInfo
            self.data = data
        }
    }

    package init(
        _ message: String, locations: [SourceLocation]? = nil, path: ResponsePath? = nil, resolver: ResolverPart? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.resolver = resolver
    }

    /// An error of a resolver at a field.
    package init(
        _ message: String, type: String?, info: JSONValue = .null, data: JSONValue = .null, at path: ResponsePath,
        locations: [SourceLocation]?
    ) {
        self.init(
            message, locations: locations, path: path,
            resolver: ResolverPart(errorType: type, errorInfo: info, data: data))
    }
}

extension GraphQLError {
    /// Writes the error as JSON, its keys in AppSync's order.
    package func write(to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        JSONWriter.writeKey("path", to: &buffer)
        if let path { path.write(to: &buffer) } else { JSONWriter.writeNull(to: &buffer) }
        buffer.append(UInt8(ascii: ","))
        if let resolver {
            JSONWriter.writeKey("data", to: &buffer)
            JSONWriter.write(resolver.data, to: &buffer)
            buffer.append(UInt8(ascii: ","))
            JSONWriter.writeKey("errorType", to: &buffer)
            if let type = resolver.errorType {
                JSONWriter.writeString(type, to: &buffer)
            } else {
                JSONWriter.writeNull(to: &buffer)
            }
            buffer.append(UInt8(ascii: ","))
            JSONWriter.writeKey("errorInfo", to: &buffer)
            JSONWriter.write(resolver.errorInfo, to: &buffer)
            buffer.append(UInt8(ascii: ","))
        }
        JSONWriter.writeKey("locations", to: &buffer)
        writeLocations(to: &buffer)
        buffer.append(UInt8(ascii: ","))
        JSONWriter.writeKey("message", to: &buffer)
        JSONWriter.writeString(message, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private func writeLocations(to buffer: inout [UInt8]) {
        guard let locations else { return JSONWriter.writeNull(to: &buffer) }
        buffer.append(UInt8(ascii: "["))
        for (index, location) in locations.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(contentsOf: "{\"line\":".utf8)
            JSONWriter.writeInteger(Int64(location.line), to: &buffer)
            buffer.append(contentsOf: ",\"column\":".utf8)
            JSONWriter.writeInteger(Int64(location.column), to: &buffer)
            buffer.append(contentsOf: ",\"sourceName\":null}".utf8)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// Writes errors as the member `errors` of a response has them.
    package static func write(_ errors: [GraphQLError], to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "["))
        for (index, error) in errors.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            error.write(to: &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// The whole response of a request that was refused before it ran: `data` is null and stands first.
    package static func refusal(_ errors: [GraphQLError]) -> [UInt8] {
        var buffer = Array("{\"data\":null,\"errors\":".utf8)
        write(errors, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
        return buffer
    }
}
