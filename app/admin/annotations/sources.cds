using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.Sources with {
  ID                  @UI.Hidden;
  number              @title: '{i18n>source}';
  type                @title: '{i18n>type}' @Common: { Text: toType.name, TextArrangement: #TextOnly };
  account             @title: '{i18n>account}';
  role                @title: '{i18n>role}';
  baseUrl             @title: '{i18n>baseUrl}';
  clientId            @title: '{i18n>clientId}';
  destination         @title: '{i18n>destination}';
  demo                @title: '{i18n>demo}';
  status              @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  isOpen              @UI.Hidden;
  dataAsOf            @title: '{i18n>dataAsOf}';
  dataAgeDays         @title: '{i18n>dataAge}';
  dataAgeCriticality  @UI.Hidden;
  checkedAt           @title: '{i18n>checkedAt}';
  createdAt           @title: '{i18n>createdAt}';
  createdBy           @title: '{i18n>createdBy}';
  problemText         @title: '{i18n>problem}' @UI.MultiLineText;
  consentExpiresAt    @title: '{i18n>consentExpiresAt}';
  consentEndsAt       @title: '{i18n>consentEndsAt}';
  rightsMissing       @title: '{i18n>rightsMissing}';
  fullSchedule        @title: '{i18n>fullSchedule}' @Common: { Text: fullScheduleText, TextArrangement: #TextOnly };
  fullScheduleText    @UI.Hidden;
  fullNextAt          @title: '{i18n>nextFull}';
  incrementalSchedule @title: '{i18n>incrementalSchedule}' @Common: { Text: incrementalScheduleText, TextArrangement: #TextOnly };
  incrementalScheduleText @UI.Hidden;
  incrementalNextAt   @title: '{i18n>nextIncremental}';
  timeZone            @title: '{i18n>timeZone}';
  precedence          @title: '{i18n>precedence}';
  ledPairs            @title: '{i18n>ledPairs}';
  lastSyncStatus      @title: '{i18n>lastSyncStatus}' @Common: { Text: toLastSyncStatus.name, TextArrangement: #TextOnly };
  lastSyncAt          @title: '{i18n>lastSyncAt}';
  syncing             @UI.Hidden;
};

annotate AdminService.Sources with @(
  Capabilities.SortRestrictions.NonSortableProperties: [dataAgeDays, dataAgeCriticality, ledPairs, fullScheduleText, incrementalScheduleText, fullNextAt, incrementalNextAt, timeZone, rightsMissing, problemText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [dataAgeDays, dataAgeCriticality, ledPairs, fullScheduleText, incrementalScheduleText, fullNextAt, incrementalNextAt, timeZone, rightsMissing, problemText],
  UI: {
    HeaderInfo: {
      TypeName: '{i18n>source}', TypeNamePlural: '{i18n>sources}',
      Title.Value: account, Description.Value: number
    },
    SelectionFields: [ type, status ],
    PresentationVariant: { SortOrder: [{ Property: ID }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: type, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: status, Criticality: toStatus.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
      { Value: dataAgeDays, Criticality: dataAgeCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
      { Value: lastSyncStatus, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: lastSyncAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.syncNow', Label: '{i18n>syncNow}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.check', Label: '{i18n>check}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setSchedules', Label: '{i18n>setSchedules}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setPrecedence', Label: '{i18n>setPrecedence}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Status: { Value: status, Title: '{i18n>status}', Criticality: toStatus.criticality },
    DataPoint #Age: { Value: dataAgeDays, Title: '{i18n>dataAge}', Criticality: dataAgeCriticality },
    DataPoint #Last: { Value: lastSyncStatus, Title: '{i18n>lastSync}' },
    DataPoint #Missing: { Value: rightsMissing, Title: '{i18n>rightsMissing}' },
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
      { Value: problemText, Criticality: #Negative, @UI.Hidden: { $edmJson: { $Eq: [{ $Path: 'problemText' }, { $Null: null }] } } },
      { Value: consentExpiresAt, @UI.Hidden: { $edmJson: { $Eq: [{ $Path: 'consentExpiresAt' }, { $Null: null }] } } },
      { Value: consentEndsAt, @UI.Hidden: { $edmJson: { $Eq: [{ $Path: 'consentEndsAt' }, { $Null: null }] } } },
      { Value: dataAsOf }, { Value: lastSyncAt }, { Value: checkedAt },
      { Value: precedence }, { Value: ledPairs }
    ]},
    FieldGroup #Schedules: { Data: [
      { Value: incrementalSchedule }, { Value: incrementalNextAt }, { Value: fullSchedule }, { Value: fullNextAt }, { Value: timeZone }
    ]},
    Facets: [
      { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>general}', Facets: [
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>state}', Target: '@UI.FieldGroup#State' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>connection}', Target: '@UI.FieldGroup#Connection' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>schedules}', Target: '@UI.FieldGroup#Schedules' }
      ]},
      { $Type: 'UI.ReferenceFacet', ID: 'rights', Label: '{i18n>rights}', Target: 'rights/@UI.LineItem' },
      { $Type: 'UI.ReferenceFacet', ID: 'streams', Label: '{i18n>streams}', Target: 'streams/@UI.LineItem' },
      { $Type: 'UI.ReferenceFacet', ID: 'syncs', Label: '{i18n>syncs}', Target: 'syncs/@UI.PresentationVariant#Source' },
      { $Type: 'UI.ReferenceFacet', ID: 'quarantined', Label: '{i18n>quarantine}', Target: 'quarantined/@UI.LineItem#Source' }
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
    mode @title: '{i18n>mode}' @UI.ParameterDefaultValue: 'incremental'
      @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'SyncModes', Parameters: [
        { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: mode },
        { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } }
  );
  consentAgain(
    clientId @title: '{i18n>clientIdOrBefore}',
    clientSecret @title: '{i18n>clientSecret}'
  );
  @Common.SideEffects: { TargetEntities: [in] }
  setSchedules(
    full        @title: '{i18n>fullCron}' @UI.ParameterDefaultValue: in.fullSchedule @UI.Placeholder: '0 2 * * *',
    incremental @title: '{i18n>incrementalCron}' @UI.ParameterDefaultValue: in.incrementalSchedule @UI.Placeholder: '0 * * * *'
  );
  @Common.SideEffects: { TargetEntities: [in] }
  setPrecedence(
    precedence @title: '{i18n>precedenceOf}' @UI.ParameterDefaultValue: in.precedence @Common.FieldControl: #Mandatory
  );
};

annotate AdminService.Rights with @UI.LineItem: [
  { Value: name, @HTML5.CssDefaults: { width: 'auto' } }, { Value: granted, Criticality: grantedCriticality, @HTML5.CssDefaults: { width: '10rem' } }
] @UI.HeaderInfo: { TypeName: '{i18n>right}', TypeNamePlural: '{i18n>rights}', Title.Value: name } {
  source @UI.Hidden; name @title: '{i18n>right}'; granted @title: '{i18n>granted}'; grantedCriticality @UI.Hidden;
};

annotate AdminService.Streams with @UI.LineItem: [
  { Value: name, @HTML5.CssDefaults: { width: '16rem' } }, { Value: status, Criticality: statusCriticality, @HTML5.CssDefaults: { width: '11rem' } }, { Value: message, @HTML5.CssDefaults: { width: 'auto' } }
] @UI.HeaderInfo: { TypeName: '{i18n>stream}', TypeNamePlural: '{i18n>streams}', Title.Value: name } {
  source @UI.Hidden; nameText @UI.Hidden; name @title: '{i18n>stream}' @Common: { Text: nameText, TextArrangement: #TextOnly }; message @title: '{i18n>message}'; statusCriticality @UI.Hidden;
  status @title: '{i18n>status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
};

// Computed rows can be filtered by equality only.
annotate AdminService.Rights  with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.Streams with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.SyncIssues with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };
annotate AdminService.ForecastQuality with @Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false };

annotate AdminService.Sources with { mayChange @UI.Hidden; };
