using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.Policies with {
  level                    @title: '{i18n>admin_level}' @Common: { Text: levelText, TextArrangement: #TextOnly };
  levelText                @UI.Hidden;
  precedence               @UI.Hidden;
  skuGroup                 @title: '{i18n>admin_skuGroup}';
  supplier                 @title: '{i18n>admin_supplier}';
  sku                      @title: '{i18n>admin_sku}';
  location                 @title: '{i18n>admin_location}';
  leadTimeDays             @title: '{i18n>admin_leadTimeDays}';
  leadTimeDeviationDays    @title: '{i18n>admin_leadTimeDeviationDays}';
  reviewPeriodDays         @title: '{i18n>admin_reviewPeriodDays}';
  targetQuantile           @title: '{i18n>admin_targetQuantile}';
  stockoutCostShare        @title: '{i18n>admin_stockoutCostShare}';
  carryingCostSharePerYear @title: '{i18n>admin_carryingCostSharePerYear}';
  moq                      @title: '{i18n>admin_moq}';
  lotSize                  @title: '{i18n>admin_lotSize}';
  maximumOrder             @title: '{i18n>admin_maximumOrder}';
  maximumStock             @title: '{i18n>admin_maximumStock}';
  shelfLifeDays            @title: '{i18n>admin_shelfLifeDays}';
  minimumOrderValue        @title: '{i18n>admin_minimumOrderValue}';
  containerUnits           @title: '{i18n>admin_containerUnits}';
  orderDays                @title: '{i18n>admin_orderDays}';
  updatedAt                @title: '{i18n>admin_updatedAt}';
  updatedBy                @title: '{i18n>admin_updatedBy}';
};

annotate AdminService.Policies with @(
  Capabilities.SortRestrictions.NonSortableProperties: [levelText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [levelText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_rule}', TypeNamePlural: '{i18n>admin_rules}', Title.Value: level, Description.Value: sku },
    SelectionFields: [ level, sku, location, supplier, skuGroup ],
    PresentationVariant: { SortOrder: [{ Property: precedence }, { Property: sku }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setRule', Label: '{i18n>admin_newRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.change', Label: '{i18n>admin_changeRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: level, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: supplier, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: skuGroup, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: leadTimeDays, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: reviewPeriodDays, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: targetQuantile, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: moq, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }
    ],
    Identification: [ { $Type: 'UI.DataFieldForAction', Action: 'AdminService.change', Label: '{i18n>admin_changeRule}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } } ],
    FieldGroup #For: { Data: [ { Value: level }, { Value: sku }, { Value: location }, { Value: supplier }, { Value: skuGroup }, { Value: updatedBy }, { Value: updatedAt } ] },
    FieldGroup #Times: { Data: [ { Value: leadTimeDays }, { Value: leadTimeDeviationDays }, { Value: reviewPeriodDays }, { Value: shelfLifeDays }, { Value: orderDays } ] },
    FieldGroup #Quantities: { Data: [ { Value: moq }, { Value: lotSize }, { Value: maximumOrder }, { Value: maximumStock }, { Value: containerUnits }, { Value: minimumOrderValue } ] },
    FieldGroup #Costs: { Data: [ { Value: targetQuantile }, { Value: stockoutCostShare }, { Value: carryingCostSharePerYear } ] },
    Facets: [{ $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>admin_rule}', Facets: [
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_appliesTo}', Target: '@UI.FieldGroup#For' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_timesOfOrders}', Target: '@UI.FieldGroup#Times' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_quantities}', Target: '@UI.FieldGroup#Quantities' },
      { $Type: 'UI.ReferenceFacet', Label: '{i18n>admin_costs}', Target: '@UI.FieldGroup#Costs' }
    ]}]
  }
);

annotate AdminService.Policies with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Policies', '/AdminService.EntityContainer/BlockedPairs'] }
  setRule(
    level @title: '{i18n>admin_level}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'PolicyLevels', Parameters: [
        { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: level },
        { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    sku @title: '{i18n>admin_sku}', location @title: '{i18n>admin_location}', supplier @title: '{i18n>admin_supplier}', skuGroup @title: '{i18n>admin_skuGroup}',
    leadTimeDays @title: '{i18n>admin_leadTimeDays}', leadTimeDeviationDays @title: '{i18n>admin_leadTimeDeviationDays}',
    reviewPeriodDays @title: '{i18n>admin_reviewPeriodDays}', targetQuantile @title: '{i18n>admin_targetQuantile}',
    stockoutCostShare @title: '{i18n>admin_stockoutCostShare}', carryingCostSharePerYear @title: '{i18n>admin_carryingCostSharePerYear}',
    moq @title: '{i18n>admin_moq}', lotSize @title: '{i18n>admin_lotSize}', maximumOrder @title: '{i18n>admin_maximumOrder}', maximumStock @title: '{i18n>admin_maximumStock}',
    shelfLifeDays @title: '{i18n>admin_shelfLifeDays}', minimumOrderValue @title: '{i18n>admin_minimumOrderValue}',
    containerUnits @title: '{i18n>admin_containerUnits}', orderDays @title: '{i18n>admin_orderDays}'
  );
  @Common.SideEffects: { TargetEntities: [in] }
  change(
    leadTimeDays @title: '{i18n>admin_leadTimeDays}' @UI.ParameterDefaultValue: in.leadTimeDays,
    leadTimeDeviationDays @title: '{i18n>admin_leadTimeDeviationDays}' @UI.ParameterDefaultValue: in.leadTimeDeviationDays,
    reviewPeriodDays @title: '{i18n>admin_reviewPeriodDays}' @UI.ParameterDefaultValue: in.reviewPeriodDays,
    targetQuantile @title: '{i18n>admin_targetQuantile}' @UI.ParameterDefaultValue: in.targetQuantile,
    stockoutCostShare @title: '{i18n>admin_stockoutCostShare}' @UI.ParameterDefaultValue: in.stockoutCostShare,
    carryingCostSharePerYear @title: '{i18n>admin_carryingCostSharePerYear}' @UI.ParameterDefaultValue: in.carryingCostSharePerYear,
    moq @title: '{i18n>admin_moq}' @UI.ParameterDefaultValue: in.moq,
    lotSize @title: '{i18n>admin_lotSize}' @UI.ParameterDefaultValue: in.lotSize,
    maximumOrder @title: '{i18n>admin_maximumOrder}' @UI.ParameterDefaultValue: in.maximumOrder,
    maximumStock @title: '{i18n>admin_maximumStock}' @UI.ParameterDefaultValue: in.maximumStock,
    shelfLifeDays @title: '{i18n>admin_shelfLifeDays}' @UI.ParameterDefaultValue: in.shelfLifeDays,
    minimumOrderValue @title: '{i18n>admin_minimumOrderValue}' @UI.ParameterDefaultValue: in.minimumOrderValue,
    containerUnits @title: '{i18n>admin_containerUnits}' @UI.ParameterDefaultValue: in.containerUnits,
    orderDays @title: '{i18n>admin_orderDays}' @UI.ParameterDefaultValue: in.orderDays
  );
};

annotate AdminService.PolicyLevels with { code @title: '{i18n>admin_level}' @Common: { Text: name, TextArrangement: #TextOnly }; };

annotate AdminService.BlockedPairs with @(
  Capabilities.SortRestrictions.NonSortableProperties: [missingText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [missingText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_blockedPair}', TypeNamePlural: '{i18n>admin_blockedPairs}', Title.Value: sku, Description.Value: location },
    SelectionFields: [ sku, location, supplier ],
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setLeadTime', Label: '{i18n>admin_setLeadTime}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: skuName, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: missing, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: reason, @UI.Importance: #High, @HTML5.CssDefaults: { width: '20rem' } }, { Value: supplier, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: skuGroup, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }
    ],
    PresentationVariant: { SortOrder: [{ Property: sku }, { Property: location }], Visualizations: ['@UI.LineItem'] },
    SelectionVariant #LeadTime: { Text: '{i18n>admin_code_missing_lead_time}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'lead_time' }] }] },
    SelectionVariant #Stock: { Text: '{i18n>admin_code_missing_stock}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'stock' }] }] },
    SelectionVariant #Supplier: { Text: '{i18n>admin_code_missing_supplier}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'supplier' }] }] },
    SelectionVariant #Cost: { Text: '{i18n>admin_code_missing_cost}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'cost' }] }] },
    SelectionVariant #Unit: { Text: '{i18n>admin_code_missing_unit_conversion}', SelectOptions: [{ PropertyName: missing, Ranges: [{ Sign: #I, Option: #EQ, Low: 'unit_conversion' }] }] },
    SelectionVariant #All: { Text: '{i18n>admin_all}', SelectOptions: [] }
  }
) {
  series @UI.Hidden; source @UI.Hidden; isMendable @UI.Hidden; missingText @UI.Hidden;
  sku @title: '{i18n>admin_sku}'; skuName @title: '{i18n>admin_skuName}'; skuGroup @title: '{i18n>admin_skuGroup}'; supplier @title: '{i18n>admin_supplier}';
  location @title: '{i18n>admin_location}'; reason @title: '{i18n>admin_reason}';
  missing @title: '{i18n>admin_missing}' @Common: { Text: missingText, TextArrangement: #TextOnly };
};

annotate AdminService.BlockedPairs with actions {
  @Core.OperationAvailable: in.isMendable
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/BlockedPairs'] }
  setLeadTime(
    leadTimeDays @title: '{i18n>admin_leadTimeDays}' @Common.FieldControl: #Mandatory,
    level @title: '{i18n>admin_level}' @UI.ParameterDefaultValue: 'sku+location' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'PolicyLevels', Parameters: [
        { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: level },
        { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } }
  );
};

annotate AdminService.Policies with { mayChange @UI.Hidden; };
