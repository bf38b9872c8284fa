import Blueprint
import JSON
import Project
import Script

/// Values of the CDK that are known before a deployment, since a program has written their parts: the name of a bucket that it refers to,
/// and what `Fn` and `formatArn` make of texts.
extension ProgramRun {
    private static let depthMax = 8
    private static let elementsMax = 100

    /// Nil: it is none of those.
    func knownValue(_ object: OpaqueObject, depth: Int) -> FunctionVariable.Value? {
        switch object.making {
        case .member(let owner, let name): return bucketValue(name, of: owner)
        case .call(let given):
            guard depth < Self.depthMax, case .member(let owner, let method)? = object.function?.making else {
                return nil
            }
            if method == "formatArn" { return arn(given.last, depth) }
            guard owner.origin == "Fn" || owner.origin.hasSuffix(".Fn") else { return nil }
            return function(method, given, depth)
        case .none, .template: return nil
        }
    }

    // MARK: Buckets that a program refers to

    /// `bucket.bucketName`, `bucket.env.region` of `Bucket.fromBucketAttributes(scope, id, { bucketArn, region })` and its like.
    private func bucketValue(_ name: String, of owner: OpaqueObject) -> FunctionVariable.Value? {
        if name == "region" || name == "account", case .member(let bucket, "env") = owner.making {
            return reference(bucket).flatMap { $0.options }.flatMap { $0.text(name) }.map { .text($0) }
        }
        guard let bucket = reference(owner).flatMap({ $0.name }) else { return nil }
        return switch name {
        case "bucketName": .text(bucket)
        case "bucketArn": .text(ARN.file(bucket).description)
        default: nil
        }
    }

    /// What a program says of a bucket elsewhere; nil: it is no such bucket.
    private func reference(_ bucket: OpaqueObject) -> (name: String?, options: ProgramObject?)? {
        guard case .call(let given) = bucket.making, given.count > 2,
            case .member(_, let method)? = bucket.function?.making
        else { return nil }
        var text: String?
        if case .text(let written) = given[2] { text = written.string }
        switch method {
        case "fromBucketName": return text.map { ($0, nil) }
        case "fromBucketArn": return text.map { (Self.name(ofARN: $0), nil) }
        case "fromBucketAttributes":
            guard case .object(let options) = given[2], !options.isOpaque else { return nil }
            let name = options.text("bucketName") ?? options.text("bucketArn").flatMap(Self.name)
            return (name, options)
        default: return nil
        }
    }

    private static func name(ofARN arn: String) -> String? {
        let name = arn.split(separator: ":", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return arn.hasPrefix("arn:") && !name.isEmpty ? name : nil
    }

    // MARK: Functions of templates

    private func function(_ method: String, _ given: [ProgramValue], _ depth: Int) -> FunctionVariable.Value? {
        switch method {
        case "join":
            guard given.count > 1, case .text(let delimiter) = given[0], let parts = elements(given[1], depth) else {
                return nil
            }
            var joined: [FunctionVariable.Value] = []
            for (number, part) in parts.enumerated() {
                if number > 0, !delimiter.string.isEmpty { joined.append(.text(delimiter.string)) }
                joined.append(part)
            }
            return Self.joined(joined)
        case "select":
            guard given.count > 1, case .number(let number) = given[0], let index = Int(exactly: number),
                let parts = elements(given[1], depth), parts.indices.contains(index)
            else { return nil }
            return parts[index]
        case "sub":
            guard given.count == 1, case .text(let text)? = given.first, !text.string.contains(bytesOf: "${") else {
                return nil
            }
            return .text(text.string)
        default: return nil
        }
    }

    /// The elements of a list, or of `Fn.split('/', text)`.
    private func elements(_ value: ProgramValue, _ depth: Int) -> [FunctionVariable.Value]? {
        guard case .object(let object) = value else { return nil }
        if let list = object as? ScriptArray {
            guard let values = try? list.values(), values.count <= Self.elementsMax else { return nil }
            return values.map { environmentValue($0, depth: depth + 1) }
        }
        guard let opaque = object as? OpaqueObject, case .call(let given) = opaque.making, given.count > 1,
            case .member(let owner, "split")? = opaque.function?.making, owner.origin.hasSuffix("Fn"),
            case .text(let delimiter) = given[0], !delimiter.string.isEmpty,
            case .text(let text) = environmentValue(given[1], depth: depth + 1)
        else { return nil }
        return text.parts(separatedBy: delimiter.string).map { .text($0) }
    }

    /// `stack.formatArn({ service, resource, resourceName })`; a region and an account that are not written are those of the stack.
    private func arn(_ options: ProgramValue?, _ depth: Int) -> FunctionVariable.Value? {
        guard case .object(let options)? = options, !options.isOpaque else { return nil }
        func part(_ name: String) -> FunctionVariable.Value? {
            guard let value = try? options.get(name) else { return nil }
            if case .undefined = value { return nil }
            return environmentValue(value, depth: depth + 1)
        }
        guard let service = part("service"), let resource = part("resource") else { return nil }
        var separator = options.text("sep") ?? "/"
        if case .object(let format)? = try? options.get("arnFormat"), let format = format as? OpaqueObject,
            case .member(_, let name) = format.making
        {
            switch name {
            case "COLON_RESOURCE_NAME": separator = ":"
            case "NO_RESOURCE_NAME": return nil
            case "SLASH_RESOURCE_SLASH_RESOURCE_NAME": return nil
            default: break
            }
        }
        var parts: [FunctionVariable.Value] = [
            .text("arn:"), part("partition") ?? .text("aws"), .text(":"), service, .text(":"),
            part("region") ?? .deployed("Aws.REGION"), .text(":"), part("account") ?? .deployed("Aws.ACCOUNT_ID"),
            .text(":"), resource,
        ]
        if let name = part("resourceName") { parts += [.text(separator), name] }
        return Self.joined(parts)
    }

    /// Parts one behind another; those that are texts are one.
    private static func joined(_ parts: [FunctionVariable.Value]) -> FunctionVariable.Value {
        var pieces: [FunctionVariable.Value] = []
        for part in parts {
            if case .text(let text) = part, case .text(let before)? = pieces.last {
                pieces[pieces.count - 1] = .text(before + text)
            } else {
                pieces.append(part)
            }
        }
        guard pieces.count > 1 else { return pieces.first ?? .text("") }
        return .joined(pieces)
    }
}
