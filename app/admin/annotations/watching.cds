using { AdminService } from '../../../srv/admin/admin-service';

annotate AdminService.AuditLog with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_auditEntry}', TypeNamePlural: '{i18n>admin_auditLog}', Title.Value: action, Description.Value: object },
  SelectionFields: [ actor, action, object, at ],
  PresentationVariant: { SortOrder: [{ Property: at, Descending: true }], Visualizations: ['@UI.LineItem'] },
  LineItem: [
    { Value: at, @UI.Importance: #High }, { Value: actor, @UI.Importance: #High }, { Value: action, @UI.Importance: #High },
    { Value: object }, { Value: detail }, { Value: via }, { Value: seq }
  ]
}) {
  ID @UI.Hidden; at @title: '{i18n>admin_at}'; actor @title: '{i18n>admin_actor}'; via @title: '{i18n>admin_via}'; action @title: '{i18n>admin_action}';
  object @title: '{i18n>admin_object}'; detail @title: '{i18n>admin_detail}'; seq @title: '{i18n>admin_seq}';
};

annotate AdminService.ForecastQuality with @(UI: {
  HeaderInfo: { TypeName: '{i18n>admin_forecastQuality}', TypeNamePlural: '{i18n>admin_forecastQuality}', Title.Value: number, Description.Value: account },
  LineItem: [
    { Value: number, @UI.Importance: #High }, { Value: account }, { Value: asOf, @UI.Importance: #High },
    { Value: series }, { Value: forecasts }, { Value: waiting },
    { Value: highShare, @UI.Importance: #High }, { Value: mediumShare }, { Value: lowShare, @UI.Importance: #High },
    { Value: sampled }, { Value: windows }, { Value: engineVersion }
  ]
}) {
  source @UI.Hidden; number @title: '{i18n>admin_source}'; account @title: '{i18n>admin_account}'; asOf @title: '{i18n>admin_forecastFrom}';
  engineVersion @title: '{i18n>admin_engineVersion}'; series @title: '{i18n>admin_series}'; forecasts @title: '{i18n>admin_forecasts}'; waiting @title: '{i18n>admin_waitingSeries}';
  windows @title: '{i18n>admin_windows}'; sampled @title: '{i18n>admin_sampled}';
  highShare @title: '{i18n>admin_highShare}'; mediumShare @title: '{i18n>admin_mediumShare}'; lowShare @title: '{i18n>admin_lowShare}';
};
