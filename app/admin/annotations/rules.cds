using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.Policies with {
  level                    @title: '{i18n>level}' @Common: { Text: toLevel.name, TextArrangement: #TextOnly };
  precedence               @UI.Hidden;
  skuGroup                 @title: '{i18n>skuGroup}';
  supplier                 @title: '{i18n>supplier}' @Common: { Text: supplierText, TextArrangement: #TextOnly };
  supplierText             @UI.Hidden;
  sku                      @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly };
  skuText                  @UI.Hidden;
  location                 @title: '{i18n>location}';
  leadTimeDays             @title: '{i18n>leadTimeDays}';
  leadTimeDeviationDays    @title: '{i18n>leadTimeDeviationDays}';
  reviewPeriodDays         @title: '{i18n>reviewPeriodDays}';
  targetQuantile           @title: '{i18n>targetQuantile}' @UI.Hidden;
  targetPercent            @title: '{i18n>targetPercent}';
  stockoutCostShare        @title: '{i18n>stockoutCostShare}';
  carryingCostSharePerYear @title: '{i18n>carryingCostSharePerYear}';
  unmetDemand              @title: '{i18n>unmetDemand}';
  moq                      @title: '{i18n>moq}';
  lotSize                  @title: '{i18n>lotSize}';
  maximumOrder             @title: '{i18n>maximumOrder}';
  maximumStock             @title: '{i18n>maximumStock}';
  shelfLifeDays            @title: '{i18n>shelfLifeDays}';
  priceBreaks              @title: '{i18n>priceBreaks}';
  minimumOrderValue        @title: '{i18n>minimumOrderValue}';
  minimumOrderQuantity     @title: '{i18n>minimumOrderQuantity}';
  ordersByLocation         @title: '{i18n>ordersByLocation}';
  freeFreightFrom          @title: '{i18n>freeFreightFrom}';
  freightCost              @title: '{i18n>freightCost}';
  orderCost                @title: '{i18n>orderCost}';
  containerUnits           @title: '{i18n>containerUnits}';
  orderDays                @title: '{i18n>orderDays}';
  responsible              @title: '{i18n>responsible}';
  teamLead                 @title: '{i18n>teamLead}';
  title                    @title: '{i18n>rule}' @UI.AdaptationHidden;
  says                     @title: '{i18n>values}';
  updatedAt                @title: '{i18n>updatedAt}';
  updatedBy                @title: '{i18n>updatedBy}';
};

annotate AdminService.Policies with @(
  Capabilities: { FilterRestrictions.NonFilterableProperties: [skuText, supplierText, targetPercent, title, says], SortRestrictions.NonSortableProperties: [targetPercent, title, says] },
  UI: {
    HeaderInfo: { TypeName: '{i18n>rule}', TypeNamePlural: '{i18n>rules}', Title.Value: title, Description.Value: says },
    SelectionFields: [ level, sku, location, supplier, skuGroup ],
    PresentationVariant: { SortOrder: [{ Property: precedence }, { Property: sku }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setRule', Label: '{i18n>newRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.change', Label: '{i18n>changeRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: level, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: supplier, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: skuGroup, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: says, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }
    ],
    Identification: [ { $Type: 'UI.DataFieldForAction', Action: 'AdminService.change', Label: '{i18n>changeRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } } ],
    FieldGroup #For: { Data: [ { Value: level }, { Value: sku }, { Value: location }, { Value: supplier }, { Value: skuGroup } ] },
    FieldGroup #Times: { Data: [ { Value: leadTimeDays }, { Value: leadTimeDeviationDays }, { Value: reviewPeriodDays }, { Value: shelfLifeDays } ] },
    FieldGroup #Quantities: { Data: [ { Value: moq }, { Value: lotSize }, { Value: maximumOrder }, { Value: maximumStock }, { Value: priceBreaks } ] },
    FieldGroup #SupplierOrder: { Data: [ { Value: minimumOrderValue }, { Value: minimumOrderQuantity }, { Value: freeFreightFrom }, { Value: freightCost }, { Value: orderCost }, { Value: containerUnits }, { Value: ordersByLocation }, { Value: orderDays } ] },
    FieldGroup #People: { Data: [ { Value: responsible }, { Value: teamLead } ] },
    FieldGroup #Service: { Data: [ { Value: targetPercent }, { Value: stockoutCostShare }, { Value: carryingCostSharePerYear }, { Value: unmetDemand } ] },
    FieldGroup #Changed: { Data: [ { Value: updatedBy }, { Value: updatedAt } ] },
    Facets: [{ $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>rule}', Facets: [
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>appliesTo}', Target: '@UI.FieldGroup#For' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>timesOfOrders}', Target: '@UI.FieldGroup#Times' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>quantities}', Target: '@UI.FieldGroup#Quantities' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>supplierOrder}', Target: '@UI.FieldGroup#SupplierOrder' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>serviceAndCosts}', Target: '@UI.FieldGroup#Service' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>people}', Target: '@UI.FieldGroup#People' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>lastChange}', Target: '@UI.FieldGroup#Changed' }
    ]}]
  }
);

annotate AdminService.Policies with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Policies', '/AdminService.EntityContainer/BlockedPairs'] }
  setRule(
    sku      @title: '{i18n>sku}' @Common.ValueList: { CollectionPath: 'Skus', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: sku, ValueListProperty: 'sku' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    location @title: '{i18n>location}' @Common.ValueList: { CollectionPath: 'Locations', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: location, ValueListProperty: 'location' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    supplier @title: '{i18n>supplier}' @Common.ValueList: { CollectionPath: 'Suppliers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: supplier, ValueListProperty: 'supplier' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    skuGroup @title: '{i18n>skuGroup}' @Common.ValueList: { CollectionPath: 'SkuGroups', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: skuGroup, ValueListProperty: 'skuGroup' } ] },
    abcClass @title: '{i18n>ruleClass}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'AbcClasses', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'abcClass', LocalDataProperty: abcClass },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    leadTimeDays @title: '{i18n>leadTimeDays}', leadTimeDeviationDays @title: '{i18n>leadTimeDeviationDays}',
    reviewPeriodDays @title: '{i18n>reviewPeriodDays}', targetPercent @title: '{i18n>targetPercent}',
    stockoutCostShare @title: '{i18n>stockoutCostShare}', carryingCostSharePerYear @title: '{i18n>carryingCostSharePerYear}',
    unmetDemand @title: '{i18n>unmetDemand}',
    moq @title: '{i18n>moq}', lotSize @title: '{i18n>lotSize}', maximumOrder @title: '{i18n>maximumOrder}', maximumStock @title: '{i18n>maximumStock}',
    shelfLifeDays @title: '{i18n>shelfLifeDays}', priceBreaks @title: '{i18n>priceBreaks}', minimumOrderValue @title: '{i18n>minimumOrderValue}',
    minimumOrderQuantity @title: '{i18n>minimumOrderQuantity}', ordersByLocation @title: '{i18n>ordersByLocation}',
    freeFreightFrom @title: '{i18n>freeFreightFrom}', freightCost @title: '{i18n>freightCost}',
    orderCost @title: '{i18n>orderCost}',
    containerUnits @title: '{i18n>containerUnits}', orderDays @title: '{i18n>orderDays}',
    responsible @title: '{i18n>responsible}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: responsible } ] } },
    teamLead @title: '{i18n>teamLead}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: teamLead } ] } }
  );
  @Common.SideEffects: { TargetEntities: [in] }
  change(
    leadTimeDays @title: '{i18n>leadTimeDays}' @UI.ParameterDefaultValue: in.leadTimeDays,
    leadTimeDeviationDays @title: '{i18n>leadTimeDeviationDays}' @UI.ParameterDefaultValue: in.leadTimeDeviationDays,
    reviewPeriodDays @title: '{i18n>reviewPeriodDays}' @UI.ParameterDefaultValue: in.reviewPeriodDays,
    targetPercent @title: '{i18n>targetPercent}' @UI.ParameterDefaultValue: in.targetPercent,
    stockoutCostShare @title: '{i18n>stockoutCostShare}' @UI.ParameterDefaultValue: in.stockoutCostShare,
    carryingCostSharePerYear @title: '{i18n>carryingCostSharePerYear}' @UI.ParameterDefaultValue: in.carryingCostSharePerYear,
    unmetDemand @title: '{i18n>unmetDemand}' @UI.ParameterDefaultValue: in.unmetDemand,
    moq @title: '{i18n>moq}' @UI.ParameterDefaultValue: in.moq,
    lotSize @title: '{i18n>lotSize}' @UI.ParameterDefaultValue: in.lotSize,
    maximumOrder @title: '{i18n>maximumOrder}' @UI.ParameterDefaultValue: in.maximumOrder,
    maximumStock @title: '{i18n>maximumStock}' @UI.ParameterDefaultValue: in.maximumStock,
    shelfLifeDays @title: '{i18n>shelfLifeDays}' @UI.ParameterDefaultValue: in.shelfLifeDays,
    priceBreaks @title: '{i18n>priceBreaks}' @UI.ParameterDefaultValue: in.priceBreaks,
    minimumOrderValue @title: '{i18n>minimumOrderValue}' @UI.ParameterDefaultValue: in.minimumOrderValue,
    minimumOrderQuantity @title: '{i18n>minimumOrderQuantity}' @UI.ParameterDefaultValue: in.minimumOrderQuantity,
    ordersByLocation @title: '{i18n>ordersByLocation}' @UI.ParameterDefaultValue: in.ordersByLocation,
    freeFreightFrom @title: '{i18n>freeFreightFrom}' @UI.ParameterDefaultValue: in.freeFreightFrom,
    freightCost @title: '{i18n>freightCost}' @UI.ParameterDefaultValue: in.freightCost,
    orderCost @title: '{i18n>orderCost}' @UI.ParameterDefaultValue: in.orderCost,
    containerUnits @title: '{i18n>containerUnits}' @UI.ParameterDefaultValue: in.containerUnits,
    orderDays @title: '{i18n>orderDays}' @UI.ParameterDefaultValue: in.orderDays,
    responsible @title: '{i18n>responsible}' @UI.ParameterDefaultValue: in.responsible @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: responsible } ] } },
    teamLead @title: '{i18n>teamLead}' @UI.ParameterDefaultValue: in.teamLead @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: teamLead } ] } }
  );
};

annotate AdminService.BlockedPairs with @(
  Capabilities.FilterRestrictions.NonFilterableProperties: [skuText, supplierText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>blockedPair}', TypeNamePlural: '{i18n>blockedPairs}', Title.Value: sku, Description.Value: location },
    SelectionFields: [ sku, location, supplier ],
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setLeadTime', Label: '{i18n>setLeadTime}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: skuName, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: missing, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: reason, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: supplier, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: skuGroup, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }
    ],
    PresentationVariant: { SortOrder: [{ Property: sku }, { Property: location }], Visualizations: ['@UI.LineItem'] },
    SelectionVariant #LeadTime: { Text: '{i18n>blocked_lead_time}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'lead_time' }] }] },
    SelectionVariant #Stock: { Text: '{i18n>blocked_stock}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'stock' }] }] },
    SelectionVariant #OpenOrders: { Text: '{i18n>blocked_open_orders}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'open_orders' }] }] },
    SelectionVariant #Supplier: { Text: '{i18n>blocked_supplier}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'supplier' }] }] },
    SelectionVariant #Cost: { Text: '{i18n>blocked_cost}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'cost' }] }] },
    SelectionVariant #Unit: { Text: '{i18n>blocked_unit_conversion}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'unit_conversion' }] }] },
    SelectionVariant #Led: { Text: '{i18n>blocked_led}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'led_by_another_source' }] }] },
    SelectionVariant #All: { Text: '{i18n>all}', SelectOptions: [] }
  }
) {
  series @UI.Hidden; source @UI.Hidden; isMendable @UI.Hidden; facts @UI.Hidden;
  sku @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly }; skuText @UI.Hidden;
  skuName @title: '{i18n>skuName}'; skuGroup @title: '{i18n>skuGroup}';
  supplier @title: '{i18n>supplier}' @Common: { Text: supplierText, TextArrangement: #TextOnly }; supplierText @UI.Hidden;
  location @title: '{i18n>location}'; reason @title: '{i18n>whatToDo}';
  missing @title: '{i18n>missing}' @Common: { Text: toMissing.name, TextArrangement: #TextOnly };
};

annotate AdminService.BlockedPairs with actions {
  @Core.OperationAvailable: in.isMendable
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/BlockedPairs'] }
  setLeadTime(
    leadTimeDays @title: '{i18n>leadTimeDays}' @Common.FieldControl: #Mandatory,
    level @title: '{i18n>level}' @UI.ParameterDefaultValue: 'sku+location' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'LeadTimeLevels', Parameters: [
        { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: level },
        { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } }
  );
};

annotate AdminService.Policies with { mayChange @UI.Hidden; };

annotate AdminService.Skus with {
  sku @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly }; skuText @UI.Hidden; name @title: '{i18n>skuName}';
};
annotate AdminService.Suppliers with {
  supplier @title: '{i18n>supplier}' @Common: { Text: supplierText, TextArrangement: #TextOnly }; supplierText @UI.Hidden; name @title: '{i18n>supplierName}';
};
annotate AdminService.Locations with { location @title: '{i18n>location}'; name @title: '{i18n>locationName}'; };
annotate AdminService.AbcClasses with {
  abcClass @title: '{i18n>ruleClass}' @Common: { Text: name, TextArrangement: #TextOnly }; name @title: '{i18n>ruleClass}';
};
annotate AdminService.SkuGroups with { skuGroup @title: '{i18n>skuGroup}'; };
