using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.UserLimits with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_userLimit}', TypeNamePlural: '{i18n>admin_userLimits}', Title.Value: user },
  SelectionVariant: { Text: '{i18n>admin_userLimits}', SelectOptions: [] },
  PresentationVariant: { SortOrder: [{ Property: user }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setUserLimit', Label: '{i18n>admin_setLimit}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: user, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: locations, @UI.Importance: #High, @HTML5.CssDefaults: { width: '14rem' } }, { Value: changedBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
  ]
}) {
  user @title: '{i18n>admin_user}'; maxOrderValue @title: '{i18n>admin_maxOrderValue}'; locations @title: '{i18n>admin_locations}';
  changedAt @title: '{i18n>admin_updatedAt}'; changedBy @title: '{i18n>admin_updatedBy}';
};

annotate AdminService.UserLimits with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/UserLimits'] }
  setUserLimit(
    user @title: '{i18n>admin_user}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: user } ] } },
    maxOrderValue @title: '{i18n>admin_maxOrderValue}',
    locations @title: '{i18n>admin_locations}'
  );
};

annotate AdminService.RoleLimits with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_roleLimit}', TypeNamePlural: '{i18n>admin_roleLimits}', Title.Value: role },
  SelectionVariant: { Text: '{i18n>admin_roleLimits}', SelectOptions: [] },
  PresentationVariant: { SortOrder: [{ Property: role }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { $Type: 'UI.DataFieldForAction', Action: 'AdminService.setRoleLimit', Label: '{i18n>admin_setLimit}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
    { Value: role, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: changedBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: changedAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
  ]
}) {
  role @title: '{i18n>admin_role}'; maxOrderValue @title: '{i18n>admin_maxOrderValue}';
  changedAt @title: '{i18n>admin_updatedAt}'; changedBy @title: '{i18n>admin_updatedBy}';
};

annotate AdminService.RoleLimits with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/RoleLimits'] }
  setRoleLimit(
    role @title: '{i18n>admin_role}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'ApprovingRoles', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'role', LocalDataProperty: role } ] } },
    maxOrderValue @title: '{i18n>admin_maxOrderValue}'
  );
};

annotate AdminService.Delegations with @(
  Capabilities.SortRestrictions.NonSortableProperties: [stateText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [stateText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_delegation}', TypeNamePlural: '{i18n>admin_delegations}', Title.Value: fromUser, Description.Value: toUser },
    SelectionVariant: { Text: '{i18n>admin_delegations}', SelectOptions: [] },
    PresentationVariant: { SortOrder: [{ Property: validFrom, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.delegate', Label: '{i18n>admin_newDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.end', Label: '{i18n>admin_endDelegation}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: fromUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: toUser, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: state, Criticality: stateCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: validFrom, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: validTo, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }
    ]
  }
) {
  ID @UI.Hidden; fromUser @title: '{i18n>admin_fromUser}'; toUser @title: '{i18n>admin_toUser}'; validFrom @title: '{i18n>admin_validFrom}'; validTo @title: '{i18n>admin_validTo}';
  createdAt @title: '{i18n>admin_createdAt}'; createdBy @title: '{i18n>admin_createdBy}'; endedAt @title: '{i18n>admin_endedAt}';
  state @title: '{i18n>admin_status}' @Common: { Text: stateText, TextArrangement: #TextOnly };
  stateText @UI.Hidden; stateCriticality @UI.Hidden; isEndable @UI.Hidden;
};

annotate AdminService.Delegations with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Delegations'] }
  delegate(
    fromUser @title: '{i18n>admin_fromUser}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: fromUser } ] } },
    toUser @title: '{i18n>admin_toUser}' @Common: { FieldControl: #Mandatory, ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: toUser } ] } },
    validFrom @title: '{i18n>admin_validFrom}' @Common.FieldControl: #Mandatory,
    validTo @title: '{i18n>admin_validTo}' @Common.FieldControl: #Mandatory
  );
  @Core.OperationAvailable: in.isEndable
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: [in] }
  end;
};
