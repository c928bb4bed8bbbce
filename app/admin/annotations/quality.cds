// Forecast quality by what the pairs are, and the pairs that cost most.
using { AdminService } from '../../../srv/doors/admin/model/monitoring';

annotate AdminService.PairFigures with {
  cases @title: '{i18n>cases}'; bias @title: '{i18n>bias}'; weightedLoss @title: '{i18n>weightedLoss}';
  toNaive @title: '{i18n>qualityToNaive}'; toNaiveError @title: '{i18n>qualityToNaiveError}'; toNaiveCriticality @UI.Hidden;
  toErp @title: '{i18n>qualityToErp}'; erpCases @title: '{i18n>qualityErpCases}'; erpBias @title: '{i18n>qualityErpBias}';
  error @title: '{i18n>qualityError}'; money @title: '{i18n>qualityMoney}' @Measures.ISOCurrency: currency; currency @title: '{i18n>currency}';
};

annotate AdminService.QualityGroups with @(
  Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false },
  UI: {
  HeaderInfo: { TypeName: '{i18n>quality}', TypeNamePlural: '{i18n>quality}', Title.Value: text },
  PresentationVariant #Group: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Group'] },
  LineItem #Group: [
    { Value: code, Label: '{i18n>skuGroup}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ],
  PresentationVariant #Supplier: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Supplier'] },
  LineItem #Supplier: [
    { Value: code, Label: '{i18n>supplier}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ],
  PresentationVariant #Location: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Location'] },
  LineItem #Location: [
    { Value: code, Label: '{i18n>location}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ],
  PresentationVariant #Pattern: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Pattern'] },
  LineItem #Pattern: [
    { Value: code, Label: '{i18n>demandClass}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ],
  PresentationVariant #Abc: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Abc'] },
  LineItem #Abc: [
    { Value: code, Label: '{i18n>qualityAbc}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ],
  PresentationVariant #Xyz: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Xyz'] },
  LineItem #Xyz: [
    { Value: code, Label: '{i18n>qualityXyz}', @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: pairs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: cases, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: weightedLoss, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toNaiveError, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }
  ]
  }
) {
  source @UI.Hidden; part @UI.Hidden; position @UI.Hidden;
  code @Common: { Text: text, TextArrangement: #TextOnly }; text @UI.Hidden; pairs @title: '{i18n>qualityPairs}';
};

annotate AdminService.QualityWorst with @(
  Capabilities: { FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false },
  UI: {
  HeaderInfo: { TypeName: '{i18n>quality}', TypeNamePlural: '{i18n>qualityWorst}', Title.Value: sku },
  PresentationVariant #Worst: { SortOrder: [{ Property: position }], Visualizations: ['@UI.LineItem#Worst'] },
  LineItem #Worst: [
    { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: money, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: error, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: demand, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
    { Value: bias, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: toNaive, Criticality: toNaiveCriticality, CriticalityRepresentation: #WithoutIcon, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: toErp, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '10rem' } },
    { Value: demandClass, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
    { Value: abcXyz, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } },
    { Value: skuGroup, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: supplier, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '7rem' } }
  ]
  }
) {
  source @UI.Hidden; position @UI.Hidden;
  sku @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly }; skuText @UI.Hidden; skuName @UI.Hidden;
  location @title: '{i18n>location}'; skuGroup @title: '{i18n>skuGroup}'; supplier @title: '{i18n>supplier}' @Common: { Text: supplierText, TextArrangement: #TextOnly }; supplierText @UI.Hidden;
  demandClass @title: '{i18n>demandClass}' @Common: { Text: classText, TextArrangement: #TextOnly }; classText @UI.Hidden;
  abcXyz @title: '{i18n>qualityAbcXyz}'; demand @title: '{i18n>qualityDemand}';
};
