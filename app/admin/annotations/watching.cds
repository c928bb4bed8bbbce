using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.AuditLog with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_auditEntry}', TypeNamePlural: '{i18n>admin_auditLog}', Title.Value: action, Description.Value: object },
  SelectionFields: [ actor, action, object, at ],
  PresentationVariant: { SortOrder: [{ Property: at, Descending: true }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { Value: at, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } }, { Value: actor, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: action, @UI.Importance: #High, @HTML5.CssDefaults: { width: '11rem' } },
    { Value: object, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: detail, @UI.Importance: #High, @HTML5.CssDefaults: { width: '26rem' } }, { Value: via, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: seq, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }
  ]
}) {
  ID @UI.Hidden; at @title: '{i18n>admin_at}'; actor @title: '{i18n>admin_actor}'; via @title: '{i18n>admin_via}'; action @title: '{i18n>admin_action}';
  object @title: '{i18n>admin_object}'; detail @title: '{i18n>admin_detail}'; seq @title: '{i18n>admin_seq}';
};

annotate AdminService.ForecastQuality with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_forecastQuality}', TypeNamePlural: '{i18n>admin_forecastQuality}', Title.Value: number, Description.Value: account },
  LineItem: [
    { Value: number, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: account, @UI.Importance: #High, @HTML5.CssDefaults: { width: '10rem' } }, { Value: asOf, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: series, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }, { Value: forecasts, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } }, { Value: waiting, @UI.Importance: #High, @HTML5.CssDefaults: { width: '7rem' } },
    { Value: highShare, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: mediumShare, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } }, { Value: lowShare, @UI.Importance: #High, @HTML5.CssDefaults: { width: '8rem' } },
    { Value: sampled, @UI.Importance: #High, @HTML5.CssDefaults: { width: '6rem' } }
  ]
}) {
  source @UI.Hidden; number @title: '{i18n>admin_source}'; account @title: '{i18n>admin_account}'; asOf @title: '{i18n>admin_forecastFrom}';
  engineVersion @title: '{i18n>admin_engineVersion}'; series @title: '{i18n>admin_series}'; forecasts @title: '{i18n>admin_forecasts}'; waiting @title: '{i18n>admin_waitingSeries}';
  windows @title: '{i18n>admin_windows}'; sampled @title: '{i18n>admin_sampled}';
  highShare @title: '{i18n>admin_highShare}'; mediumShare @title: '{i18n>admin_mediumShare}'; lowShare @title: '{i18n>admin_lowShare}';
};

// Auditors are offered nothing that the service would refuse.
annotate AdminService.Sources with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.Policies with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.Webhooks with @Capabilities.DeleteRestrictions.Deletable: mayChange;
annotate AdminService.UserLimits with @Capabilities.DeleteRestrictions.Deletable: { $edmJson: { $Path: '/AdminService.EntityContainer/Health/mayChange' } };
annotate AdminService.RoleLimits with @Capabilities.DeleteRestrictions.Deletable: { $edmJson: { $Path: '/AdminService.EntityContainer/Health/mayChange' } };
