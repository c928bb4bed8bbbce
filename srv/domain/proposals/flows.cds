using { ProposalsService } from './proposals-service';

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
