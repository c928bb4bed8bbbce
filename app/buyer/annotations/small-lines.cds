// Lines with which waiting costs little, a row a supplier. The actions are the app's own (manifest.json).
using { BuyerService } from '../../../srv/doors/buyer/buyer-service';
using from '../../../srv/doors/buyer/model/home';

annotate BuyerService.SmallLines with @(
  Capabilities: {
    SearchRestrictions.Searchable: false, SortRestrictions.Sortable: false, FilterRestrictions.Filterable: false,
  },
  UI: {
    HeaderInfo: { TypeName: '{i18n>smallLines}', TypeNamePlural: '{i18n>smallLines}' },
    LineItem #Small: [
      { $Type: 'UI.DataFieldWithUrl', Value: supplierText, Url: orderHref, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: lines, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10rem' } },
      { Value: value, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '12rem' } },
      { Value: valueAtRisk, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '12rem' } },
    ],
    PresentationVariant #Small: { RequestAtLeast: [source, supplier, currency], Visualizations: ['@UI.LineItem#Small'] },
    SelectionVariant #Small: { Text: '{i18n>smallLines}', SelectOptions: [] },
    SelectionPresentationVariant #Small: {
      Text: '{i18n>smallLines}', SelectionVariant: ![@UI.SelectionVariant#Small], PresentationVariant: ![@UI.PresentationVariant#Small] },
  }
) {
  ID           @UI.Hidden;
  source       @UI.Hidden;
  supplier     @UI.Hidden;
  currency     @UI.Hidden;
  orderHref    @UI.Hidden;
  supplierText @title: '{i18n>supplier}';
  lines        @title: '{i18n>smallLinesCount}';
  value        @title: '{i18n>value}' @Measures.ISOCurrency: currency;
  valueAtRisk  @title: '{i18n>valueAtRisk}' @Measures.ISOCurrency: currency @Common.QuickInfo: '{i18n>valueAtRiskHelp}';
};
