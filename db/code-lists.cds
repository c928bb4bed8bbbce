namespace restock;

using { sap.common } from '@sap/cds/common';

/** The colours of a code in the apps: 0 neutral, 1 negative, 2 critical, 3 positive, 5 information. */
type Criticality : Integer;

/** What a code is called, in each language: names stand in db/data. */
@cds.persistence.skip: false
aspect CodeList : common.CodeList {
  key code        : String(40) @title: '{i18n>code}' @Common: { Text: name, TextArrangement: #TextOnly };
      position    : Integer @UI.Hidden;      // the order in which people expect the codes
      criticality : Criticality @UI.Hidden;
}

// Proposals
@singular: 'ProposalStatusCode' entity ProposalStatuses       : CodeList {}
entity Urgencies              : CodeList {}
entity Confidences            : CodeList {}
entity RejectionReasons       : CodeList {}
entity ProposalExceptions     : CodeList {}
entity ExceptionKinds         : CodeList {}
entity ProposalDrivers        : CodeList {}
entity CalculationTerms       : CodeList {}
entity ProposalEventTypes     : CodeList {}
entity MissingInputs          : CodeList {}
entity PolicyLevels           : CodeList {}
entity Doors                  : CodeList {}   // through which a decision came

// Sources and syncs
entity SourceTypes            : CodeList {}
@singular: 'SourceStatusCode' entity SourceStatuses         : CodeList {}
entity StreamStatuses         : CodeList {}
entity SyncModes              : CodeList {}
@singular: 'SyncStatusCode' entity SyncStatuses           : CodeList {}
entity SyncPhases             : CodeList {}

// Forecasts
entity PlanKinds              : CodeList {}
entity BridgeSteps            : CodeList {}   // of the waterfall from last year to a forecast
entity CleaningReasons        : CodeList {}   // why a forecast does not take a day as it was booked

// Access and other systems
entity AuditActions           : CodeList {}   // of administrators
entity ApiKeyStates           : CodeList {}
entity ApiKeyScopes           : CodeList {}
entity ApprovingRoles         : CodeList {}
entity DelegationStates       : CodeList {}
entity EventTypes             : CodeList {}
entity WebhookStatuses        : CodeList {}
entity WebhookDisabledReasons : CodeList {}
entity DeliveryStatuses       : CodeList {}
entity TaskStatuses           : CodeList {}

// Quality of forecasts
entity ScoreKinds             : CodeList {}
entity DemandClasses          : CodeList {}
