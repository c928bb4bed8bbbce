using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

annotate BuyerService.Blocked with @(
  Capabilities.FilterRestrictions.NonFilterableProperties: [skuText],
  cds.search: { sku, skuName, location },
  UI: {
    HeaderInfo: { TypeName: '{i18n>blockedPair}', TypeNamePlural: '{i18n>blocked}' },
    LineItem #Blocked: [
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '14rem' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: missing, Criticality: #Critical, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '12rem' } },
      { Value: reason, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
    ],
    PresentationVariant #Blocked: {
      SortOrder: [{ Property: sku }, { Property: location }], Visualizations: ['@UI.LineItem#Blocked'] },
    SelectionVariant #Blocked: { Text: '{i18n>blocked}', SelectOptions: [] },
    SelectionPresentationVariant #Blocked: {
      Text: '{i18n>blocked}', SelectionVariant: ![@UI.SelectionVariant#Blocked], PresentationVariant: ![@UI.PresentationVariant#Blocked] },
  }
) {
  series      @UI.Hidden;
  facts       @UI.Hidden;
  sku         @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText     @UI.Hidden;
  skuName     @title: '{i18n>skuName}';
  skuGroup    @title: '{i18n>skuGroup}';
  location    @title: '{i18n>location}';
  missing     @title: '{i18n>missing}' @Common: { Text: toMissing.name, TextArrangement: #TextOnly };
  reason      @title: '{i18n>whatToDo}';
};
