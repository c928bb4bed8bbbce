// What planners say of coming demand: the list, and the dialogs that enter it.
using { BuyerService } from '../../../srv/doors/buyer/buyer-service';
using from '../../../srv/doors/buyer/model/explore';

annotate BuyerService.ForecastOverrides with {
  ID          @UI.Hidden;
  sku         @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText     @UI.Hidden;
  location    @title: '{i18n>location}';
  skuGroup    @title: '{i18n>skuGroup}';
  firstDay    @title: '{i18n>firstDay}';
  lastDay     @title: '{i18n>lastDay}';
  percent     @UI.Hidden;
  units       @UI.Hidden;
  change      @title: '{i18n>adjustChange}';
  reason      @title: '{i18n>reason}';
  status      @title: '{i18n>adjustStatus}';
  createdAt   @title: '{i18n>createdAt}';
  createdBy   @title: '{i18n>createdBy}';
  criticality @UI.Hidden;
  canRemove   @UI.Hidden;
  measured    @title: '{i18n>adjustMeasured}';
  measuredCriticality @UI.Hidden;
};

annotate BuyerService.ForecastOverrides with @(
  Capabilities: {
    FilterRestrictions.NonFilterableProperties: [skuText, change, status, criticality, canRemove, measured, measuredCriticality],
    SortRestrictions.NonSortableProperties: [change, status, criticality, canRemove, measured, measuredCriticality],
  },
  UI: {
    HeaderInfo: { TypeName: '{i18n>adjustment}', TypeNamePlural: '{i18n>adjustments}' },
    LineItem #Overrides: [
      { Value: change, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '6rem' } },
      { Value: sku, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '9rem' } },
      { Value: location, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: skuGroup, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: firstDay, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: lastDay, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: status, Criticality: criticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '7rem' } },
      { Value: measured, Criticality: measuredCriticality, CriticalityRepresentation: #WithoutIcon, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '15.5rem' } },
      { Value: reason, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: createdBy, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: createdAt, ![@UI.Importance]: #Low, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { $Type: 'UI.DataFieldForAction', Action: 'BuyerService.addOverride', Label: '{i18n>adjustForecast}' },
      { $Type: 'UI.DataFieldForAction', Action: 'BuyerService.removeOverride', Label: '{i18n>adjustRemove}' },
    ],
    PresentationVariant #Overrides: {
      SortOrder: [{ Property: lastDay, Descending: true }, { Property: ID, Descending: true }],
      RequestAtLeast: [percent, units, canRemove],
      Visualizations: ['@UI.LineItem#Overrides'] },
    SelectionVariant #Overrides: { Text: '{i18n>adjustments}', SelectOptions: [] },
    SelectionPresentationVariant #Overrides: {
      Text: '{i18n>adjustments}', SelectionVariant: ![@UI.SelectionVariant#Overrides], PresentationVariant: ![@UI.PresentationVariant#Overrides] },
  }
) actions {
  @Common.SideEffects: { TargetEntities: ['/BuyerService.EntityContainer/ForecastOverrides'] }
  addOverride(
    sku      @title: '{i18n>sku}' @Common.ValueList: { CollectionPath: 'Skus', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: sku, ValueListProperty: 'sku' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    location @title: '{i18n>location}' @Common.ValueList: { CollectionPath: 'Locations', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: location, ValueListProperty: 'location' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    skuGroup @title: '{i18n>skuGroup}',
    percent  @title: '{i18n>adjustPercent}',
    units    @title: '{i18n>adjustUnits}',
    firstDay @title: '{i18n>firstDay}',
    lastDay  @title: '{i18n>lastDay}' @mandatory,
    reason   @title: '{i18n>reason}' @mandatory
  );
  @(Core.OperationAvailable: in.canRemove, Common.IsActionCritical, Common.SideEffects: { TargetEntities: ['/BuyerService.EntityContainer/ForecastOverrides'] })
  removeOverride;
};

annotate BuyerService.Proposals with actions {
  @(Core.OperationAvailable: in.canAdjust, Common.SideEffects: { TargetEntities: [in] })
  adjustForecast(
    percent      @title: '{i18n>adjustPercent}',
    units        @title: '{i18n>adjustUnits}',
    firstDay     @title: '{i18n>firstDay}',
    lastDay      @title: '{i18n>lastDay}' @mandatory,
    reason       @title: '{i18n>reason}' @mandatory,
    allLocations @title: '{i18n>adjustAllLocations}',
    wholeGroup   @title: '{i18n>adjustWholeGroup}'
  );
};
