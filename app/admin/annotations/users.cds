// A user who may approve, on one page.
using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.Approvers with @(
  Capabilities: {
    SearchRestrictions.Searchable: false,
    SortRestrictions.NonSortableProperties: [seesLocations, seesGroups, approvesAt, limitText, hasOwnLimit, maxOrderValue, maxDayValue, currency, limitLocations, mayChange],
    FilterRestrictions.NonFilterableProperties: [seesLocations, seesGroups, approvesAt, limitText, hasOwnLimit, maxOrderValue, maxDayValue, currency, limitLocations, mayChange],
  },
  UI: {
    HeaderInfo: { TypeName: '{i18n>user}', TypeNamePlural: '{i18n>users}', Title.Value: user },
    SelectionFields: [ user ],
    PresentationVariant: { SortOrder: [{ Property: user }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.removePerson', Label: '{i18n>removePerson}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: user, @UI.Importance: #High, @HTML5.CssDefaults: { width: '14rem' } },
      { Value: limitText, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: approvesAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: seesLocations, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: seesGroups, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: seenAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setLimit', Label: '{i18n>setLimit}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.clearLimit', Label: '{i18n>clearLimit}', @UI.Hidden: { $edmJson: { $Not: { $And: [{ $Path: 'mayChange' }, { $Path: 'hasOwnLimit' }] } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.addDeputy', Label: '{i18n>addDeputy}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.removePerson', Label: '{i18n>removePerson}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    FieldGroup #Person: { Data: [ { Value: seenAt } ] },
    FieldGroup #Sees: { Data: [ { Value: seesLocations, Label: '{i18n>locations}' }, { Value: seesGroups, Label: '{i18n>skuGroups}' } ] },
    FieldGroup #Limit: { Data: [ { Value: limitText, Label: '{i18n>approvalLimit}' }, { Value: approvesAt } ] },
    FieldGroup #OwnLimit: { Data: [ { Value: maxOrderValue }, { Value: maxDayValue }, { Value: limitLocations } ] },
    Facets: [
      { $Type: 'UI.CollectionFacet', ID: 'general', Label: '{i18n>general}', Facets: [
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>user}', Target: '@UI.FieldGroup#Person' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>seesRows}', Target: '@UI.FieldGroup#Sees' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>limitInForce}', Target: '@UI.FieldGroup#Limit' },
        { $Type: 'UI.ReferenceFacet', Label: '{i18n>ownLimit}', Target: '@UI.FieldGroup#OwnLimit' }
      ]},
      { $Type: 'UI.ReferenceFacet', ID: 'deputies', Label: '{i18n>deputies}', Target: 'deputies/@UI.PresentationVariant#Deputies' },
      { $Type: 'UI.ReferenceFacet', ID: 'standsInFor', Label: '{i18n>standsInFor}', Target: 'standsInFor/@UI.PresentationVariant#StandsInFor' }
    ]
  }
) {
  user @title: '{i18n>user}' @Common: { Text: roles, TextArrangement: #TextLast }; roles @title: '{i18n>roles}'; seenAt @title: '{i18n>lastSignIn}';
  seesLocations @title: '{i18n>seesLocations}'; seesGroups @title: '{i18n>seesGroups}';
  limitText @title: '{i18n>limitInForce}'; approvesAt @title: '{i18n>approvesAt}';
  maxOrderValue @title: '{i18n>maxOrderValue}' @Measures.ISOCurrency: currency; maxDayValue @title: '{i18n>maxDayValue}' @Measures.ISOCurrency: currency; currency @title: '{i18n>currency}'; limitLocations @title: '{i18n>locations}';
  mayChange @UI.Hidden; hasOwnLimit @UI.Hidden;
};

annotate AdminService.Approvers with actions {
  @Common.SideEffects: { TargetEntities: [in] }
  setLimit(
    maxOrderValue @title: '{i18n>maxOrderValue}' @UI.ParameterDefaultValue: in.maxOrderValue,
    maxDayValue   @title: '{i18n>maxDayValue}' @UI.ParameterDefaultValue: in.maxDayValue,
    currency      @title: '{i18n>currency}' @UI.ParameterDefaultValue: in.currency,
    locations     @title: '{i18n>locationsByComma}' @UI.ParameterDefaultValue: in.limitLocations
  );
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: [in] }
  clearLimit;
  @Common.SideEffects: { TargetEntities: [in.deputies] }
  addDeputy(
    toUser    @title: '{i18n>toUser}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: toUser } ] } },
    validFrom @title: '{i18n>validFrom}' @Common.FieldControl: #Mandatory,
    validTo   @title: '{i18n>validTo}' @Common.FieldControl: #Mandatory
  );
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Approvers', '/AdminService.EntityContainer/Delegations'] }
  removePerson;
};
