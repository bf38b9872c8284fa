import Access
import Cloud
import Events
import KeyManagement
import Outbox
import Parameters
import Queues
import Workflows

/// The services of AWS that are tables, in one list: a new one is a line here.
struct ServedTables {
    let queues: Queues
    let events: Events
    let outbox: Outbox
    /// The name by which a function is called that an ARN or a name means; nil: there is none.
    let function: @Sendable (String) -> String?
    let parameters: ParameterStore
    let given: any GivenSecrets
    let keys: KeyRing
    let stacks: StackCalls
    let region: String

    /// All but state machines, whose tasks call these. Each call makes them anew.
    var rows: [Row] {
        let accountID = IAMPrincipal.exampleAccountID
        let mails = MailService(outbox)
        return [
            (.queues, QueueService(queues).table), (.events, EventCalls(events).table),
            (.outbox, NoticeService(outbox, function: function).table),
            // Both of SES are signed alike: the newer one is known by its paths.
            (.outbox, mails.newerTable), (.outbox, mails.table),
            (
                .parameters,
                ParameterCalls(store: parameters, given: given, region: region, accountID: accountID).table
            ),
            (.parameters, SecretCalls(store: parameters, given: given, region: region, accountID: accountID).table),
            (.keys, KeyCalls(keys, region: region, accountID: accountID).table), (.stacks, stacks.table),
        ]
    }

    typealias Row = (route: Route, table: ServiceTable)

    static func services(_ rows: [Row], _ workflows: Workflows, _ callers: ServiceCallers) -> [TableService] {
        (rows + [(.workflows, WorkflowCalls(workflows).table)]).map { TableService($0.route, $0.table, callers) }
    }
}
