namespace restock;

using { restock.Code, restock.Units, restock.Sources, restock.Synced } from './';

/** A SKU at a location: the natural key once, a small number in every demand row. */
entity Series {
  key ID       : Integer;
      source   : Association to Sources;
      sku      : Code;
      location : Code;
      dirty    : Boolean default true;   // demand changed since the last forecast
}

annotate Series with @assert.unique: { pair: [sku, location, source] };

/**
 * Demand in base units. Where the ERP has documents a row is one of their lines (returns and reversals
 * negative), and a day's demand is the sum of its rows; elsewhere a row is a whole day, and `document`
 * is empty. A day without a row had no demand.
 */
entity Demand : Synced {
  key series   : Integer;                // Series.ID
  key date     : Date;
  key document : String(60) default '';
      quantity : Units;
      price    : Double;
      promo    : Boolean;
}

/** Reversals whose original has not been read yet: they count on its day, once it is there. */
entity PendingReversals {
  key series   : Integer;
  key document : String(60);
      original : String(60);
      quantity : Units;
}

view PlaceableReversals as
  select from PendingReversals
  inner join Series on Series.ID = PendingReversals.series
  inner join Demand on Demand.series = PendingReversals.series
                   and Demand.document = PendingReversals.original
  {
    key PendingReversals.series, key PendingReversals.document,
    Series.source.ID as source_ID : Integer, PendingReversals.quantity, Demand.date
  };
