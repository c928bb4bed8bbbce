// Ordering rules, and pairs without proposals.
using { restock } from '../../../../db';
using { AdminService } from '../admin-service';

extend service AdminService with {
  // Days are Double in the actions: the dialogs of the apps send 0 for an empty integer.

  /** Ordering rules: they fill in values that the ERP lacks, or override them. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Policies as projection on restock.Policies {
    *,
    replace(replace(cast(orderDays as String(40)), '[', ''), ']', '') as orderDays : String(20),
    minimumOrderValue : Decimal(19, 2), freeFreightFrom : Decimal(19, 2), freightCost : Decimal(19, 2), orderCost : Decimal(19, 2),
    toLevel.position as precedence,
    virtual null as skuText      : String(100),          // the codes without leading zeros
    virtual null as supplierText : String(100),
    virtual null as targetPercent : Double,              // the service target as people enter it
    virtual null as title        : String(500),          // its level and what it names
    virtual null as says         : String(2000),         // the values that the rule has, in words
    virtual null as mayChange    : Boolean
  }
  actions {
    /** Of the level that is named by its keys or its class; of all where there are none. */
    @(cds.odata.bindingparameter.collection)
    action setRule(
      skuGroup : restock.Code, supplier : restock.Code, sku : restock.Code, location : restock.Code, abcClass : String(1),
      leadTimeDays : Double, leadTimeDeviationDays : Double, reviewPeriodDays : Double, targetPercent : Double,
      stockoutCostShare : Double, carryingCostSharePerYear : Double, unmetDemand : String(20), moq : Double, lotSize : Double,
      maximumOrder : Double, maximumStock : Double, shelfLifeDays : Double,
      priceBreaks : String(1000), minimumOrderValue : Decimal(19, 2), minimumOrderQuantity : Double, ordersByLocation : Boolean,
      freeFreightFrom : Decimal(19, 2), freightCost : Decimal(19, 2), orderCost : Decimal(19, 2), containerUnits : Double, orderDays : String(20),
      responsible : String(255), teamLead : String(255)
    ) returns Policies;
    /** Replaces all values of the rule. */
    action change(
      leadTimeDays : Double, leadTimeDeviationDays : Double, reviewPeriodDays : Double, targetPercent : Double,
      stockoutCostShare : Double, carryingCostSharePerYear : Double, unmetDemand : String(20), moq : Double, lotSize : Double,
      maximumOrder : Double, maximumStock : Double, shelfLifeDays : Double,
      priceBreaks : String(1000), minimumOrderValue : Decimal(19, 2), minimumOrderQuantity : Double, ordersByLocation : Boolean,
      freeFreightFrom : Decimal(19, 2), freightCost : Decimal(19, 2), orderCost : Decimal(19, 2), containerUnits : Double, orderDays : String(20),
      responsible : String(255), teamLead : String(255)
    ) returns Policies;
  };

  /** Pairs of SKU and location without a proposal, and the missing value. */
  @readonly
  entity BlockedPairs as select from restock.BlockedPairs as own
    left join restock.Skus     on Skus.source.ID = own.source.ID and Skus.sku = own.sku
    left join restock.Planning on Planning.source.ID = own.source.ID and Planning.sku = own.sku and Planning.location = own.location
  {
    key own.series,
    key own.missing,
        own.toMissing,
        own.source.ID as source : Integer,
        own.sku,
        Skus.name as skuName,
        Skus.skuGroup,
        coalesce(Planning.supplier, Skus.supplier) as supplier : restock.Code,
        own.location,
        own.reason,
        own.facts,
        virtual null as skuText : String(100),               // the code without leading zeros
        virtual null as supplierText : String(100),
        case own.missing when 'lead_time' then true else false end as isMendable : Boolean
  }
  actions {
    /** Sets the lead time in the rule of this level; its other values stay as they are. */
    action setLeadTime(leadTimeDays : Double, level : String(20)) returns Policies;
  };

  // What a rule can name: value helps, with names beside the codes. What is typed is compared with the codes without
  // leading zeros, so that these are made by the database.
  @readonly entity Skus as select distinct key sku, name,
    case when ltrim(sku, '0') <> '' and ltrim(sku, '0123456789') = '' then ltrim(sku, '0') else sku end as skuText : String(100)
    from restock.Skus;
  @readonly entity Suppliers as select distinct key supplier, name,
    case when ltrim(supplier, '0') <> '' and ltrim(supplier, '0123456789') = '' then ltrim(supplier, '0') else supplier end as supplierText : String(100)
    from restock.Suppliers;
  @readonly entity Locations as select distinct key location, name from restock.Locations;
  @readonly @cds.redirection.target: false entity AbcClasses as select from restock.PolicyLevels {
    key toupper(substring(code, 6)) as abcClass : String(1),
        name
  } where code in ('class_a', 'class_b', 'class_c');
  /** The levels whose rules may set a lead time. */
  @readonly @cds.redirection.target: false entity LeadTimeLevels as select from restock.PolicyLevels { key code, name, position }
    where code not in ('class_a', 'class_b', 'class_c');
  @readonly entity SkuGroups as select distinct key skuGroup from restock.Skus where skuGroup is not null;
}

// The calendar of planned events, beside what sources tell.
extend service AdminService with {
  /** A name that is empty selects all; what a source tells is changed there. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity PlannedEvents as select from restock.PlannedEvents {
    key ID, origin, kind, toKind, sku, location, skuGroup, name, firstDay, lastDay, factor, price, changedAt, changedBy,
        case when source.ID is null then null else 'src_' || source.ID end as number : String(20),
        virtual null as skuText : String(100),     // the code without leading zeros
        virtual null as isRemovable : Boolean      // those that were entered, by administrators
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action addEvent(
      kind : String(20), firstDay : Date, lastDay : Date,
      sku : restock.Code, location : restock.Code, skuGroup : restock.Code,
      factor : Double, price : Double, name : String(200)
    ) returns PlannedEvents;
  };

  /** Whose public holidays hold at a location; an empty one stands for all that have no country of their own. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity HolidayCalendars as select from restock.HolidayCalendars {
    *,
    virtual null as countryText : String(100),
    virtual null as isRemovable : Boolean
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setHolidays(location : restock.Code, country : String(2), region : String(20)) returns HolidayCalendars;
  };

  /** Names of countries in the language of the request. */
  @readonly @cds.persistence.skip
  entity Countries { key code : String(2); name : String(100); };
}

annotate AdminService.Policies with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.BlockedPairs with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.PlannedEvents with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.HolidayCalendars with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
