import Access
import Cloud
import Events
import KeyManagement
import Parameters
import Queues

/// The services of AWS that are tables, in one list: a new one is a line here.
struct ServedTables {
    let queues: Queues
    let events: Events
    let parameters: ParameterStore
    let given: any GivenSecrets
    let keys: KeyRing
    let region: String

    func services(_ callers: ServiceCallers) -> [TableService] {
        let accountID = IAMPrincipal.exampleAccountID
        return [
            TableService(.queues, QueueService(queues).table, callers),
            TableService(.events, EventCalls(events).table, callers),
            TableService(
                .parameters,
                ParameterCalls(store: parameters, given: given, region: region, accountID: accountID).table, callers),
            TableService(
                .parameters,
                SecretCalls(store: parameters, given: given, region: region, accountID: accountID).table, callers),
            TableService(.keys, KeyCalls(keys, region: region, accountID: accountID).table, callers),
        ]
    }
}
