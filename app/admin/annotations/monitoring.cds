using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.AuditLog with @(UI: {
  HeaderInfo: { TypeName: '{i18n>auditEntry}', TypeNamePlural: '{i18n>auditLog}', Title.Value: action, Description.Value: object },
  SelectionFields: [ actor, action, object, at ],
  PresentationVariant: { SortOrder: [{ Property: at, Descending: true }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { Value: at, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: actor, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: action, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: object, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: detail, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: via, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: seq, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }
  ]
}) {
  ID @UI.Hidden; at @title: '{i18n>at}'; actor @title: '{i18n>actor}'; via @title: '{i18n>via}' @Common: { Text: toVia.name, TextArrangement: #TextOnly }; action @title: '{i18n>action}' @Common: { Text: toAction.name, TextArrangement: #TextOnly };
  object @title: '{i18n>object}'; detail @title: '{i18n>detail}' @Common: { Text: detailText, TextArrangement: #TextOnly }; detailText @UI.Hidden; seq @title: '{i18n>seq}';
};

annotate AdminService.ForecastQuality with @(UI: {
  HeaderInfo: { TypeName: '{i18n>forecastQuality}', TypeNamePlural: '{i18n>forecastQuality}', Title.Value: account, Description.Value: number },
  DataPoint #Coverage: { Value: coverage, Title: '{i18n>coverageAim}', Criticality: coverageCriticality },
  DataPoint #Above: { Value: aboveP90, Title: '{i18n>aboveAim}', Criticality: aboveCriticality },
  DataPoint #Bias: { Value: bias, Title: '{i18n>bias}', Criticality: biasCriticality },
  DataPoint #Loss: { Value: weightedLoss, Title: '{i18n>weightedLoss}' },
  HeaderFacets: [
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Coverage', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Above', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Bias', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Loss', @UI.Hidden: isUnmeasured }
  ],
  FieldGroup #Measured: { Data: [
    { Value: kind }, { Value: period }, { Value: cases }, { Value: belowP10 }
  ]},
  FieldGroup #Present: { Data: [
    { Value: asOf }, { Value: engineVersion }, { Value: series }, { Value: forecasts }, { Value: waiting }, { Value: windows }
  ]},
  FieldGroup #Confidence: { Data: [ { Value: highShare }, { Value: mediumShare }, { Value: lowShare }, { Value: sampled } ]},
  Facets: [
    { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>general}', Facets: [
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>quality}', Target: '@UI.FieldGroup#Measured', @UI.Hidden: isUnmeasured },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>present}', Target: '@UI.FieldGroup#Present' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>presentConfidence}', Target: '@UI.FieldGroup#Confidence' }
    ]},
    { $Type: 'UI.ReferenceFacet', ID: 'byClass', Label: '{i18n>qualityByClass}', Target: 'byClass/@UI.PresentationVariant#Class', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'worst', Label: '{i18n>qualityWorst}', Target: 'worst/@UI.PresentationVariant#Worst', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byGroup', Label: '{i18n>qualityByGroup}', Target: 'byGroup/@UI.PresentationVariant#Group', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'bySupplier', Label: '{i18n>qualityBySupplier}', Target: 'bySupplier/@UI.PresentationVariant#Supplier', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byLocation', Label: '{i18n>qualityByLocation}', Target: 'byLocation/@UI.PresentationVariant#Location', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byPattern', Label: '{i18n>qualityByPattern}', Target: 'byPattern/@UI.PresentationVariant#Pattern', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byAbc', Label: '{i18n>qualityByAbc}', Target: 'byAbc/@UI.PresentationVariant#Abc', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byXyz', Label: '{i18n>qualityByXyz}', Target: 'byXyz/@UI.PresentationVariant#Xyz', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byConfidence', Label: '{i18n>qualityByConfidence}', Target: 'byConfidence/@UI.PresentationVariant#Confidence', @UI.Hidden: isUnmeasured },
    { $Type: 'UI.ReferenceFacet', ID: 'byMonth', Label: '{i18n>qualityByMonth}', Target: 'byMonth/@UI.PresentationVariant#Month', @UI.Hidden: isUnmeasured }
  ],
  LineItem: [
    { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: coverage, Criticality: coverageCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: asOf, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: series, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: forecasts, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6.5rem' } },
    { Value: waiting, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: highShare, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
    { Value: mediumShare, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: lowShare, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }
  ]
}) {
  source @UI.Hidden; number @title: '{i18n>source}'; account @title: '{i18n>account}'; asOf @title: '{i18n>forecastFrom}';
  engineVersion @title: '{i18n>engineVersion}'; series @title: '{i18n>series}'; forecasts @title: '{i18n>forecasts}'; waiting @title: '{i18n>waitingSeries}';
  windows @title: '{i18n>windows}'; sampled @title: '{i18n>sampled}';
  highShare @title: '{i18n>highShare}'; mediumShare @title: '{i18n>mediumShare}'; lowShare @title: '{i18n>lowShare}';
  kind @title: '{i18n>qualityKind}' @Common: { Text: kindText, TextArrangement: #TextOnly }; kindText @UI.Hidden;
  period @title: '{i18n>qualityPeriod}'; isUnmeasured @UI.Hidden;
};

// Titles of the quality figures, for a source and for its parts.
annotate AdminService.QualityFigures with {
  cases @title: '{i18n>cases}'; weightedLoss @title: '{i18n>weightedLoss}';
  coverage @title: '{i18n>coverage}'; coverageCriticality @UI.Hidden;
  aboveP90 @title: '{i18n>aboveP90}'; aboveCriticality @UI.Hidden;
  belowP10 @title: '{i18n>belowP10}'; bias @title: '{i18n>bias}'; biasCriticality @UI.Hidden;
};

annotate AdminService.QualityParts with @(
  Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false },
  UI: {
  HeaderInfo: { TypeName: '{i18n>quality}', TypeNamePlural: '{i18n>quality}', Title.Value: text },
  PresentationVariant #Month: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Month'] },
  LineItem #Month: [
    { Value: code, Label: '{i18n>month}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: kind, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: coverage, Criticality: coverageCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: aboveP90, Criticality: aboveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: belowP10, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: bias, Criticality: biasCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
  ],
  PresentationVariant #Class: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Class'] },
  LineItem #Class: [
    { Value: code, Label: '{i18n>demandClass}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: coverage, Criticality: coverageCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: aboveP90, Criticality: aboveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: belowP10, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: bias, Criticality: biasCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
  ],
  PresentationVariant #Confidence: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Confidence'] },
  LineItem #Confidence: [
    { Value: code, Label: '{i18n>confidence}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: coverage, Criticality: coverageCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: aboveP90, Criticality: aboveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: belowP10, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: bias, Criticality: biasCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
  ]
  }
) {
  source @UI.Hidden; part @UI.Hidden; position @UI.Hidden;
  code @Common: { Text: text, TextArrangement: #TextOnly }; text @UI.Hidden;
  kind @title: '{i18n>qualityKind}' @Common: { Text: kindText, TextArrangement: #TextOnly }; kindText @UI.Hidden;
};

// Auditors do not see actions that the service would refuse.
annotate AdminService.Sources with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.Policies with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.Webhooks with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.UserLimits with @Capabilities.DeleteRestrictions.Deletable: { $edmJson: { $Path: '/AdminService.EntityContainer/Health/mayChange' } };
annotate AdminService.RoleLimits with @Capabilities.DeleteRestrictions.Deletable: { $edmJson: { $Path: '/AdminService.EntityContainer/Health/mayChange' } };
annotate AdminService.ExchangeRates with @Capabilities.DeleteRestrictions.Deletable: isRemovable;
