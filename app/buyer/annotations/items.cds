// Every item, ordered or not, and its page.
using { BuyerService } from '../../../srv/doors/buyer/buyer-service';
using from '../../../srv/doors/buyer/model/explore';

annotate BuyerService.Items with @(
  Common.SemanticKey: [ID],
  Capabilities: {
    SearchRestrictions.Searchable: true,
    FilterRestrictions.NonFilterableProperties: [
      skuName, skuText, unit, locationName, locationText, stateText, criticality, why, change, proposal, proposalText, proposalHref, onHand, leadTimeDays,
      enoughUntil, orderAbout
    ],
    SortRestrictions.NonSortableProperties: [
      skuName, unit, locationName, locationText, stateText, criticality, why, change, proposal, proposalText, proposalHref, onHand, leadTimeDays,
      enoughUntil, orderAbout
    ],
  },
  cds.search: { sku, location },
  UI: {
    HeaderInfo: {
      TypeName: '{i18n>item}', TypeNamePlural: '{i18n>items}',
      Title: { Value: sku }, Description: { Value: locationText },
    },
    LineItem #Items: [
      { Value: stateText, Criticality: criticality, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '18rem' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '9rem' } },
      { Value: why, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
    ],
    PresentationVariant #Items: {
      SortOrder: [{ Property: sku }, { Property: location }], MaxItems: 20, Visualizations: ['@UI.LineItem#Items'] },
    SelectionVariant #Items: { Text: '{i18n>items}', SelectOptions: [] },
    SelectionPresentationVariant #Items: {
      Text: '{i18n>items}', SelectionVariant: ![@UI.SelectionVariant#Items], PresentationVariant: ![@UI.PresentationVariant#Items] },
    HeaderFacets: [
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#State' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#OnHand' },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#EnoughUntil', ![@UI.Hidden]: (enoughUntil is null) },
      { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#OrderAbout', ![@UI.Hidden]: (orderAbout is null) },
    ],
    DataPoint #State: { Title: '{i18n>itemState}', Value: stateText, Criticality: criticality },
    DataPoint #OnHand: { Title: '{i18n>onHand}', Value: onHand },
    DataPoint #EnoughUntil: { Title: '{i18n>enoughUntil}', Value: enoughUntil },
    DataPoint #OrderAbout: { Title: '{i18n>orderAbout}', Value: orderAbout },
    Facets: [
      { $Type: 'UI.ReferenceFacet', ID: 'Why', Label: '{i18n>how}', Target: '@UI.FieldGroup#Why' },
    ],
    FieldGroup #Why: { Data: [
      { Value: why }, { Value: change, ![@UI.Hidden]: (change is null) },
      { $Type: 'UI.DataFieldWithUrl', Value: proposalText, Url: proposalHref, Label: '{i18n>proposal}', ![@UI.Hidden]: (proposal is null) },
    ] },
  }
) {
  ID           @UI.Hidden;
  source       @UI.Hidden;
  sku          @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText      @UI.Hidden;
  skuName      @title: '{i18n>skuName}';
  unit         @title: '{i18n>unit}';
  location     @title: '{i18n>location}' @Common: { Text: locationName, TextArrangement: #TextSeparate };
  locationName @title: '{i18n>locationName}';
  locationText @title: '{i18n>locationText}' @UI.AdaptationHidden;
  stateText    @title: '{i18n>itemState}';
  criticality  @UI.Hidden;
  why          @title: '{i18n>whyNot}';
  change       @title: '{i18n>whatWouldChangeIt}';
  proposal     @UI.Hidden;
  proposalText @title: '{i18n>proposal}';
  proposalHref @UI.Hidden;
  onHand       @title: '{i18n>onHand}';
  leadTimeDays @title: '{i18n>leadTimeDays}';
  enoughUntil  @title: '{i18n>enoughUntil}';
  orderAbout   @title: '{i18n>orderAbout}';
};
