using { AdminService } from '../../../srv/doors/admin/admin-service';

// Value lists of filters.

annotate AdminService.Sources with {
  type @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'SourceTypes', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: type },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.Sources with {
  status @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'SourceStatuses', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: status },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.Syncs with {
  status @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'SyncStatuses', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: status },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.Syncs with {
  mode @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'SyncModes', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: mode },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.Policies with {
  level @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'PolicyLevels', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: level },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.ApiKeys with {
  state @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'ApiKeyStates', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: state },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};

annotate AdminService.Webhooks with {
  status @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'WebhookStatuses', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', ValueListProperty: 'code', LocalDataProperty: status },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' }
  ] } };
};
