using { ProposalsService } from './proposals-service';

// Who reads proposals and who decides about them, whichever door it comes through; anybody else is refused with
// `insufficient_scope`. Which rows (locations, groups), up to which value and in whose name is asked of
// srv/domain/authority by proposals-service.ts: deputies and limits are more than a condition on a row says.
annotate ProposalsService.Proposals with @restrict: [
  { grant: 'READ', to: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'] },
  { grant: ['approve', 'decline', 'snooze', 'cancel'], to: ['Buyer', 'ApproverHigh'] },
];
annotate ProposalsService.list        with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.find        with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.history     with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.blocked     with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.exceptions  with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.findException   with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.settleException with @requires: ['Buyer', 'ApproverHigh'];
annotate ProposalsService.evidence    with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.valueReport with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.risk        with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.budget      with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.supplierTerms with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.bridge      with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.cleaning    with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
annotate ProposalsService.outlook     with @requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor'];
