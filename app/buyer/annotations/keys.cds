using { BuyerService } from '../../../srv/doors/buyer/buyer-service';
using from '../../../srv/doors/buyer/model/home';

annotate BuyerService.ApiKeys with {
  ID            @title: '{i18n>keyId}';
  name          @title: '{i18n>name}';
  scopes        @title: '{i18n>scopes}';
  actsAs        @title: '{i18n>actsAs}';
  maxOrderValue @title: '{i18n>maxOrderValue}';
  currency      @title: '{i18n>currency}';
  createdAt     @title: '{i18n>createdAt}';
  createdBy     @title: '{i18n>createdBy}';
  expiresAt     @title: '{i18n>expiresAt}';
  confirmedAt   @title: '{i18n>confirmedAt}';
  status        @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  canConfirm    @UI.Hidden;
  canRevoke     @UI.Hidden;
};

annotate BuyerService.ApiKeys with @(
  UI: {
    HeaderInfo: { TypeName: '{i18n>apiKey}', TypeNamePlural: '{i18n>apiKeys}' },
    LineItem #Keys: [
      { Value: name, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '10rem' } },
      { Value: status, Criticality: toStatus.criticality, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: scopes, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: 'auto' } },
      { Value: maxOrderValue, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { Value: currency, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '6rem' } },
      { Value: createdBy, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '8rem' } },
      { Value: createdAt, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { Value: expiresAt, ![@UI.Importance]: #High, ![@HTML5.CssDefaults]: { width: '11rem' } },
      { Value: ID, ![@UI.Importance]: #Medium, ![@HTML5.CssDefaults]: { width: '10rem' } },
      { $Type: 'UI.DataFieldForAction', Action: 'BuyerService.confirm', Label: '{i18n>confirmKey}' },
      { $Type: 'UI.DataFieldForAction', Action: 'BuyerService.revoke', Label: '{i18n>revoke}' },
    ],
    PresentationVariant #Keys: {
      SortOrder: [{ Property: createdAt, Descending: true }],
      RequestAtLeast: [canConfirm, canRevoke],
      Visualizations: ['@UI.LineItem#Keys'] },
    SelectionVariant #Keys: { Text: '{i18n>ownKeys}', SelectOptions: [] },
    SelectionPresentationVariant #Keys: {
      Text: '{i18n>ownKeys}', SelectionVariant: ![@UI.SelectionVariant#Keys], PresentationVariant: ![@UI.PresentationVariant#Keys] },
  }
) actions {
  @(Core.OperationAvailable: in.canConfirm, Common.IsActionCritical, Common.SideEffects: { TargetEntities: ['/BuyerService.EntityContainer/ApiKeys'] })
  confirm;
  @(Core.OperationAvailable: in.canRevoke, Common.IsActionCritical, Common.SideEffects: { TargetEntities: ['/BuyerService.EntityContainer/ApiKeys'] })
  revoke;
};
