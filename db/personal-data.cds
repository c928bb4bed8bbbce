// Where people are stored. `@PersonalData` is SAP's vocabulary (also of @cap-js/audit-logging). Export and erasure of a person
// (srv/domain/privacy) read it: rows of `DataSubject` and `DataSubjectDetails` are deleted, in all others the id is replaced.
namespace restock;

using { restock.ExchangeRates, restock.ApprovedValues } from './money';
using { restock.Proposals, restock.ProposalEvents, restock.Evidence, restock.Exceptions, restock.HandOvers } from './proposals';
using { restock.Users, restock.UserLimits, restock.RoleLimits, restock.Delegations, restock.ApiKeys, restock.AuditLog } from './access';
using { restock.Tasks, restock.TaskAudiences, restock.TaskComments, restock.TaskDigests, restock.TaskViews, restock.GlobalUsers } from './tasks';
using { restock.ForecastOverrides } from './forecast-overrides';
using { restock.HolidayCalendars, restock.PlannedEvents } from './planned-events';
using { restock.Policies } from './policy';
using { restock.Notices } from './notices';
using { restock.Sessions } from './sessions';
using { restock.Sources, restock.Consents } from './source';
using { restock.Webhooks } from './events';


annotate Users with @PersonalData: { EntitySemantics: 'DataSubject', DataSubjectRole: 'User' } {
  ID        @PersonalData.FieldSemantics: 'DataSubjectID';
  roles     @PersonalData.IsPotentiallyPersonal;
  locations @PersonalData.IsPotentiallyPersonal;
  groups    @PersonalData.IsPotentiallyPersonal;
  seenAt    @PersonalData.IsPotentiallyPersonal;
}

annotate UserLimits with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  user          @PersonalData.FieldSemantics: 'DataSubjectID';
  maxOrderValue @PersonalData.IsPotentiallyPersonal;
  locations     @PersonalData.IsPotentiallyPersonal;
  changedBy     @PersonalData.FieldSemantics: 'UserID';
}

annotate GlobalUsers with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  globalId @PersonalData.IsPotentiallyPersonal;
  user     @PersonalData.FieldSemantics: 'DataSubjectID';
  seenAt   @PersonalData.IsPotentiallyPersonal;
}

annotate Sessions with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  user   @PersonalData.FieldSemantics: 'DataSubjectID';
  sealed @PersonalData.IsPotentiallyPersonal;
  subject         @PersonalData.IsPotentiallyPersonal;
  providerSession @PersonalData.IsPotentiallyPersonal;
}

annotate TaskDigests with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  user @PersonalData.FieldSemantics: 'DataSubjectID';
}

annotate ApiKeys with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  actsAs    @PersonalData.FieldSemantics: 'UserID';
  createdBy @PersonalData.FieldSemantics: 'UserID';
}

annotate AuditLog with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  actor  @PersonalData.FieldSemantics: 'UserID';
  object @PersonalData.IsPotentiallyPersonal;
  detail @PersonalData.IsPotentiallyPersonal;
}

annotate ProposalEvents with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  actor      @PersonalData.FieldSemantics: 'UserID';
  onBehalfOf @PersonalData.FieldSemantics: 'UserID';
  comment    @PersonalData.IsPotentiallyPersonal;
}

annotate Evidence with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  content @PersonalData.IsPotentiallyPersonal;
}

annotate Proposals with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  decidedBy        @PersonalData.FieldSemantics: 'UserID';
  firstApprover    @PersonalData.FieldSemantics: 'UserID';
  firstApproverFor @PersonalData.FieldSemantics: 'UserID';
  takenBy          @PersonalData.FieldSemantics: 'UserID';
  recommendation   @PersonalData.IsPotentiallyPersonal;
}

annotate HandOvers with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  takenBy @PersonalData.FieldSemantics: 'UserID';
}

annotate Exceptions with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  settledBy @PersonalData.FieldSemantics: 'UserID';
  comment   @PersonalData.IsPotentiallyPersonal;
}

annotate Tasks with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  processor   @PersonalData.FieldSemantics: 'UserID';
  completedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate TaskAudiences with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  users      @PersonalData.IsPotentiallyPersonal;
  recipients @PersonalData.IsPotentiallyPersonal;
}

annotate TaskComments with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  author @PersonalData.FieldSemantics: 'UserID';
  text   @PersonalData.IsPotentiallyPersonal;
}

annotate Delegations with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  fromUser  @PersonalData.FieldSemantics: 'UserID';
  toUser    @PersonalData.FieldSemantics: 'UserID';
  createdBy @PersonalData.FieldSemantics: 'UserID';
}

annotate RoleLimits with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  changedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate Policies with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  responsible @PersonalData.FieldSemantics: 'UserID';
  teamLead  @PersonalData.FieldSemantics: 'UserID';
  updatedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate HolidayCalendars with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  changedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate PlannedEvents with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  changedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate ForecastOverrides with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  createdBy @PersonalData.FieldSemantics: 'UserID';
  reason    @PersonalData.IsPotentiallyPersonal;
}

annotate Sources with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  createdBy @PersonalData.FieldSemantics: 'UserID';
}

annotate Consents with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  requestedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate Webhooks with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  createdBy @PersonalData.FieldSemantics: 'UserID';
}

annotate ExchangeRates with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  changedBy @PersonalData.FieldSemantics: 'UserID';
}

annotate ApprovedValues with @PersonalData: { EntitySemantics: 'Other', DataSubjectRole: 'User' } {
  approver @PersonalData.FieldSemantics: 'UserID';
  holder   @PersonalData.FieldSemantics: 'UserID';
}

annotate TaskViews with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  user @PersonalData.FieldSemantics: 'DataSubjectID';
}

annotate Notices with @PersonalData: { EntitySemantics: 'DataSubjectDetails', DataSubjectRole: 'User' } {
  user @PersonalData.FieldSemantics: 'DataSubjectID';
  fromUser @PersonalData.FieldSemantics: 'UserID';
  text @PersonalData.IsPotentiallyPersonal;
}
