using { BuyerService } from '../buyer-service';
using from './explore';
using from './items';
using from './overrides';
using from './costs';
using from './simulation';
using from './small-lines';

// Roles by action. The rows that a user sees follow from attributes of the user: restrict-rows.ts.
annotate BuyerService.Proposals with @restrict: [
  { grant: ['READ', 'risk', 'outlook', 'cleaning', 'bridge', 'rules', 'whatIf', 'alternatives', 'movements'] },
  { grant: ['approve', 'decline', 'snooze', 'cancel', 'adjustForecast', 'addComment'], to: ['Buyer', 'ApproverHigh'] },
];
annotate BuyerService.Exceptions with @restrict: [
  { grant: 'READ' },
  { grant: 'settle', to: ['Buyer', 'ApproverHigh'] },
];
annotate BuyerService.Items with @restrict: [
  { grant: ['READ', 'outlook', 'cleaning', 'calculation'] },
];
annotate BuyerService.ForecastOverrides with @restrict: [
  { grant: 'READ' },
  { grant: ['addOverride', 'removeOverride'], to: ['Buyer', 'ApproverHigh'] },
];
annotate BuyerService.approveMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.declineMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.passOn with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.snoozeMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.lookBefore with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.cancelMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.simulate with @requires: ['ApproverHigh', 'Admin'];
