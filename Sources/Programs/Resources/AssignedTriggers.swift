import Blueprint
import Project
import Script

/// The triggers that a program assigns to a deployed user pool: `cfnUserPool.lambdaConfig = { postConfirmation: fn.functionArn }`.
struct AssignedTriggers {
    enum Event: Equatable {
        case trigger(AuthResource.Trigger.Event)
        case emailSender
        case messageSender

        var name: String {
            switch self {
            case .trigger(let event): event.rawValue
            case .emailSender: "customEmailSender"
            case .messageSender: "customSmsSender"
            }
        }
    }

    /// True if an object of the program's own stands where the first one was.
    let isReplaced: Bool
    /// In the order in which they are written.
    let functions: [(event: Event, function: ProgramValue)]

    /// - Parameters:
    ///   - value: what `lambdaConfig` is.
    ///   - first: what it was before the program.
    init(_ value: ProgramValue, first: ProgramObject) {
        var functions: [(event: Event, function: ProgramValue)] = []
        guard case .object(let written) = value, !written.isOpaque else {
            (isReplaced, self.functions) = (false, [])
            return
        }
        isReplaced = written !== first
        for key in (try? written.enumerableKeys()) ?? [] {
            guard let event = Self.event(written.realm.describe(key)), let function = try? written.get(key) else {
                continue
            }
            functions.append((event, Self.function(in: function)))
        }
        self.functions = functions
    }

    /// `{ lambdaArn: fn.functionArn, lambdaVersion: 'V2_0' }` is the function of `lambdaArn`.
    private static func function(in value: ProgramValue) -> ProgramValue {
        guard case .object(let object) = value, !object.isOpaque, let function = try? object.get("lambdaArn") else {
            return value
        }
        return function
    }

    private static func event(_ name: String) -> Event? {
        switch name {
        case "customEmailSender": .emailSender
        case "customSmsSender", "customSMSSender": .messageSender
        case "preTokenGenerationConfig": .trigger(.preTokenGeneration)
        default: AuthResource.Trigger.Event(rawValue: name).map(Event.trigger)
        }
    }

    /// `UserPoolOperation.POST_CONFIRMATION`, `UserPoolOperation.of('postConfirmation')`
    static func event(ofOperation value: ProgramValue) -> Event? {
        guard case .object(let object) = value, let operation = object as? OpaqueObject else { return nil }
        if case .call(let given) = operation.making, case .text(let name)? = given.first { return event(name.string) }
        guard case .member(_, let name) = operation.making else { return nil }
        let words = name.split(separator: "_").map { $0.lowercased() }
        return event(
            (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())
    }
}
