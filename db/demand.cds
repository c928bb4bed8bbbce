namespace restock;

using { restock.Code, restock.Integers, restock.Units, restock.Sources } from './';

/** `seenIn` is the read that last saw the row: a whole one deletes what it did not see. */
aspect Synced {
  seenIn : Integer;
}

/** A SKU at a location: the natural key once, a small number in every demand row. */
entity Series {
  key ID       : Integer;
      source   : Association to Sources;
      sku      : Code;
      location : Code;
      dirty    : Boolean default true;   // demand changed since the last forecast
      dueForProposal : Boolean default true;   // what decides about it changed since its last calculation
      ledBy    : Integer;                // Sources.ID that leads this pair, which is then neither forecast nor proposed here; null for none
      predecessors : Integers;           // the series whose demand counts as its own; null for none
      endings      : Integers;           // from when on it is asked for instead of each of them: days since 1970-01-01
      takesOverOn  : Date;               // the first of these days
      abcClass     : String(1);          // by the value of its demand of the past year; null: not bought here, or without a cost
}

annotate Series with @assert.unique: { pair: [sku, location, source] };

/**
 * Demand in base units. Where the ERP has documents a row is one of their lines (returns and reversals
 * negative), and a day's demand is the sum of its rows; elsewhere a row is a whole day, and `document`
 * is empty. A day without a row had no demand.
 *
 * Documents come by day and are read by series: a block of neighbouring series is one stretch of the
 * table in the order of days, so that both touch few pages (docs/decisions/0006).
 */
entity DemandRows : Synced {
  key block    : Integer;                // of neighbouring series, srv/base/database/native
  key date     : Date;
  key series   : Integer;                // Series.ID: a number in millions of rows
      toSeries : Association to Series on toSeries.ID = series;
  key document : String(60) default '';
      quantity : Units;
      price    : Double;
      promo    : Boolean;
}

/** Reversals whose original was not read with them: they count on its day, once it is found. */
entity OpenReversals : Synced {
  key source   : Association to Sources;
  key document : String(60);
      original : String(60);
      series   : Integer;                // Series.ID
      toSeries : Association to Series on toSeries.ID = series;
      quantity : Units;
}
