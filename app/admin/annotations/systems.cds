using { AdminService } from '../../../srv/doors/admin/admin-service';

annotate AdminService.ApiKeys with @(
  UI: {
    HeaderInfo: { TypeName: '{i18n>apiKey}', TypeNamePlural: '{i18n>apiKeys}', Title.Value: name, Description.Value: ID },
    SelectionFields: [ state, actsAs ],
    PresentationVariant: { SortOrder: [{ Property: createdAt, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.revoke', Label: '{i18n>revoke}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: name, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } }, { Value: ID, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } },
      { Value: state, Criticality: toState.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
      { Value: scopes, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: actsAs, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: maxOrderValue, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9.5rem' } },
      { Value: expiresAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: createdBy, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
      { Value: confirmedAt, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '12rem' } }
    ]
  }
) {
  ID @title: '{i18n>keyId}'; name @title: '{i18n>name}'; scopes @title: '{i18n>scopes}'; actsAs @title: '{i18n>actsAs}';
  maxOrderValue @title: '{i18n>maxOrderValue}' @Measures.ISOCurrency: currency; currency @title: '{i18n>currency}'; createdAt @title: '{i18n>createdAt}'; createdBy @title: '{i18n>createdBy}';
  expiresAt @title: '{i18n>expiresAt}'; confirmedAt @title: '{i18n>confirmedAt}'; lapsedAt @UI.Hidden; revokedAt @title: '{i18n>revokedAt}'; rotatedTo @title: '{i18n>rotatedTo}';
  state @title: '{i18n>status}' @Common: { Text: toState.name, TextArrangement: #TextOnly };
  isUsable @UI.Hidden;
};

annotate AdminService.ApiKeys with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  issue(
    name   @title: '{i18n>name}' @Common.FieldControl: #Mandatory,
    scopes @title: '{i18n>scopes}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Scopes', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: scopes },
      { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] } },
    actsAs @title: '{i18n>actsAs}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Approvers', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'user', LocalDataProperty: actsAs } ] } },
    maxOrderValue @title: '{i18n>maxOrderValue}',
    currency @title: '{i18n>currency}',
    expiresInDays @title: '{i18n>expiresInDays}' @UI.ParameterDefaultValue: 180
  );
  @Core.OperationAvailable: in.isUsable
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  rotate;
  @Core.OperationAvailable: in.isUsable
  @Common.IsActionCritical
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/ApiKeys'] }
  revoke;
};

annotate AdminService.Scopes     with { code @title: '{i18n>scope}' @Common: { Text: name, TextArrangement: #TextLast }; };
annotate AdminService.EventTypes with { code @title: '{i18n>event}' @Common: { Text: name, TextArrangement: #TextLast }; };
annotate AdminService.ApprovingRoles with { role @title: '{i18n>role}'; };

annotate AdminService.Webhooks with @(
  Capabilities: { FilterRestrictions.NonFilterableProperties: [typesText], SortRestrictions.NonSortableProperties: [typesText] },
  UI: {
    HeaderInfo: { TypeName: '{i18n>webhook}', TypeNamePlural: '{i18n>webhooks}', Title.Value: number, Description.Value: url },
    SelectionFields: [ status ],
    PresentationVariant: { SortOrder: [{ Property: ID, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: url, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } },
      { Value: status, Criticality: statusCriticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: types, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: disabledReason, @UI.Importance: #Medium, @HTML5.CssDefaults: { width: '12rem' } }, { Value: failingSince, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: createdBy, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '8rem' } }, { Value: createdAt, @UI.Importance: #Low, @HTML5.CssDefaults: { width: '12rem' } }
    ],
    Identification: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.activate', Label: '{i18n>activate}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } },
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.disable', Label: '{i18n>disable}', @UI.Hidden: { $edmJson: { $Not: { $Path: 'mayChange' } } } }
    ],
    DataPoint #Status: { Value: status, Title: '{i18n>status}', Criticality: statusCriticality },
    HeaderFacets: [ { $Type: 'UI.ReferenceFacet', Target: '@UI.DataPoint#Status' } ],
    FieldGroup #General: { Data: [
      { Value: url }, { Value: types }, { Value: disabledReason }, { Value: failingSince }, { Value: createdBy }, { Value: createdAt }
    ]},
    Facets: [
      { $Type: 'UI.ReferenceFacet', ID: 'general', Label: '{i18n>general}', Target: '@UI.FieldGroup#General' },
      { $Type: 'UI.ReferenceFacet', ID: 'deliveries', Label: '{i18n>deliveries}', Target: 'deliveries/@UI.PresentationVariant' }
    ]
  }
) {
  ID @UI.Hidden; number @title: '{i18n>webhook}'; url @title: '{i18n>url}'; types @title: '{i18n>events}' @Common: { Text: typesText, TextArrangement: #TextOnly }; typesText @UI.Hidden;
  status @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  disabledReason @title: '{i18n>disabledReason}' @Common: { Text: toDisabledReason.name, TextArrangement: #TextOnly };
  failingSince @title: '{i18n>failingSince}'; createdAt @title: '{i18n>createdAt}'; createdBy @title: '{i18n>createdBy}';
  statusCriticality @UI.Hidden; isActive @UI.Hidden;
};

annotate AdminService.Webhooks with actions {
  @Common.SideEffects: { TargetEntities: ['/AdminService.EntityContainer/Webhooks'] }
  add(
    url   @title: '{i18n>url}' @Common.FieldControl: #Mandatory @UI.Placeholder: 'https://',
    types @title: '{i18n>eventsOrAll}' @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'EventTypes', Parameters: [
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
  UI: {
    HeaderInfo: { TypeName: '{i18n>delivery}', TypeNamePlural: '{i18n>deliveries}', Title.Value: type, Description.Value: event },
    PresentationVariant: { SortOrder: [{ Property: event, Descending: true }], Visualizations: ['@UI.LineItem'] },
    LineItem: [
      { $Type: 'UI.DataFieldForAction', Action: 'AdminService.replay', Label: '{i18n>replay}', @UI.Hidden: { $edmJson: { $Not: { $Path: '/AdminService.EntityContainer/Health/mayChange' } } } },
      { Value: type, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: status, Criticality: toStatus.criticality, @UI.Importance: #High, @HTML5.CssDefaults: { width: '9rem' } },
      { Value: attempts, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: responseStatus, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: problem, @UI.Importance: #High, @HTML5.CssDefaults: { width: 'auto' } }, { Value: lastAttemptAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }, { Value: nextAttemptAt, @UI.Importance: #High, @HTML5.CssDefaults: { width: '12rem' } }
    ]
  }
) {
  webhook @UI.Hidden; event @title: '{i18n>event}'; type @title: '{i18n>event}';
  status @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  attempts @title: '{i18n>attempts}'; responseStatus @title: '{i18n>responseStatus}'; problem @title: '{i18n>problem}';
  lastAttemptAt @title: '{i18n>lastAttemptAt}'; nextAttemptAt @title: '{i18n>nextAttemptAt}';
};

annotate AdminService.Deliveries with actions {
  @Common.SideEffects: { TargetEntities: [in] }
  replay;
};

annotate AdminService.Webhooks with { mayChange @UI.Hidden; };
