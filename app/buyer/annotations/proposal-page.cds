// The object page of a proposal, and its tables.
using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

annotate BuyerService.Proposals with @UI: {
  // What is not known of a proposal is not shown.
  HeaderFacets: [
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Urgency', ![@UI.Hidden]: (urgency is null) },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Quantity' },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Value', ![@UI.Hidden]: (value is null) },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#CostOfWaiting', ![@UI.Hidden]: (valueAtRisk is null) },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#OrderBy', ![@UI.Hidden]: (orderBy is null) },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.FieldGroup#Supply' },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' },
    { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Confidence', ![@UI.Hidden]: (confidence is null) },
  ],
  DataPoint #Urgency: { Title: '{i18n>urgency}', Value: urgency, Criticality: toUrgency.criticality },
  DataPoint #Quantity: { Title: '{i18n>quantity}', Value: quantity },
  DataPoint #Value: { Title: '{i18n>value}', Value: value },
  DataPoint #CostOfWaiting: { Title: '{i18n>valueAtRisk}', Value: valueAtRisk },
  DataPoint #OrderBy: { Title: '{i18n>orderBy}', Value: orderBy },
  DataPoint #Status: { Title: '{i18n>status}', Value: status, Criticality: toStatus.criticality },
  DataPoint #Confidence: { Title: '{i18n>confidence}', Value: confidence, Criticality: toConfidence.criticality },
  // Its actions are the app's own (manifest.json).
  Facets: [
    { $Type: 'UI.CollectionFacet', ID: 'Why', Label: '{i18n>why}', Facets: [
      { $Type: 'UI.ReferenceFacet', ID: 'Rationale', Target: '@UI.FieldGroup#Rationale' },
      { $Type: 'UI.ReferenceFacet', ID: 'Formula', Label: '{i18n>formula}', Target: 'formula/@UI.LineItem' },
    ] },
    { $Type: 'UI.CollectionFacet', ID: 'Facts', Label: '{i18n>facts}', Facets: [
      { $Type: 'UI.ReferenceFacet', ID: 'Pair', Label: '{i18n>pair}', Target: '@UI.FieldGroup#Pair' },
      { $Type: 'UI.ReferenceFacet', ID: 'Stock', Label: '{i18n>stock}', Target: '@UI.FieldGroup#Stock' },
      { $Type: 'UI.ReferenceFacet', ID: 'Rules', Label: '{i18n>orderingRules}', Target: '@UI.FieldGroup#Rules' },
      { $Type: 'UI.ReferenceFacet', ID: 'Decision', Label: '{i18n>decision}', Target: '@UI.FieldGroup#Decision' },
    ] },
    { $Type: 'UI.ReferenceFacet', ID: 'Similar', Label: '{i18n>similar}', Target: 'similar/@UI.LineItem' },
    { $Type: 'UI.ReferenceFacet', ID: 'Trail', Label: '{i18n>trail}', Target: 'events/@UI.PresentationVariant' },
  ],
  FieldGroup #Rationale: { Data: [
    { Value: rationale }, { Value: buys }, { Value: changed }, { Value: newer }, { Value: recommendation }, { Value: drivers }, { Value: exceptions },
  ] },
  FieldGroup #Supply: { Data: [
    { Value: supplier, ![@UI.Hidden]: (supplier is null) }, { Value: onHand }, { Value: onOrder, ![@UI.Hidden]: (onOrder is null) },
    { Value: daysOfSupply, ![@UI.Hidden]: (daysOfSupply is null) },
  ] },
  FieldGroup #Pair: { Data: [
    { Value: sku }, { Value: locationText, Label: '{i18n>location}' }, { Value: supplier }, { Value: orderedAs }, { Value: contract }, { Value: skuGroup }, { Value: abcClass }, { Value: unitCost }, { Value: responsible },
  ] },
  FieldGroup #Stock: { Data: [
    { Value: onHand }, { Value: onOrder }, { Value: openProposals }, { Value: daysOfSupply },
    { Value: p50 }, { Value: forecastAdjusted }, { Value: horizonDays }, { Value: censoredShare }, { Value: missingData },
  ] },
  FieldGroup #Rules: { Data: [
    { Value: leadTimeDays }, { Value: measuredLeadTime }, { Value: reviewPeriodDays }, { Value: moq }, { Value: lotSize }, { Value: calculatedQuantity },
  ] },
  FieldGroup #Decision: { Data: [
    { Value: status }, { Value: decidedBy }, { Value: decidedAt }, { Value: firstApprover }, { Value: reason },
    { Value: takenBy }, { Value: takenAt }, { Value: erpOrder }, { Value: snoozedUntil }, { Value: expiresAt }, { Value: createdAt }, { Value: updatedAt }, { Value: dataAsOf },
  ] },
};

annotate BuyerService.FormulaLines with @UI: {
  HeaderInfo: { TypeName: '{i18n>formulaLine}', TypeNamePlural: '{i18n>formula}' },
  LineItem: [
    { Value: termText, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '18rem' } },
    { Value: value, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
    { Value: how, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
  ],
} {
  proposal @UI.Hidden;
  line     @UI.Hidden;
  term     @UI.Hidden;
  termText @title: '{i18n>term}';
  how      @title: '{i18n>how}';
  value    @title: '{i18n>units}';
};
annotate BuyerService.FormulaLines with @Capabilities: {
  SortRestrictions.Sortable: false, FilterRestrictions.Filterable: false, SearchRestrictions.Searchable: false,
};

annotate BuyerService.Events with @UI: {
  HeaderInfo: { TypeName: '{i18n>event}', TypeNamePlural: '{i18n>trail}' },
  LineItem: [
    { Value: at, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '12rem' } },
    { Value: event, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '11rem' } },
    { Value: quantity, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6rem' } },
    { Value: actor, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10rem' } },
    { Value: comment, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '20rem' } },
    { Value: via, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '7rem' } },
    { Value: onBehalfOf, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '10rem' } },
  ],
  PresentationVariant: { SortOrder: [{ Property: version, Descending: true }], Visualizations: ['@UI.LineItem'] },
} {
  ID        @UI.Hidden;
  proposal  @UI.Hidden;
  version   @UI.Hidden;
};

annotate BuyerService.Decisions with @Capabilities: {
  FilterRestrictions.NonFilterableProperties: [whatCame],
  SortRestrictions.NonSortableProperties: [whatCame],
};

annotate BuyerService.Decisions with @UI: {
  HeaderInfo: { TypeName: '{i18n>decision}', TypeNamePlural: '{i18n>similar}' },
  LineItem: [
    { Value: decidedAt }, { Value: status }, { Value: calculatedQuantity }, { Value: quantity },
    { Value: value }, { Value: whatCame, ![@HTML5.CssDefaults]: { width: '20rem' } }, { Value: reason }, { Value: decidedBy },
  ],
} {
  ID         @UI.Hidden;
  series     @UI.Hidden;
  sku        @UI.Hidden;
  location   @UI.Hidden;
  number     @UI.Hidden;
  asOf       @UI.Hidden;
  horizonDays @UI.Hidden;
  p10        @UI.Hidden;
  p50        @UI.Hidden;
  p90        @UI.Hidden;
  calculatedQuantity @title: '{i18n>calculatedQuantity}';
  whatCame   @title: '{i18n>whatCame}';
};

annotate BuyerService.Proposals with actions {
  addComment(text @title: '{i18n>commentText}' @UI.MultiLineText @Common.FieldControl: #Mandatory);
};
