using { AdminService } from '../../../srv/doors/admin/model/rules';

annotate AdminService.PlannedEvents with @(Capabilities: { FilterRestrictions.NonFilterableProperties: [skuText], SortRestrictions.NonSortableProperties: [skuText] }, UI: {
  HeaderInfo: { TypeName: '{i18n>plannedEvent}', TypeNamePlural: '{i18n>plannedEvents}', Title.Value: kind, Description.Value: name },
  SelectionFields: [ kind, sku, location, skuGroup, lastDay ],
  PresentationVariant: { SortOrder: [{ Property: firstDay, Descending: true }, { Property: ID }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.addEvent', Label: '{i18n>newPlannedEvent}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: kind, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: name, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: firstDay, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: lastDay, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: sku, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: skuGroup, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: factor, Label: '{i18n>planFactorColumn}', @UI.Importance: #High, @HTML5.CssDefaults: { width: '5rem' } }, { Value: price, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '5rem' } },
    { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }
  ]
}) {
  ID @UI.Hidden; isRemovable @UI.Hidden;
  kind @title: '{i18n>planKind}' @Common: { Text: toKind.name, TextArrangement: #TextOnly, ValueListWithFixedValues, ValueList: { CollectionPath: 'PlanKinds', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: kind },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
  sku @title: '{i18n>sku}' @Common: { Text: skuText, TextArrangement: #TextOnly }; skuText @UI.Hidden; location @title: '{i18n>location}'; skuGroup @title: '{i18n>skuGroup}';
  name @title: '{i18n>name}'; firstDay @title: '{i18n>firstDay}'; lastDay @title: '{i18n>lastDay}';
  factor @title: '{i18n>planFactor}'; price @title: '{i18n>planPrice}';
  number @title: '{i18n>source}'; changedAt @title: '{i18n>updatedAt}'; changedBy @title: '{i18n>updatedBy}';
};

annotate AdminService.PlannedEvents with @Capabilities.DeleteRestrictions.Deletable: isRemovable;

annotate AdminService.PlannedEvents with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/PlannedEvents'] }
  addEvent(
    kind @title: '{i18n>planKind}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'PlanKinds', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: kind },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    firstDay @title: '{i18n>firstDay}' @Common.FieldControl: #Mandatory,
    lastDay @title: '{i18n>lastDay}',
    sku @title: '{i18n>sku}' @Common.ValueList: { CollectionPath: 'Skus', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: sku, ValueListProperty: 'sku' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    location @title: '{i18n>location}' @Common.ValueList: { CollectionPath: 'Locations', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: location, ValueListProperty: 'location' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    skuGroup @title: '{i18n>skuGroup}' @Common.ValueList: { CollectionPath: 'SkuGroups', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: skuGroup, ValueListProperty: 'skuGroup' } ] },
    factor @title: '{i18n>planFactor}', price @title: '{i18n>planPrice}', name @title: '{i18n>name}'
  );
};

annotate AdminService.HolidayCalendars with @(UI: {
  HeaderInfo: { TypeName: '{i18n>holidayCalendar}', TypeNamePlural: '{i18n>holidayCalendars}', Title.Value: location, Description.Value: countryText },
  SelectionFields: [ location, country ],
  PresentationVariant: { SortOrder: [{ Property: location }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setHolidays', Label: '{i18n>newHolidayCalendar}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: location, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } },
    { Value: countryText, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
    { Value: changedBy, @HTML5.CssDefaults: { width: '10rem' } }, { Value: changedAt, @HTML5.CssDefaults: { width: '12rem' } }
  ]
}) {
  isRemovable @UI.Hidden;
  location @title: '{i18n>location}'; countryText @title: '{i18n>country}'; region @title: '{i18n>region}';
  country @title: '{i18n>country}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Countries', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: country },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } };
  changedAt @title: '{i18n>updatedAt}'; changedBy @title: '{i18n>updatedBy}';
};

annotate AdminService.HolidayCalendars with @Capabilities.DeleteRestrictions.Deletable: isRemovable;
annotate AdminService.Countries with { code @title: '{i18n>country}' @Common: { Text: name, TextArrangement: #TextOnly }; name @title: '{i18n>country}'; };

annotate AdminService.HolidayCalendars with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/HolidayCalendars', '/AdminService.EntityContainer/PlannedEvents'] }
  setHolidays(
    location @title: '{i18n>location}' @Common.ValueList: { CollectionPath: 'Locations', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: location, ValueListProperty: 'location' },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] },
    country @title: '{i18n>country}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Countries', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: country },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    region @title: '{i18n>region}'
  );
};
