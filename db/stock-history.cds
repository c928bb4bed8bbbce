namespace restock;

using { restock.Series, restock.Sources, restock.Snapshots, restock.Stock, restock.Units } from './';

/**
 * Days on which a pair was out of stock, as the reads of stock found it; a pair that never was has no row.
 * Days in between, on which stock was read, had stock.
 */
entity Stockouts {
  key series   : Integer;                // Series.ID
      toSeries : Association to Series on toSeries.ID = series;
  key firstDay : Date;
      lastDay  : Date;                   // null until stock is seen again
}

/** Days on which a source's stock was read. */
entity StockDays {
  key source : Association to Sources;
  key day    : Date;
}

/** Stock by the number of the pair's series. */
view SeriesStock as
  select from Series
  inner join Snapshots on Snapshots.source.ID = Series.source.ID and Snapshots.record = 'stock'
  inner join Stock     on Stock.source.ID = Series.source.ID and Stock.generation = Snapshots.generation
                      and Stock.sku = Series.sku and Stock.location = Series.location
  { key Series.ID, Series.source.ID as source_ID : Integer, Stock.onHand };
