// The calendar of planned events, beside what sources tell.
using { restock } from '../../db';
using { AdminService } from './admin-service';

extend service AdminService with {
  /** A name that is empty selects all; what a source tells is changed there. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity PlannedEvents as select from restock.PlannedEvents {
    key ID, kind, toKind, sku, location, skuGroup, name, firstDay, lastDay, factor, price, changedAt, changedBy,
        case when source.ID is null then null else 'src_' || source.ID end as number : String(20),
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
}
