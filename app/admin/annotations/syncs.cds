using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.Syncs with {
  ID                @UI.Hidden;
  number            @title: '{i18n>admin_sync}';
  source            @title: '{i18n>admin_source}' @Common: { Text: source.account, TextArrangement: #TextOnly };
  mode              @title: '{i18n>admin_mode}'   @Common: { Text: modeText, TextArrangement: #TextOnly };
  modeText          @UI.Hidden;
  status            @title: '{i18n>admin_status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
  statusText        @UI.Hidden;
  statusCriticality @UI.Hidden;
  isUnfinished      @UI.Hidden;
  phase             @title: '{i18n>admin_phase}'  @Common: { Text: phaseText, TextArrangement: #TextOnly };
  phaseText         @UI.Hidden;
  done              @title: '{i18n>admin_done}';
  total             @title: '{i18n>admin_total}';
  unit              @title: '{i18n>admin_unit}';
  percent           @title: '{i18n>admin_progress}';
  ratePerSecond     @title: '{i18n>admin_ratePerSecond}';
  estimatedEndAt    @title: '{i18n>admin_estimatedEndAt}';
  secondsLeft       @title: '{i18n>admin_secondsLeft}';
  issueCount        @title: '{i18n>admin_issues}';
  rowsRead          @title: '{i18n>admin_rowsRead}';
  upserted          @title: '{i18n>admin_upserted}';
  unchanged         @title: '{i18n>admin_unchanged}';
  quarantined       @title: '{i18n>admin_quarantinedRows}';
  deleted           @title: '{i18n>admin_deleted}';
  createdAt         @title: '{i18n>admin_createdAt}';
  startedAt         @title: '{i18n>admin_startedAt}';
  finishedAt        @title: '{i18n>admin_finishedAt}';
};

annotate AdminService.Syncs with @(
  Capabilities.SortRestrictions.NonSortableProperties: [percent, ratePerSecond, estimatedEndAt, issueCount, statusText, modeText, phaseText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [percent, ratePerSecond, estimatedEndAt, secondsLeft, issueCount, statusText, modeText, phaseText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_sync}', TypeNamePlural: '{i18n>admin_syncs}', Title.Value: number, Description.Value: mode },
    SelectionFields: [ status, mode ],
    PresentationVariant: { SortOrder: [{ Property: ID, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
      { Value: mode, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: status, Criticality: statusCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: percent, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: phase, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: rowsRead, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: quarantined, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: issueCount, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
      { Value: startedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
      { Value: finishedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.cancel', Label: '{i18n>admin_cancelSync}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Progress: { Value: percent, Title: '{i18n>admin_progress}', TargetValue: 100, Visualization: #Progress, Criticality: statusCriticality },
    DataPoint #Status: { Value: status, Title: '{i18n>admin_status}', Criticality: statusCriticality },
    DataPoint #Phase: { Value: phase, Title: '{i18n>admin_phase}' },
    DataPoint #Rate: { Value: ratePerSecond, Title: '{i18n>admin_ratePerSecond}' },
    DataPoint #End: { Value: estimatedEndAt, Title: '{i18n>admin_estimatedEndAt}' },
    HeaderFacets: [
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Progress' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Phase' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Rate', @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#End', @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } }
    ],
    FieldGroup #Progress: { Data: [
      { Value: phase }, { Value: done }, { Value: total }, { Value: unit }, { Value: ratePerSecond }, { Value: estimatedEndAt }
    ]},
    FieldGroup #Counts: { Data: [
      { Value: rowsRead }, { Value: upserted }, { Value: unchanged }, { Value: quarantined }, { Value: deleted }
    ]},
    FieldGroup #Times: { Data: [ { Value: createdAt }, { Value: startedAt }, { Value: finishedAt } ] },
    Facets: [
      { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>admin_general}', Facets: [
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_progress}', Target: '@UI.FieldGroup#Progress' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_counts}', Target: '@UI.FieldGroup#Counts' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_times}', Target: '@UI.FieldGroup#Times' }
      ]},
      { $Type: 'UI.ReferenceFacet', ID: 'issues', Label: '{i18n>admin_issues}', Target: 'issues/@UI.LineItem' }
    ]
  }
);

annotate AdminService.Syncs with actions {
  @Core.OperationAvailable: in.isUnfinished
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: [in] }
  cancel;
};

annotate AdminService.SyncIssues with @UI.LineItem: [
  { Value: stream, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: code, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: place, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: message, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } }
] @UI.HeaderInfo: { TypeName: '{i18n>admin_issue}', TypeNamePlural: '{i18n>admin_issues}', Title.Value: code } {
  sync @UI.Hidden; line @UI.Hidden; stream @title: '{i18n>admin_stream}'; code @title: '{i18n>admin_code}';
  place @title: '{i18n>admin_place}'; message @title: '{i18n>admin_message}';
};

annotate AdminService.QuarantinedRows with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_quarantinedRow}', TypeNamePlural: '{i18n>admin_quarantine}', Title.Value: place },
  SelectionFields: [ account, record, code ],
  PresentationVariant: { SortOrder: [{ Property: record }, { Property: place }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: record, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: place, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: target, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: message, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } }, { Value: excerpt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } }, { Value: sync, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } }
  ]
}) {
  ID @UI.Hidden; source @UI.Hidden; type @title: '{i18n>admin_type}';
  account @title: '{i18n>admin_account}'; record @title: '{i18n>admin_stream}'; place @title: '{i18n>admin_place}'; code @title: '{i18n>admin_code}';
  target @title: '{i18n>admin_field}'; message @title: '{i18n>admin_reason}'; excerpt @title: '{i18n>admin_row}'; sync @title: '{i18n>admin_sync}';
};

annotate AdminService.Syncs with { mayChange @UI.Hidden; };
