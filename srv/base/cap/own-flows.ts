// Tried on @sap/cds 10.1. A switch of CAP for its own handlers of @from and @to would make this unnecessary.
import cds from '@sap/cds'

/**
 * A service that makes the transitions of its flows itself, with version, event and evidence in one
 * conditional update: CAP's handlers would refuse in other words and set the status once more.
 */
export class OwnFlowsService extends cds.ApplicationService {
  static handle_flows() {}
}
