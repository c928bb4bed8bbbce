using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.Syncs with {
  ID                @UI.Hidden;
  number            @title: '{i18n>sync}';
  source            @title: '{i18n>source}' @Common: { Text: source.account, TextArrangement: #TextOnly };
  mode              @title: '{i18n>mode}'   @Common: { Text: toMode.name, TextArrangement: #TextOnly };
  status            @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  isUnfinished      @UI.Hidden;
  phase             @title: '{i18n>phase}'  @Common: { Text: toPhase.name, TextArrangement: #TextOnly };
  done              @title: '{i18n>done}';
  total             @title: '{i18n>total}';
  unit              @title: '{i18n>countedIn}' @Common: { Text: unitText, TextArrangement: #TextOnly };
  unitText          @UI.Hidden;
  ratePerSecond     @title: '{i18n>ratePerSecond}';
  estimatedEndAt    @title: '{i18n>estimatedEndAt}';
  issueCount        @title: '{i18n>issues}';
  rowsRead          @title: '{i18n>rowsRead}';
  upserted          @title: '{i18n>upserted}';
  unchanged         @title: '{i18n>unchanged}';
  quarantined       @title: '{i18n>quarantinedRows}';
  deleted           @title: '{i18n>deleted}';
  createdAt         @title: '{i18n>createdAt}';
  startedAt         @title: '{i18n>startedAt}';
  finishedAt        @title: '{i18n>finishedAt}';
};

annotate AdminService.Syncs with @(
  Capabilities.SortRestrictions.NonSortableProperties: [percent, unitText, ratePerSecond, estimatedEndAt, issueCount],
  Capabilities.FilterRestrictions.NonFilterableProperties: [percent, unitText, ratePerSecond, estimatedEndAt, issueCount],
  UI: {
    HeaderInfo: { TypeName: '{i18n>sync}', TypeNamePlural: '{i18n>syncs}', Title.Value: number, Description.Value: source.account },
    SelectionFields: [ status, mode ],
    PresentationVariant: { SortOrder: [{ Property: ID, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5.5rem' } },
      { Value: source.account, Label: '{i18n>source}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: mode, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: status, Criticality: toStatus.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: percent, Label: '{i18n>progress}', @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: phase, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: rowsRead, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8.5rem' } },
      { Value: quarantined, Label: '{i18n>rejectedRows}', @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: issueCount, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6.5rem' } },
      { Value: startedAt, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '12rem' } },
      { Value: finishedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
    ],
    // Of one connection, on its page.
    PresentationVariant #Source: { SortOrder: [{ Property: ID, Descending: true }], Visualizations: ['@UI.LineItem#Source'] },
    LineItem #Source: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: mode, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: status, Criticality: toStatus.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: percent, Label: '{i18n>progress}', @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: rowsRead, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8.5rem' } },
      { Value: quarantined, Label: '{i18n>rejectedRows}', @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: issueCount, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6.5rem' } },
      { Value: finishedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.cancel', Label: '{i18n>cancelSync}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Progress: { Value: percent, Title: '{i18n>progress}', TargetValue: 100, Visualization: #Progress, Criticality: toStatus.criticality },
    DataPoint #Status: { Value: status, Title: '{i18n>status}', Criticality: toStatus.criticality },
    DataPoint #Phase: { Value: phase, Title: '{i18n>phase}' },
    DataPoint #Rate: { Value: ratePerSecond, Title: '{i18n>ratePerSecond}' },
    DataPoint #End: { Value: estimatedEndAt, Title: '{i18n>estimatedEndAt}' },
    HeaderFacets: [
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Progress' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Phase', @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Rate', @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#End', @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } }
    ],
    FieldGroup #Progress: { Data: [
      { Value: phase }, { Value: done }, { Value: total }, { Value: unit },
      { Value: ratePerSecond, @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } },
      { Value: estimatedEndAt, @UI.Hidden: { $edmJson: { $Not: { $Path: 'isUnfinished' } } } }
    ]},
    FieldGroup #Counts: { Data: [
      { Value: rowsRead }, { Value: upserted }, { Value: unchanged }, { Value: quarantined }, { Value: deleted }
    ]},
    FieldGroup #Times: { Data: [ { Value: createdAt }, { Value: startedAt }, { Value: finishedAt } ] },
    Facets: [
      { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>general}', Facets: [
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>progressState}', Target: '@UI.FieldGroup#Progress' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>counts}', Target: '@UI.FieldGroup#Counts' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>times}', Target: '@UI.FieldGroup#Times' }
      ]},
      { $Type: 'UI.ReferenceFacet', ID: 'issues', Label: '{i18n>issues}', Target: 'issues/@UI.LineItem' }
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
  { Value: stream, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9.5rem' } }, { Value: code, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: place, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: message, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
  { Value: impact, @UI.Importance: #High, @HTML5.CssDefaults: { width: '15rem' } }, { Value: remedy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '15rem' } }, { Value: isNote, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6.5rem' } }
] @UI.HeaderInfo: { TypeName: '{i18n>issue}', TypeNamePlural: '{i18n>issues}', Title.Value: code } {
  sync @UI.Hidden; line @UI.Hidden; streamText @UI.Hidden; stream @title: '{i18n>stream}' @Common: { Text: streamText, TextArrangement: #TextOnly }; code @title: '{i18n>code}';
  place @title: '{i18n>place}'; message @title: '{i18n>message}';
  impact @title: '{i18n>impact}'; remedy @title: '{i18n>remedy}'; isNote @title: '{i18n>isNote}';
};

annotate AdminService.QuarantinedRows with @(Capabilities.FilterRestrictions.NonFilterableProperties: [recordText], Capabilities.SortRestrictions.NonSortableProperties: [recordText], UI: {
  HeaderInfo: { TypeName: '{i18n>quarantinedRow}', TypeNamePlural: '{i18n>quarantine}', Title.Value: place },
  SelectionFields: [ account, record, code ],
  PresentationVariant: { SortOrder: [{ Property: record }, { Property: place }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: record, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9.5rem' } }, { Value: place, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: target, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: message, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: excerpt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } }, { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5.5rem' } }
  ],
  // Of one connection, on its page.
  LineItem #Source: [
    { Value: record, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9.5rem' } }, { Value: place, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: target, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: message, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: excerpt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } }, { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5.5rem' } }
  ]
}) {
  ID @UI.Hidden; source @UI.Hidden; type @title: '{i18n>type}';
  account @title: '{i18n>account}'; record @title: '{i18n>stream}' @Common: { Text: recordText, TextArrangement: #TextOnly }; recordText @UI.Hidden; place @title: '{i18n>place}'; code @title: '{i18n>code}';
  target @title: '{i18n>field}'; message @title: '{i18n>reason}'; excerpt @title: '{i18n>row}'; sync @UI.Hidden; number @title: '{i18n>sync}';
};

annotate AdminService.Syncs with { mayChange @UI.Hidden; };
