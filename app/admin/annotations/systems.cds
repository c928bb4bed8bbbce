using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.ApiKeys with @(
  Capabilities.SortRestrictions.NonSortableProperties: [stateText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [stateText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_apiKey}', TypeNamePlural: '{i18n>admin_apiKeys}', Title.Value: name, Description.Value: ID },
    SelectionFields: [ state, actsAs ],
    PresentationVariant: { SortOrder: [{ Property: createdAt, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.revoke', Label: '{i18n>admin_revoke}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: name, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: ID, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: state, Criticality: stateCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: scopes, @UI.Importance: #High, @HTML5.CssDefaults: { width: '14rem' } }, { Value: actsAs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: expiresAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }
    ]
  }
) {
  ID @title: '{i18n>admin_keyId}'; name @title: '{i18n>admin_name}'; scopes @title: '{i18n>admin_scopes}'; actsAs @title: '{i18n>admin_actsAs}';
  maxOrderValue @title: '{i18n>admin_maxOrderValue}'; createdAt @title: '{i18n>admin_createdAt}'; createdBy @title: '{i18n>admin_createdBy}';
  expiresAt @title: '{i18n>admin_expiresAt}'; revokedAt @title: '{i18n>admin_revokedAt}'; rotatedTo @title: '{i18n>admin_rotatedTo}';
  state @title: '{i18n>admin_status}' @Common: { Text: stateText, TextArrangement: #TextOnly };
  stateText @UI.Hidden; stateCriticality @UI.Hidden; isUsable @UI.Hidden;
};

annotate AdminService.ApiKeys with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  issue(
    name   @title: '{i18n>admin_name}' @Common.FieldControl: #Mandatory,
    scopes @title: '{i18n>admin_scopes}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Scopes', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: scopes },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    actsAs @title: '{i18n>admin_actsAs}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: actsAs } ] } },
    maxOrderValue @title: '{i18n>admin_maxOrderValue}',
    expiresInDays @title: '{i18n>admin_expiresInDays}' @UI.ParameterDefaultValue: 180
  );
  @Core.OperationAvailable: in.isUsable
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  rotate;
  @Core.OperationAvailable: in.isUsable
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  revoke;
};

annotate AdminService.Scopes     with { code @title: '{i18n>admin_scope}' @Common: { Text: name, TextArrangement: #TextLast }; };
annotate AdminService.EventTypes with { code @title: '{i18n>admin_event}' @Common: { Text: name, TextArrangement: #TextLast }; };
annotate AdminService.Approvers  with { user @title: '{i18n>admin_user}' @Common: { Text: roles, TextArrangement: #TextLast }; roles @title: '{i18n>admin_roles}'; };
annotate AdminService.ApprovingRoles with { role @title: '{i18n>admin_role}'; };

annotate AdminService.Webhooks with @(
  Capabilities.SortRestrictions.NonSortableProperties: [statusText, disabledReasonText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [statusText, disabledReasonText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_webhook}', TypeNamePlural: '{i18n>admin_webhooks}', Title.Value: number, Description.Value: url },
    SelectionFields: [ status ],
    PresentationVariant: { SortOrder: [{ Property: ID, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: url, @UI.Importance: #High, @HTML5.CssDefaults: { width: '18rem' } },
      { Value: status, Criticality: statusCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: types, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: disabledReason, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: failingSince, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: createdAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.activate', Label: '{i18n>admin_activate}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.disable', Label: '{i18n>admin_disable}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Status: { Value: status, Title: '{i18n>admin_status}', Criticality: statusCriticality },
    HeaderFacets: [ { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' } ],
    FieldGroup #General: { Data: [
      { Value: url }, { Value: types }, { Value: disabledReason }, { Value: failingSince }, { Value: createdBy }, { Value: createdAt }
    ]},
    Facets: [
      { $Type: 'UI.ReferenceFacet', ID: 'general', Label: '{i18n>admin_general}', Target: '@UI.FieldGroup#General' },
      { $Type: 'UI.ReferenceFacet', ID: 'deliveries', Label: '{i18n>admin_deliveries}', Target: 'deliveries/@UI.PresentationVariant' }
    ]
  }
) {
  ID @UI.Hidden; number @title: '{i18n>admin_webhook}'; url @title: '{i18n>admin_url}'; types @title: '{i18n>admin_events}';
  status @title: '{i18n>admin_status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
  disabledReason @title: '{i18n>admin_disabledReason}' @Common: { Text: disabledReasonText, TextArrangement: #TextOnly };
  failingSince @title: '{i18n>admin_failingSince}'; createdAt @title: '{i18n>admin_createdAt}'; createdBy @title: '{i18n>admin_createdBy}';
  statusText @UI.Hidden; disabledReasonText @UI.Hidden; statusCriticality @UI.Hidden; isActive @UI.Hidden;
};

annotate AdminService.Webhooks with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Webhooks'] }
  add(
    url   @title: '{i18n>admin_url}' @Common.FieldControl: #Mandatory @UI.Placeholder: 'https://',
    types @title: '{i18n>admin_eventsOrAll}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'EventTypes', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: types },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } }
  );
  @Common.SideEffects: { TargetEntities: [in] }
  rotate;
  @Core.OperationAvailable: { $edmJson: { $Not: { $Path: 'in/isActive' } } }
  @Common.SideEffects: { TargetEntities: [in] }
  activate;
  @Core.OperationAvailable: in.isActive
  @Common.SideEffects: { TargetEntities: [in] }
  disable;
};

annotate AdminService.Deliveries with @(
  Capabilities.SortRestrictions.NonSortableProperties: [statusText],
  Capabilities.FilterRestrictions.NonFilterableProperties: [statusText],
  UI: {
    HeaderInfo: { TypeName: '{i18n>admin_delivery}', TypeNamePlural: '{i18n>admin_deliveries}', Title.Value: type, Description.Value: event },
    PresentationVariant: { SortOrder: [{ Property: event, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.replay', Label: '{i18n>admin_replay}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: type, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: status, Criticality: statusCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: attempts, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: responseStatus, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: problem, @UI.Importance: #High, @HTML5.CssDefaults: { width: '14rem' } }, { Value: lastAttemptAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: nextAttemptAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }
    ]
  }
) {
  webhook @UI.Hidden; event @title: '{i18n>admin_event}'; type @title: '{i18n>admin_event}';
  status @title: '{i18n>admin_status}' @Common: { Text: statusText, TextArrangement: #TextOnly };
  attempts @title: '{i18n>admin_attempts}'; responseStatus @title: '{i18n>admin_responseStatus}'; problem @title: '{i18n>admin_problem}';
  lastAttemptAt @title: '{i18n>admin_lastAttemptAt}'; nextAttemptAt @title: '{i18n>admin_nextAttemptAt}';
  statusText @UI.Hidden; statusCriticality @UI.Hidden;
};

annotate AdminService.Deliveries with actions {
  @Common.SideEffects: { TargetEntities: [in] }
  replay;
};

annotate AdminService.Webhooks with { mayChange @UI.Hidden; };
