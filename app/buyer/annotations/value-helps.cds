using { BuyerService } from '../../../srv/doors/buyer/buyer-service';

// Value helps: short lists as drop-downs, long ones as dialogs with a search.
annotate BuyerService.Proposals with {
  status     @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'ProposalStatuses', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: status, ValueListProperty: 'code' } ] } };
  urgency    @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Urgencies', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: urgency, ValueListProperty: 'code' } ] } };
  confidence @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'Confidences', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: confidence, ValueListProperty: 'code' } ] } };
  exceptions @Common: { ValueListWithFixedValues, ValueList: { CollectionPath: 'ProposalExceptions', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: exceptions, ValueListProperty: 'code' } ] } };
  skuGroup   @Common.ValueList: { CollectionPath: 'SkuGroups', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: skuGroup, ValueListProperty: 'skuGroup' } ] };
  sku        @Common.ValueList: { CollectionPath: 'Skus', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: sku, ValueListProperty: 'sku' },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] };
  location   @Common.ValueList: { CollectionPath: 'Locations', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: location, ValueListProperty: 'location' },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] };
  supplier   @Common.ValueList: { CollectionPath: 'Suppliers', Parameters: [
    { $Type: 'Common.ValueListParameterInOut', LocalDataProperty: supplier, ValueListProperty: 'supplier' },
    { $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: 'name' } ] };
};
annotate BuyerService.Skus with { sku @title: '{i18n>sku}' @Common.Text: name; name @title: '{i18n>skuName}'; };
annotate BuyerService.SkuGroups with { skuGroup @title: '{i18n>skuGroup}'; };
annotate BuyerService.Locations with { location @title: '{i18n>location}' @Common.Text: name; name @title: '{i18n>locationName}'; };
annotate BuyerService.Suppliers with { supplier @title: '{i18n>supplier}' @Common.Text: name; name @title: '{i18n>supplierName}'; };
