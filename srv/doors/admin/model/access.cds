using { AdminService } from '../admin-service';

// Auditors read everything that administrators read, and change nothing.
annotate AdminService.connect with @requires: 'Admin';
annotate AdminService.testConnection with @requires: 'Admin';

annotate AdminService.Sources     with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Syncs       with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Policies    with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.PlannedEvents with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.HolidayCalendars with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.BlockedPairs with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.ApiKeys     with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Webhooks    with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Deliveries  with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.UserLimits  with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.RoleLimits  with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Approvers   with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.ExchangeRates with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Delegations with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
