using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.UserLimits with @(UI: {
  HeaderInfo: { TypeName: '{i18n>userLimit}', TypeNamePlural: '{i18n>userLimits}', Title.Value: user },
  SelectionVariant: { Text: '{i18n>userLimits}', SelectOptions: [] },
  PresentationVariant: { SortOrder: [{ Property: user }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setUserLimit', Label: '{i18n>setLimit}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: user, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: maxDayValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '13rem' } }, { Value: locations, @UI.Importance: #High, @HTML5.CssDefaults: { width: '14rem' } }, { Value: changedBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
  ]
}) {
  user @title: '{i18n>user}'; maxOrderValue @title: '{i18n>maxOrderValue}' @Measures.ISOCurrency: currency; maxDayValue @title: '{i18n>maxDayValue}' @Measures.ISOCurrency: currency; currency @title: '{i18n>currency}'; locations @title: '{i18n>locations}';
  changedAt @title: '{i18n>updatedAt}'; changedBy @title: '{i18n>updatedBy}';
};

annotate AdminService.UserLimits with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/UserLimits'] }
  setUserLimit(
    user @title: '{i18n>user}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: user } ] } },
    maxOrderValue @title: '{i18n>maxOrderValue}',
    maxDayValue @title: '{i18n>maxDayValue}',
    currency @title: '{i18n>currency}',
    locations @title: '{i18n>locations}'
  );
};

annotate AdminService.RoleLimits with @(UI: {
  HeaderInfo: { TypeName: '{i18n>roleLimit}', TypeNamePlural: '{i18n>roleLimits}', Title.Value: role },
  SelectionVariant: { Text: '{i18n>roleLimits}', SelectOptions: [] },
  PresentationVariant: { SortOrder: [{ Property: role }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setRoleLimit', Label: '{i18n>setLimit}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: role, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: maxDayValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '13rem' } }, { Value: changedBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
  ]
}) {
  role @title: '{i18n>role}'; maxOrderValue @title: '{i18n>maxOrderValue}' @Measures.ISOCurrency: currency; maxDayValue @title: '{i18n>maxDayValue}' @Measures.ISOCurrency: currency; currency @title: '{i18n>currency}';
  changedAt @title: '{i18n>updatedAt}'; changedBy @title: '{i18n>updatedBy}';
};

annotate AdminService.RoleLimits with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/RoleLimits'] }
  setRoleLimit(
    role @title: '{i18n>role}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'ApprovingRoles', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'role', LocalDataProperty: role } ] } },
    maxOrderValue @title: '{i18n>maxOrderValue}',
    maxDayValue @title: '{i18n>maxDayValue}',
    currency @title: '{i18n>currency}'
  );
};

annotate AdminService.ExchangeRates with @(UI: {
  HeaderInfo: { TypeName: '{i18n>exchangeRate}', TypeNamePlural: '{i18n>exchangeRates}', Title.Value: fromCurrency, Description.Value: toCurrency },
  SelectionVariant: { Text: '{i18n>exchangeRates}', SelectOptions: [] },
  PresentationVariant: { SortOrder: [{ Property: validFrom, Descending: true }, { Property: fromCurrency }, { Property: toCurrency }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setRate', Label: '{i18n>setRate}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: fromCurrency, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: toCurrency, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: rate, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: validFrom, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
  ]
}) {
  fromCurrency @title: '{i18n>fromCurrency}'; toCurrency @title: '{i18n>toCurrency}'; rate @title: '{i18n>exchangeRate}'; validFrom @title: '{i18n>rateValidFrom}';
  source @UI.Hidden; number @title: '{i18n>source}'; isRemovable @UI.Hidden;
  changedAt @title: '{i18n>updatedAt}'; changedBy @title: '{i18n>updatedBy}';
};

annotate AdminService.ExchangeRates with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ExchangeRates'] }
  setRate(
    fromCurrency @title: '{i18n>fromCurrency}' @Common.FieldControl: #Mandatory,
    toCurrency @title: '{i18n>toCurrency}' @Common.FieldControl: #Mandatory,
    rate @title: '{i18n>exchangeRate}' @Common.FieldControl: #Mandatory,
    validFrom @title: '{i18n>rateValidFrom}'
  );
};

annotate AdminService.Delegations with @(
  UI: {
    HeaderInfo: { TypeName: '{i18n>delegation}', TypeNamePlural: '{i18n>delegations}', Title.Value: fromUser, Description.Value: toUser },
    SelectionVariant: { Text: '{i18n>delegations}', SelectOptions: [] },
    PresentationVariant: { SortOrder: [{ Property: validFrom, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.delegate', Label: '{i18n>newDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.end', Label: '{i18n>endDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: fromUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: toUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: state, Criticality: toState.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: validFrom, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: validTo, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }
    ],
    PresentationVariant #Deputies: { SortOrder: [{ Property: validFrom, Descending: true }], Visualizations: ['@UI.LineItem#Deputies'] },
    LineItem #Deputies: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.end', Label: '{i18n>endDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: toUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: state, Criticality: toState.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: validFrom, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: validTo, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }
    ],
    PresentationVariant #StandsInFor: { SortOrder: [{ Property: validFrom, Descending: true }], Visualizations: ['@UI.LineItem#StandsInFor'] },
    LineItem #StandsInFor: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.end', Label: '{i18n>endDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: fromUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: state, Criticality: toState.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: validFrom, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: validTo, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }
    ]
  }
) {
  ID @UI.Hidden; fromUser @title: '{i18n>fromUser}'; toUser @title: '{i18n>toUser}'; validFrom @title: '{i18n>validFrom}'; validTo @title: '{i18n>validTo}';
  createdAt @title: '{i18n>createdAt}'; createdBy @title: '{i18n>createdBy}'; endedAt @title: '{i18n>endedAt}';
  state @title: '{i18n>status}' @Common: { Text: toState.name, TextArrangement: #TextOnly };
  isEndable @UI.Hidden;
};

annotate AdminService.Delegations with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Delegations'] }
  delegate(
    fromUser @title: '{i18n>fromUser}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: fromUser } ] } },
    toUser @title: '{i18n>toUser}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: toUser } ] } },
    validFrom @title: '{i18n>validFrom}' @Common.FieldControl: #Mandatory,
    validTo @title: '{i18n>validTo}' @Common.FieldControl: #Mandatory
  );
  @Core.OperationAvailable: in.isEndable
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: [in] }
  end;
};

annotate AdminService.Delegations with { lapsedAt @UI.Hidden; };
