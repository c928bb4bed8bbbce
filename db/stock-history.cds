namespace restock;

using { restock.Code, restock.Json, restock.Series, restock.Sources, restock.Snapshots, restock.Stock } from './';

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

/** Days on which a source's stock was read, or of which the ERP reports it. */
entity StockDays {
  key source   : Association to Sources;
  key day      : Date;
      reported : Boolean default false;
}

/** Stockouts before the first sync, where the ERP tells of them. */
entity StockHistories {
  key source    : Association to Sources;
  key sku       : Code;
  key location  : Code;
      stockouts : Json;                  // first and last day of each, in days since 1970
}

view SeriesStockHistory as
  select from Series
  inner join StockHistories on StockHistories.source.ID = Series.source.ID
                           and StockHistories.sku = Series.sku and StockHistories.location = Series.location
  { key Series.ID, StockHistories.stockouts };

/** Stock by the number of the pair's series. */
view SeriesStock as
  select from Series
  inner join Snapshots on Snapshots.source.ID = Series.source.ID and Snapshots.record = 'stock'
  inner join Stock     on Stock.source.ID = Series.source.ID and Stock.generation = Snapshots.generation
                      and Stock.sku = Series.sku and Stock.location = Series.location
  { key Series.ID, Series.source.ID as source_ID : Integer, Stock.onHand };
