import Access
import Blueprint
import Functions
import Glibc
import JSON
import Network
import Project
import Schedules

/// A function as it is configured: at a URL, or run here, by a command or by a handler that our own runtimes load.
package struct FunctionSetting: Sendable, Equatable {
    package var url: String?
    package var command: Command?
    package var handler: String?
    package var folder: String?
    package var environment: [String: String] = [:]
    package var timeoutSeconds = 3
    package var memoryMegabytes = 512
    package var concurrency = 10
    /// When it is called by the clock.
    package var schedules: [ScheduleSetting] = []
    /// The tables of whose changes it is told.
    package var tables: [TableSource] = []
    /// The queues of whose messages it is told.
    package var queues: [QueueSource] = []
    /// The paths of REST APIs at which it is called.
    package var rest: [RestPath] = []
    /// True if it has a URL of its own, and who may call it there.
    package var httpURL: URLAccess?
    /// True if the pages that it answers with have the server's own origin, which the console and the sign-in pages have too.
    package var hasOwnOrigin = false
    /// The rights of its role beside those that a project gives it.
    package var policy: [Statement] = []
    /// The parts that a project gives it and no configuration can; nil: no project defines it.
    var ofProject: OfProject?

    /// True if a project defines it.
    var isOfProject: Bool { ofProject != nil }

    /// Other names by which a project calls it.
    var otherNames: [String] { ofProject?.otherNames ?? [] }

    struct OfProject: Sendable, Equatable {
        var otherNames: [String] = []
        /// Some of them are known only when the server runs.
        var variables: [FunctionVariable] = []
        /// The rights of its role.
        var grants = FunctionGrants()
    }

    package enum URLAccess: String, Sendable, CaseIterable {
        case open = "NONE"
        case administrators = "AWS_IAM"
    }

    /// A statement of a policy.
    package struct Statement: Sendable, Equatable {
        var isAllowing = true
        var actions: [String]
        var resources: [String]

        static let effects = ["Allow", "Deny"]

        init(_ actions: [String], on resources: [String], isAllowing: Bool = true) {
            (self.actions, self.resources, self.isAllowing) = (actions, resources, isAllowing)
        }

    }

    package enum Command: Sendable, Equatable {
        case line(String)
        case words([String])
    }

    package init() {}
}

extension FunctionSetting: SettingObject {
    package static let members: [SettingMember<FunctionSetting>] = [
        SettingMember("tables", \.tables),
        SettingMember("queues", \.queues),
        SettingMember("httpURL", \.httpURL),
        SettingMember("rest", \.rest),
        SettingMember("timeout", \.timeoutSeconds, isAlwaysShown: true),
        SettingMember("memory", \.memoryMegabytes, isAlwaysShown: true),
        ScheduleSetting.member(\.schedules),
        SettingMember("url", \.url),
        SettingMember("command", \.command),
        SettingMember("handler", \.handler),
        SettingMember("cwd", \.folder),
        SettingMember("environment", \.environment),
        SettingMember("ownOrigin", \.hasOwnOrigin),
        SettingMember("policy", \.policy),
        SettingMember("concurrency", \.concurrency),
    ]

    /// The same with what a configuration says over it. Who says where it is called, or what runs it, says all of that.
    func under(_ configured: JSONObject) -> FunctionSetting {
        var result = self
        if configured["url"] != nil {
            result = FunctionSetting()
            result.ofProject = ofProject
        } else if configured["command"] != nil || configured["handler"] != nil {
            (result.command, result.handler, result.folder) = (nil, nil, nil)
        }
        result.take(configured)
        return result
    }
}

extension FunctionSetting.URLAccess: ConfigurationValue {}

extension FunctionSetting.Command: ConfigurationValue {
    package init?(configured value: JSONValue) {
        switch value {
        case .string(let line): self = .line(line)
        case .array(let words): self = .words(words.compactMap(\.string))
        default: return nil
        }
    }

    package var configured: JSONValue {
        switch self {
        case .line(let line): .string(line)
        case .words(let words): words.configured
        }
    }
}

extension FunctionSetting.Statement: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let actions = value["actions"]?.array?.compactMap(\.string) else { return nil }
        self.init(
            actions, on: value["resources"]?.array?.compactMap(\.string) ?? ["*"],
            isAllowing: value["effect"]?.string != Self.effects[1])
    }
}

extension FunctionSetting {
    /// Why it cannot be called.
    struct Fault: Error {
        let message: String
        /// True if a project may say what is missing.
        var isLeftToProject = false
    }

    /// Where it is called.
    func address(of name: String) -> String { url ?? FunctionAddress.of(name) }

    /// The settings of its processes; nil: it is at a URL.
    func settings(named name: String) throws(Fault) -> FunctionSettings? {
        if url != nil {
            guard command == nil, handler == nil else {
                throw Fault(message: "it has a url, and a command or handler: give it one of them")
            }
            guard schedules.isEmpty else {
                throw Fault(
                    message: "schedule: what is at a url is not called by the clock; give it a command or handler")
            }
            return nil
        }
        var settings: FunctionSettings
        if let command {
            let folder = Self.absolute(folder ?? ".")
            let told = handler.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "index.handler"
            switch command {
            case .line(let line): settings = FunctionSettings(name: name, .line(line), folder: folder, handler: told)
            case .words(let words):
                settings = FunctionSettings(name: name, .words(words), folder: folder, handler: told)
            }
        } else if let handler {
            let place: HandlerPlace
            do throws(HandlerPlace.Fault) {
                place = try HandlerPlace(Self.absolute(handler), isFile: FileStatus.isFile)
            } catch {
                throw Fault(message: "handler: \(error.message)")
            }
            settings = FunctionSettings(
                name: name, .handler(place), folder: folder.map(Self.absolute) ?? place.folder, handler: place.told)
        } else {
            throw Fault(
                message: "expected a url where it is called, a command that runs it, or a handler such as "
                    + "\"functions/\(name)/handler.ts\"", isLeftToProject: true)
        }
        settings.environment = environment
        settings.timeoutSeconds = timeoutSeconds
        settings.memoryMegabytes = memoryMegabytes
        settings.concurrency = concurrency
        for schedule in schedules {
            do throws(Schedule.Fault) {
                _ = try schedule.schedule()
            } catch {
                throw Fault(message: "schedule: \(error.message)")
            }
        }
        return settings
    }

    /// A process runs in a folder of its own: what it is given is the same from there.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return path == "." ? String(cString: folder) : "\(String(cString: folder))/\(path)"
    }
}
