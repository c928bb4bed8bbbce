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

/** Demand by day, in base units; a day without a row had none. */
entity Demand : Synced {
  key series   : Integer;                // Series.ID
  key date     : Date;
      quantity : Units;
      price    : Double;
      promo    : Boolean;
}
