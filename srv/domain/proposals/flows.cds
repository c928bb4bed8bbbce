using { restock } from '../../../db';

/**
 * The one state machine of proposals, behind every door: /v1, the apps, the ERP's inbox, the CLI. A model that serves
 * nobody: decide/decisions.ts decides, by what is said of it here.
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

/**
 * The state machine, the only one: which step leads from which status to which. What a person or the service may
 * do, the app's buttons and the documented table follow from it (srv/domain/proposals/stored/flow.ts).
 */
annotate ProposalsService.Proposals with @flow.status: status actions {
  approve               @from: [#pending, #awaiting_second_approval]            @to: #approved;
  requestSecondApproval @from: [#pending]                                       @to: #awaiting_second_approval;
  decline               @from: [#pending, #awaiting_second_approval, #snoozed]  @to: #rejected;
  snooze                @from: [#pending]                                       @to: #snoozed;
  cancel                @from: [#approved]                                      @to: #cancelled;
  supersede             @from: [#pending]                                       @to: #superseded;
  expire                @from: [#pending, #awaiting_second_approval]            @to: #expired;
  wake                  @from: [#snoozed]                                       @to: #pending;
  markOrdered           @from: [#approved]                                      @to: #ordered;
};

// What is given with a decision, whichever door it comes through; anything else is `invalid_parameter`. What the
// proposal must satisfy (its status: above) is checked when it is locked.
annotate ProposalsService.Proposals with actions {
  approve(
    quantity @assert.format: '^[1-9][0-9]{0,14}$'  @assert.format.message: 'quantity_invalid'
  );
  decline(
    reason @assert.range  @assert.enum.message: 'reason_invalid'
  );
  snooze(
    until @mandatory  @mandatory.message: 'until_invalid'  @restock.future: 'until_invalid'  // our own: CAP knows no later than now
  );
  cancel(
    reason @mandatory  @mandatory.message: 'reason_invalid'  @assert.range  @assert.enum.message: 'reason_invalid'
  );
};
