using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

// Decisions: offered where the status and the user's roles allow them, asked for in a dialog. Which version they are about
// is what the list or the page showed (webapp/ext/decide.js).
annotate BuyerService.Proposals with actions {
  approve @(
    Core.OperationAvailable: in.canApprove,
    Common.SideEffects: { TargetEntities: [in, in.events, in.similar] },
  ) (
    quantity @title: '{i18n>quantity}' @UI.ParameterDefaultValue: in.quantity,
    comment  @title: '{i18n>comment}' @UI.MultiLineText,
    version  @UI.Hidden
  );
  decline @(
    Core.OperationAvailable: in.canReject,
    Common.SideEffects: { TargetEntities: [in, in.events, in.similar] },
  ) (
    reason @title: '{i18n>reason}' @mandatory @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'RejectionReasons', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: reason, ValueListProperty: 'code' } ] } },
    comment @title: '{i18n>comment}' @UI.MultiLineText,
    version @UI.Hidden
  );
  snooze @(
    Core.OperationAvailable: in.canSnooze,
    Common.SideEffects: { TargetEntities: [in, in.events] },
  ) (
    until @title: '{i18n>until}' @mandatory,
    version @UI.Hidden
  );
  cancel @(
    Core.OperationAvailable: in.canCancel,
    Common.SideEffects: { TargetEntities: [in, in.events, in.similar] },
  ) (
    reason @title: '{i18n>reason}' @mandatory @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'RejectionReasons', Parameters: [
      { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: reason, ValueListProperty: 'code' } ] } },
    comment @title: '{i18n>comment}' @UI.MultiLineText,
    version @UI.Hidden
  );
};

// The same of many: which ones is known from the list.
annotate BuyerService.approveMany with (proposals @UI.Hidden, comment @title: '{i18n>comment}' @UI.MultiLineText);
annotate BuyerService.declineMany with (
  proposals @UI.Hidden,
  reason @title: '{i18n>reason}' @mandatory @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'RejectionReasons', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: reason, ValueListProperty: 'code' } ] } },
  comment @title: '{i18n>comment}' @UI.MultiLineText
);
annotate BuyerService.snoozeMany with (proposals @UI.Hidden, until @title: '{i18n>until}' @mandatory);
annotate BuyerService.cancelMany with (
  proposals @UI.Hidden,
  reason @title: '{i18n>reason}' @mandatory @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'RejectionReasons', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: reason, ValueListProperty: 'code' } ] } },
  comment @title: '{i18n>comment}' @UI.MultiLineText
);
