// The calendar of planned events, beside what sources tell.
using { restock } from '../../../../db';
using { AdminService } from '../admin-service';

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
