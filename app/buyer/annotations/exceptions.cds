using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

annotate BuyerService.Exceptions with {
  ID            @UI.Hidden;
  number        @title: '{i18n>number}';
  kind          @Common: { Text: toKind.name, TextArrangement: #TextOnly };
  sku           @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText       @UI.Hidden;
  supplierText  @UI.Hidden;
  skuName       @title: '{i18n>skuName}';
  location      @Common: { Text: locationName, TextArrangement: #TextSeparate };
  locationName  @title: '{i18n>locationName}';
  supplier      @Common: { Text: supplierText, TextArrangement: #TextOnly };
  supplierName  @title: '{i18n>supplierName}';
  isSettled     @title: '{i18n>isSettled}';
  facts         @UI.Hidden;
  series        @UI.Hidden;
  source        @UI.Hidden;
  canSettle     @UI.Hidden;
};

annotate BuyerService.Exceptions with @(
  Capabilities: {
    SearchRestrictions.Searchable: true,
    FilterRestrictions.NonFilterableProperties: [skuName, locationName, supplierName, skuText, supplierText, message, canSettle],
    SortRestrictions.NonSortableProperties: [skuName, locationName, supplierName, message, canSettle],
  },
  cds.search: { sku, location, supplier },
  UI: {
    HeaderInfo: { TypeName: '{i18n>exceptionKind}', TypeNamePlural: '{i18n>exceptions}' },
    LineItem #Exceptions: [
      { Value: kind, Criticality: toKind.criticality, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10.5rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '11.5rem' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6rem' } },
      { Value: supplier, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '6rem' } },
      { Value: document, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: quantity, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '5rem' } },
      { Value: value, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6.5rem' } },
      // So wide that it and the promised day are shown only where the details keep their room.
      { Value: valueAtRisk, ![@UI.Hidden]: (valueAtRisk is null), ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '20rem' } },
      { Value: promisedOn, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: wantedOn, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6.25rem' } },
      { Value: message, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { $Type: 'UI.DataFieldForAction', Action: 'BuyerService.settle', Label: '{i18n>settle}' },
    ],
    PresentationVariant #Exceptions: {
      SortOrder: [{ Property: value, Descending: true }, { Property: ID, Descending: true }],
      RequestAtLeast: [canSettle, supplier, kind],
      Visualizations: ['@UI.LineItem#Exceptions'] },
    SelectionVariant #Exceptions: {
      Text: '{i18n>exceptions}',
      SelectOptions: [{ PropertyName: isSettled, Ranges: [{ Sign: #I, Option: #EQ, Low: false }] }] },
    SelectionPresentationVariant #Exceptions: {
      Text: '{i18n>exceptions}', SelectionVariant: ![@UI.SelectionVariant#Exceptions], PresentationVariant: ![@UI.PresentationVariant#Exceptions] },
  }
) actions {
  @(Core.OperationAvailable: in.canSettle, Common.SideEffects: { TargetEntities: ['/BuyerService.EntityContainer/Exceptions'] })
  settle(comment @title: '{i18n>comment}' @UI.MultiLineText);
};
