namespace restock;

using { restock.Code, restock.Sources } from './';
using { restock.PlanKinds } from './code-lists';

/**
 * What is planned of some days, and was: past events stay, because forecasts learn from them. A selector that is empty selects
 * all; where several of one kind concern a series on a day the most specific one counts.
 */
entity PlannedEvents {
  key ID        : Integer;
      source    : Association to Sources;  // null: of all sources
      origin    : PlanOrigin;
      kind      : String(20);
      toKind    : Association to PlanKinds on toKind.code = kind;
      sku       : Code default '';
      location  : Code default '';
      skuGroup  : Code default '';
      name      : String(200) default '';
      firstDay  : Date;
      lastDay   : Date;
      factor    : Double;                  // demand over that of the same days without it; null: the past must tell
      price     : Double;
      changedAt : Timestamp;
      changedBy : String(255);
}

/** Read with its source, entered in the calendar, or a public holiday of its location's country, which the past tells the effect of. */
type PlanOrigin : String(20) enum { source; calendar; holiday; };

/** Whose public holidays hold at a location of all sources. */
entity HolidayCalendars {
  key location  : Code default '';     // empty: all that have none of their own
      country   : String(2);           // ISO 3166-1; null: none
      region    : String(20);          // a part of it, e.g. BY
      changedAt : Timestamp;
      changedBy : String(255);
}

annotate PlannedEvents with @assert.unique: { event: [source, sku, location, skuGroup, kind, firstDay, name, origin] };
