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

/** How many SKUs sold at a location on a day: tells a closed day from a day of no demand. */
view LocationDays as
  select from Demand inner join Series on Series.ID = Demand.series {
    key Series.source.ID as source_ID : Integer, key Series.location, key Demand.date,
    count(*) as skus : Integer
  }
  where Demand.quantity > 0
  group by Series.source.ID, Series.location, Demand.date;

view SeriesTotals as
  select from Demand inner join Series on Series.ID = Demand.series {
    key Series.ID, Series.source.ID as source_ID : Integer, Series.location,
    sum(Demand.quantity) as units : restock.Units,
    min(Demand.date) as first : Date
  }
  group by Series.ID, Series.source.ID, Series.location;
