using { restock } from '../../../db';

/**
 * The one state machine of proposals, behind every door: /v1, the apps, the ERP's inbox, the CLI. A model that serves
 * nobody: decide/decisions.ts decides, by what flows.cds and constraints.cds say of it.
 */
@protocol: 'none'
@cds.serve.ignore
service ProposalsService {

  @singular: 'ProposalRow'
  entity Proposals as projection on restock.Proposals actions {
    // Each may say which version its caller was shown. `expectedVersion`: any other is refused. `seenVersion`: refused
    // where the terms have changed since (srv/domain/proposals/stored/terms.ts).
    /** With another quantity if need be. */
    action approve(quantity : Integer64, comment : Comment, expectedVersion : Version, seenVersion : Version);
    /** Rejects; a method `reject` every service of CAP has already, with another meaning. */
    action decline(reason : Reason, comment : Comment, expectedVersion : Version, seenVersion : Version);
    action snooze(until : Timestamp, expectedVersion : Version, seenVersion : Version);
    action cancel(reason : Reason, comment : Comment, expectedVersion : Version, seenVersion : Version);

    // Steps of the service itself, which nobody calls.
    action requestSecondApproval();
    action supersede();
    action expire();
    action wake();
    action markOrdered();
  }

  type Comment : String(1000);

  type Version : Integer @assert.range: [1, 2147483647];

  /** Why a buyer does not want an order: the codes of restock.RejectionReasons. */
  type Reason : String(50) enum {
    not_needed; too_much; too_early; wrong_supplier; price; discontinued; other;
  };
}
