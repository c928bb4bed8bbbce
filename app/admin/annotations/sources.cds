using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.Sources with {
  ID                  @UI.Hidden;
  number              @title: '{i18n>admin_source}';
  type                @title: '{i18n>admin_type}' @Common: { Text: typeText, TextArrangement: #TextOnly };
  typeText            @UI.Hidden;
  isWithoutProblem    @UI.Hidden;
  isWithoutConsent    @UI.Hidden;
  account             @title: '{i18n>admin_account}';
  role                @title: '{i18n>admin_role}';
  baseUrl             @title: '{i18n>admin_baseUrl}';
  clientId            @title: '{i18n>admin_clientId}';
  destination         @title: '{i18n>admin_destination}';
  demo                @title: '{i18n>admin_demo}';
  status              @title: '{i18n>admin_status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
  statusText          @UI.Hidden;
  statusCriticality   @UI.Hidden;
  isOpen              @UI.Hidden;
  isIdle              @UI.Hidden;
  dataAsOf            @title: '{i18n>admin_dataAsOf}';
  dataAgeDays         @title: '{i18n>admin_dataAge}';
  ageCriticality      @UI.Hidden;
  checkedAt           @title: '{i18n>admin_checkedAt}';
  createdAt           @title: '{i18n>admin_createdAt}';
  createdBy           @title: '{i18n>admin_createdBy}';
  problemCode         @title: '{i18n>admin_problemCode}';
  problemText         @title: '{i18n>admin_problem}' @UI.MultiLineText;
  consentExpiresAt    @title: '{i18n>admin_consentExpiresAt}';
  rightsNeeded        @title: '{i18n>admin_rightsNeeded}';
  rightsMissing       @title: '{i18n>admin_rightsMissing}';
  streamsChecked      @title: '{i18n>admin_streamsChecked}';
  streamsAtFault      @title: '{i18n>admin_streamsAtFault}';
  fullSchedule        @title: '{i18n>admin_fullSchedule}';
  fullIsDefault       @title: '{i18n>admin_isDefault}';
  fullNextAt          @title: '{i18n>admin_nextFull}';
  incrementalSchedule @title: '{i18n>admin_incrementalSchedule}';
  incrementalIsDefault @title: '{i18n>admin_isDefault}';
  incrementalNextAt   @title: '{i18n>admin_nextIncremental}';
  lastSync            @title: '{i18n>admin_lastSync}';
  lastSyncStatus      @title: '{i18n>admin_lastSyncStatus}' @Common: { Text: lastSyncStatusText, TextArrangement: #TextOnly };
  lastSyncStatusText  @UI.Hidden;
  lastSyncAt          @title: '{i18n>admin_lastSyncAt}';
  syncing             @UI.Hidden;
};

annotate AdminService.Sources with @(
  Capabilities.SortRestrictions.NonSortableProperties: [dataAgeDays, lastSyncStatus, lastSyncAt, fullNextAt, incrementalNextAt, rightsMissing, problemText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [dataAgeDays, lastSyncStatus, lastSyncAt, fullNextAt, incrementalNextAt, rightsMissing, problemText, statusText],
  UI: {
    HeaderInfo: {
      TypeName: '{i18n>admin_source}', TypeNamePlural: '{i18n>admin_sources}',
      Title.Value: account, Description.Value: number, TypeImageUrl: 'sap-icon://connected'
    },
    SelectionFields: [ type, status ],
    PresentationVariant: { SortOrder: [{ Property: ID }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
      { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: '16rem' } },
      { Value: type, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: status, Criticality: statusCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
      { Value: dataAgeDays, Criticality: ageCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
      { Value: lastSyncStatus, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: lastSyncAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.syncNow', Label: '{i18n>admin_syncNow}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.check', Label: '{i18n>admin_check}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setSchedules', Label: '{i18n>admin_setSchedules}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Status: { Value: status, Title: '{i18n>admin_status}', Criticality: statusCriticality },
    DataPoint #Age: { Value: dataAgeDays, Title: '{i18n>admin_dataAge}', Criticality: ageCriticality },
    DataPoint #Last: { Value: lastSyncStatus, Title: '{i18n>admin_lastSync}' },
    DataPoint #Missing: { Value: rightsMissing, Title: '{i18n>admin_rightsMissing}' },
    HeaderFacets: [
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Age' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Last' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Missing' }
    ],
    FieldGroup #Connection: { Data: [
      { Value: type }, { Value: account }, { Value: role }, { Value: baseUrl }, { Value: clientId },
      { Value: destination }, { Value: createdAt }, { Value: createdBy }
    ]},
    FieldGroup #State: { Data: [
      { Value: problemText, Criticality: #Negative, @UI.Hidden: isWithoutProblem },
      { Value: consentExpiresAt, @UI.Hidden: isWithoutConsent },
      { Value: dataAsOf }, { Value: lastSyncAt }, { Value: checkedAt }
    ]},
    FieldGroup #Schedules: { Data: [
      { Value: incrementalSchedule }, { Value: incrementalNextAt }, { Value: fullSchedule }, { Value: fullNextAt }
    ]},
    Facets: [
      { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>admin_general}', Facets: [
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_state}', Target: '@UI.FieldGroup#State' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_connection}', Target: '@UI.FieldGroup#Connection' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_schedules}', Target: '@UI.FieldGroup#Schedules' }
      ]},
      { $Type: 'UI.ReferenceFacet', ID: 'rights', Label: '{i18n>admin_rights}', Target: 'rights/@UI.LineItem' },
      { $Type: 'UI.ReferenceFacet', ID: 'streams', Label: '{i18n>admin_streams}', Target: 'streams/@UI.LineItem' },
      { $Type: 'UI.ReferenceFacet', ID: 'syncs', Label: '{i18n>admin_syncs}', Target: 'syncs/@UI.PresentationVariant' },
      { $Type: 'UI.ReferenceFacet', ID: 'quarantined', Label: '{i18n>admin_quarantine}', Target: 'quarantined/@UI.LineItem' }
    ]
  }
);

annotate AdminService.Sources with actions {
  @Core.OperationAvailable: in.isOpen
  @Common.SideEffects: { TargetEntities: [in, in.streams, in.rights] }
  check;
  @Core.OperationAvailable: in.isOpen
  @Common.SideEffects: { TargetEntities: [in, in.syncs] }
  syncNow(
    mode @title: '{i18n>admin_mode}' @UI.ParameterDefaultValue: 'incremental'
      @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'SyncModes', Parameters: [
        { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: mode },
        { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } }
  );
  @Common.SideEffects: { TargetEntities: [in] }
  setSchedules(
    full        @title: '{i18n>admin_fullSchedule}' @UI.ParameterDefaultValue: in.fullSchedule @UI.Placeholder: '0 2 * * *',
    incremental @title: '{i18n>admin_incrementalSchedule}' @UI.ParameterDefaultValue: in.incrementalSchedule @UI.Placeholder: '0 * * * *'
  );
};

annotate AdminService.Rights with @UI.LineItem: [
  { Value: name }, { Value: granted, Criticality: grantedCriticality }
] @UI.HeaderInfo: { TypeName: '{i18n>admin_right}', TypeNamePlural: '{i18n>admin_rights}', Title.Value: name } {
  source @UI.Hidden; name @title: '{i18n>admin_right}'; granted @title: '{i18n>admin_granted}'; grantedCriticality @UI.Hidden;
};

annotate AdminService.Streams with @UI.LineItem: [
  { Value: name }, { Value: status, Criticality: statusCriticality }, { Value: message }
] @UI.HeaderInfo: { TypeName: '{i18n>admin_stream}', TypeNamePlural: '{i18n>admin_streams}', Title.Value: name } {
  source @UI.Hidden; name @title: '{i18n>admin_stream}'; message @title: '{i18n>admin_message}'; statusCriticality @UI.Hidden;
  status @title: '{i18n>admin_status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
};

// Rows that no table holds are filtered by equality only.
annotate AdminService.Rights  with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.Streams with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.SyncIssues with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.ForecastQuality with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };

annotate AdminService.SourceTypes with { code @title: '{i18n>admin_type}' @Common: { Text: name, TextArrangement: #TextOnly }; };
annotate AdminService.SyncModes   with { code @title: '{i18n>admin_mode}' @Common: { Text: name, TextArrangement: #TextOnly }; };

annotate AdminService.Sources with { mayChange @UI.Hidden; };
