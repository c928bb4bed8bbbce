// The list of proposals. What the stored elements are called stands with them (db/proposals.cds).
using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

annotate BuyerService.Proposals with {
  number           @title: '{i18n>number}';
  // It is filtered by as it is shown, by the number.
  ID               @title: '{i18n>number}' @Common: { Text: number, TextArrangement: #TextOnly } @UI.HiddenFilter;
  sku              @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText          @UI.Hidden;
  skuName          @title: '{i18n>skuName}';
  unit             @title: '{i18n>unit}';
  skuGroup         @title: '{i18n>skuGroup}';
  abcClass         @title: '{i18n>abcClass}' @Common.QuickInfo: '{i18n>abcClassHelp}';
  location         @Common: { Text: locationName, TextArrangement: #TextSeparate };
  locationName     @title: '{i18n>locationName}';
  locationText     @title: '{i18n>locationText}' @UI.AdaptationHidden;
  supplier         @Common: { Text: supplierName, TextArrangement: #TextLast };
  supplierName     @title: '{i18n>supplierName}';
  supplierOrder    @title: '{i18n>supplierOrder}';
  calculatedQuantity @title: '{i18n>calculatedQuantity}';
  daysOfSupply     @title: '{i18n>daysOfSupply}';
  responsible      @title: '{i18n>responsible}';
  isMine           @title: '{i18n>isMine}';
  isTeams          @title: '{i18n>isTeams}';
  isForMe          @title: '{i18n>isForMe}';
  isDueToday       @title: '{i18n>viewDueToday}';
  isSmall          @title: '{i18n>isSmall}';
  needsThought     @title: '{i18n>viewThought}';
  thoughtMark      @UI.Hidden;
  valueAtRisk      @Common.QuickInfo: '{i18n>valueAtRiskHelp}';
  p50              @Common: { Text: forecastText, TextArrangement: #TextOnly };
  forecastText     @UI.Hidden;
  drivers          @title: '{i18n>drivers}' @Common: { Text: driversText, TextArrangement: #TextOnly };
  driversText      @UI.Hidden;
  exceptions       @title: '{i18n>exceptions}' @Common: { Text: exceptionsText, TextArrangement: #TextOnly };
  exceptionsText   @UI.Hidden;
  dataAsOf         @title: '{i18n>dataAsOf}';
  buys             @UI.AdaptationHidden;
  contract         @UI.AdaptationHidden;
  censoredShare    @UI.AdaptationHidden;
  missingData      @UI.AdaptationHidden;
  series           @UI.Hidden;
  source           @UI.Hidden;
  version          @UI.Hidden;
  kind             @UI.Hidden;
  supersededBy     @UI.Hidden;
  further          @UI.Hidden;
  matchedBy        @UI.Hidden;
  fromLocation     @UI.Hidden;
  targetQuantile   @UI.Hidden;
  canApprove       @UI.Hidden;
  canReject        @UI.Hidden;
  canSnooze        @UI.Hidden;
  canCancel        @UI.Hidden;
  canAdjust        @UI.Hidden;
};

annotate BuyerService.Proposals with @(
  Common.SemanticKey: [ID],
  Capabilities: {
    SearchRestrictions.Searchable: true,
    FilterRestrictions.NonFilterableProperties: [
      exceptionsText, driversText, measuredLeadTime, buys, contract, censoredShare, missingData, forecastAdjusted, rationale, newer, recommendation, changed, forecastText,
      skuName, skuText, unit, locationName, locationText, supplierName, supplierOrder, dataAsOf
    ],
    SortRestrictions.NonSortableProperties: [
      exceptionsText, driversText, measuredLeadTime, buys, contract, censoredShare, missingData, forecastAdjusted, rationale, newer, recommendation, changed, forecastText,
      skuName, unit, skuGroup, locationName, locationText, supplierName, dataAsOf, responsible, isMine, isTeams, isForMe
    ],
  },
  cds.search: { sku, location, supplier },
  UI: {
    HeaderInfo: {
      TypeName: '{i18n>proposal}', TypeNamePlural: '{i18n>proposals}',
      Title: { Value: sku }, Description: { Value: locationText },
    },
    SelectionFields: [urgency, location, supplier, orderBy],
    PresentationVariant: {
      SortOrder: [
        { Property: valueAtRisk, Descending: true }, { Property: ID, Descending: true }
      ],
      RequestAtLeast: [version, number, quantity, unit, value, currency, unitCost, moq, lotSize, calculatedQuantity, p10, p50, p90, forecastText, horizonDays, onHand, onOrder, valueAtRisk, reviewPeriodDays, confidence, needsThought, canApprove, canReject, canSnooze, canCancel],
      MaxItems: 20,   // read and drawn at a time: more than a screen shows
      Visualizations: ['@UI.LineItem'],
    },
    // Its actions, and the quantity that can be typed, are the app's own (manifest.json). The mark of a row: it needs thought.
    LineItem: { $value: [
      { Value: urgency, Criticality: toUrgency.criticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '5rem' } },
      { Value: onHand, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '4.5rem' } },
      { Value: onOrder, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '4.5rem' } },
      { Value: daysOfSupply, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '5.25rem' } },
      { Value: orderBy, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '5.75rem' } },
      // So wide that they are shown only where the item keeps its code and name.
      { Value: confidence, Criticality: toConfidence.criticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '6.75rem' } },
      { Value: supplier, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '20rem' } },
      { Value: responsible, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '24rem' } },
      { Value: abcClass, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '4rem' } },
      { Value: p50, Label: '{i18n>forecast}', ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '10rem' } },
      { Value: exceptions, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '12rem' } },
      { Value: status, Criticality: toStatus.criticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '9rem' } },
    ], ![@UI.Criticality]: thoughtMark },
    LineItem #BySupplier: [
      { Value: urgency, Criticality: toUrgency.criticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10.5rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: onHand, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '4.5rem' } },
      { Value: daysOfSupply, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '5.75rem' } },
      { Value: orderBy, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      // Its place is the head of the group; a column that is not there cannot be grouped by, and one that is so wide is not shown.
      { Value: supplierOrder, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '60rem' } },
    ],
    // As it is typed into the ERP: its order names the proposal as its reference.
    LineItem #ToOrder: [
      { Value: number, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: quantity, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6rem' } },
      { Value: orderedAs, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '8.5rem' } },
      { Value: unitCost, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: value, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7.5rem' } },
      { Value: orderBy, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '6.5rem' } },
      { Value: takenAt, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '10rem' } },
      // So wide that it and what follows are shown only where the item keeps its code and name.
      { Value: takenBy, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '21rem' } },
      { Value: decidedAt, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { Value: decidedBy, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '8rem' } },
      // As above: its place is the head of the group.
      { Value: supplier, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '60rem' } },
    ],
    // What waiting costs too little with is one row by supplier (small-lines.cds); a search finds it all the same.
    SelectionVariant #Open: { Text: '{i18n>viewOpen}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: isSmall, Ranges: [{ Sign: #I, Option: #EQ, Low: 'false' }] } ] },
    SelectionVariant #DueToday: { Text: '{i18n>viewDueToday}', SelectOptions: [
      { PropertyName: isDueToday, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] },
      { PropertyName: isSmall, Ranges: [{ Sign: #I, Option: #EQ, Low: 'false' }] } ] },
    SelectionVariant #Thought: { Text: '{i18n>viewThought}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: needsThought, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] } ] },
    SelectionVariant #Routine: { Text: '{i18n>viewRoutine}', SelectOptions: [
      { PropertyName: isDueToday, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] },
      { PropertyName: isSmall, Ranges: [{ Sign: #I, Option: #EQ, Low: 'false' }] },
      { PropertyName: needsThought, Ranges: [{ Sign: #I, Option: #EQ, Low: 'false' }] } ] },
    SelectionVariant #Mine: { Text: '{i18n>viewMine}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: isMine, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] } ] },
    SelectionVariant #Team: { Text: '{i18n>viewTeam}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: isTeams, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] } ] },
    SelectionVariant #ForMe: { Text: '{i18n>viewForMe}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }, { Sign: #I, Option: #EQ, Low: 'awaiting_second_approval' }] },
      { PropertyName: isForMe, Ranges: [{ Sign: #I, Option: #EQ, Low: 'true' }] } ] },
    SelectionVariant #OutOfStock: { Text: '{i18n>viewOutOfStock}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: urgency, Ranges: [{ Sign: #I, Option: #EQ, Low: 'stocked_out' }] } ] },
    SelectionVariant #Stockout: { Text: '{i18n>viewStockout}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: urgency, Ranges: [{ Sign: #I, Option: #EQ, Low: 'stockout_before_arrival' }] } ] },
    SelectionVariant #HighValue: { Text: '{i18n>viewHighValue}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'pending' }] },
      { PropertyName: value, Ranges: [{ Sign: #I, Option: #GE, Low: '1000' }] } ] },
    SelectionVariant #Second: { Text: '{i18n>viewSecond}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'awaiting_second_approval' }] } ] },
    SelectionVariant #Approved: { Text: '{i18n>viewApproved}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'approved' }] } ] },
    SelectionVariant #Snoozed: { Text: '{i18n>viewSnoozed}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'snoozed' }] } ] },
    SelectionVariant #Rejected: { Text: '{i18n>viewRejected}', SelectOptions: [
      { PropertyName: status, Ranges: [{ Sign: #I, Option: #EQ, Low: 'rejected' }] } ] },
    SelectionVariant #All: { Text: '{i18n>viewAll}', SelectOptions: [] },
    SelectionPresentationVariant #Open: { Text: '{i18n>viewOpen}', SelectionVariant: ![@UI.SelectionVariant#Open], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #DueToday: { Text: '{i18n>viewDueToday}', SelectionVariant: ![@UI.SelectionVariant#DueToday], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Thought: { Text: '{i18n>viewThought}', SelectionVariant: ![@UI.SelectionVariant#Thought], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Routine: { Text: '{i18n>viewRoutine}', SelectionVariant: ![@UI.SelectionVariant#Routine], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Mine: { Text: '{i18n>viewMine}', SelectionVariant: ![@UI.SelectionVariant#Mine], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Team: { Text: '{i18n>viewTeam}', SelectionVariant: ![@UI.SelectionVariant#Team], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #ForMe: { Text: '{i18n>viewForMe}', SelectionVariant: ![@UI.SelectionVariant#ForMe], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #OutOfStock: { Text: '{i18n>viewOutOfStock}', SelectionVariant: ![@UI.SelectionVariant#OutOfStock], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Stockout: { Text: '{i18n>viewStockout}', SelectionVariant: ![@UI.SelectionVariant#Stockout], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #HighValue: { Text: '{i18n>viewHighValue}', SelectionVariant: ![@UI.SelectionVariant#HighValue], PresentationVariant: ![@UI.PresentationVariant#ByValue] },
    SelectionPresentationVariant #BySupplier: { Text: '{i18n>viewBySupplier}', SelectionVariant: ![@UI.SelectionVariant#Open], PresentationVariant: ![@UI.PresentationVariant#BySupplier] },
    SelectionPresentationVariant #Second: { Text: '{i18n>viewSecond}', SelectionVariant: ![@UI.SelectionVariant#Second], PresentationVariant: ![@UI.PresentationVariant] },
    SelectionPresentationVariant #Approved: { Text: '{i18n>viewApproved}', SelectionVariant: ![@UI.SelectionVariant#Approved], PresentationVariant: ![@UI.PresentationVariant#ToOrder] },
    SelectionPresentationVariant #Snoozed: { Text: '{i18n>viewSnoozed}', SelectionVariant: ![@UI.SelectionVariant#Snoozed], PresentationVariant: ![@UI.PresentationVariant#Newest] },
    SelectionPresentationVariant #Rejected: { Text: '{i18n>viewRejected}', SelectionVariant: ![@UI.SelectionVariant#Rejected], PresentationVariant: ![@UI.PresentationVariant#Newest] },
    SelectionPresentationVariant #All: { Text: '{i18n>viewAll}', SelectionVariant: ![@UI.SelectionVariant#All], PresentationVariant: ![@UI.PresentationVariant#Newest] },
    PresentationVariant #ByValue: {
      SortOrder: [{ Property: value, Descending: true }, { Property: ID }],
      RequestAtLeast: [version, number, quantity, unit, value, currency, unitCost, moq, lotSize, calculatedQuantity, p10, p50, p90, forecastText, horizonDays, onHand, onOrder, valueAtRisk, reviewPeriodDays, confidence, needsThought, canApprove, canReject, canSnooze, canCancel], MaxItems: 20, Visualizations: ['@UI.LineItem'] },
    PresentationVariant #BySupplier: {
      GroupBy: [supplierOrder],
      SortOrder: [{ Property: supplierOrder }, { Property: valueAtRisk, Descending: true }, { Property: ID, Descending: true }],
      RequestAtLeast: [version, number, quantity, unit, value, currency, unitCost, moq, lotSize, calculatedQuantity, p50, horizonDays, onHand, onOrder, valueAtRisk, reviewPeriodDays, confidence, needsThought, canApprove, canReject, canSnooze, canCancel], MaxItems: 20, Visualizations: ['@UI.LineItem#BySupplier'] },
    PresentationVariant #ToOrder: {
      GroupBy: [supplier],
      SortOrder: [{ Property: supplier }, { Property: location }, { Property: sku }, { Property: ID }],
      RequestAtLeast: [version, number, quantity, unit, value, currency, unitCost, moq, lotSize, calculatedQuantity, p50, horizonDays, onHand, onOrder, valueAtRisk, reviewPeriodDays, confidence, needsThought, canApprove, canReject, canSnooze, canCancel], MaxItems: 20, Visualizations: ['@UI.LineItem#ToOrder'] },
    PresentationVariant #Newest: {
      SortOrder: [{ Property: ID, Descending: true }],
      RequestAtLeast: [version, number, quantity, unit, value, currency, unitCost, moq, lotSize, calculatedQuantity, p10, p50, p90, forecastText, horizonDays, onHand, onOrder, valueAtRisk, reviewPeriodDays, confidence, needsThought, canApprove, canReject, canSnooze, canCancel], MaxItems: 20, Visualizations: ['@UI.LineItem'] },
  }
);
