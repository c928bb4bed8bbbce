namespace restock;

using { restock.Series, restock.Forecasts, restock.Snapshots, restock.Stock, restock.OnOrder, restock.Planning, restock.Skus } from './';

/**
 * What decides about a proposal besides orders of suppliers and customers, a row a pair; null where the ERP does not say.
 * Every join is one by a key, so that a chunk of pairs costs its own rows and no others.
 */
view PairPlanning as
  select from Series
  left join Forecasts on Forecasts.series = Series.ID
  left join Snapshots on Snapshots.source.ID = Series.source.ID and Snapshots.record = 'stock'
  left join Stock     on Stock.source.ID = Series.source.ID and Stock.generation = Snapshots.generation
                     and Stock.sku = Series.sku and Stock.location = Series.location
  left join Planning  on Planning.source.ID = Series.source.ID
                     and Planning.sku = Series.sku and Planning.location = Series.location
  left join Skus      on Skus.source.ID = Series.source.ID and Skus.sku = Series.sku
  {
    key Series.ID,
    Series.source.ID as source_ID : Integer,
    Series.sku,
    Series.location,
    Series.ledBy,
    Series.abcClass,
    Forecasts.engineVersion,
    Forecasts.model,
    Stock.onHand,
    Stock.backorders,
    Stock.inInspection,
    Planning.leadTimeDays,
    Planning.reviewPeriodDays,
    Planning.moq,
    Planning.lotSize,
    Skus.skuGroup,
    coalesce(Planning.phaseOutOn, Skus.phaseOutOn) as phaseOutOn : Date,
    coalesce(Planning.supplier, Skus.supplier) as supplier : restock.Code,
    coalesce(Planning.unitCost, Skus.unitCost) as unitCost : restock.Money,
    case when Planning.purchasable = false or Skus.purchasable = false then false else true end as purchasable : Boolean,
    case when Planning.unitCost is not null then coalesce(Planning.currency, Skus.currency) else coalesce(Skus.currency, Planning.currency) end as currency : String(3)
  };

/** The same with the sum of the open orders. */
view PairInputs as
  select from PairPlanning
  left join OnOrder on OnOrder.source_ID = PairPlanning.source_ID
                   and OnOrder.sku = PairPlanning.sku and OnOrder.location = PairPlanning.location
  {
    key PairPlanning.ID,
    PairPlanning.source_ID,
    PairPlanning.sku,
    PairPlanning.location,
    PairPlanning.engineVersion,
    PairPlanning.model,
    PairPlanning.onHand,
    OnOrder.onOrder,
    PairPlanning.leadTimeDays,
    PairPlanning.reviewPeriodDays,
    PairPlanning.moq,
    PairPlanning.lotSize,
    PairPlanning.skuGroup,
    PairPlanning.supplier,
    PairPlanning.unitCost,
    PairPlanning.purchasable,
    PairPlanning.currency
  };

/** What is on hand with its unit cost, a row a pair that a source counts and no other source leads. */
@singular: 'StockWorth'
view StockWorths as
  select from Snapshots
  inner join Stock    on Stock.source.ID = Snapshots.source.ID and Stock.generation = Snapshots.generation
  left join Series    on Series.source.ID = Stock.source.ID
                     and Series.sku = Stock.sku and Series.location = Stock.location
  left join Planning  on Planning.source.ID = Stock.source.ID
                     and Planning.sku = Stock.sku and Planning.location = Stock.location
  left join Skus      on Skus.source.ID = Stock.source.ID and Skus.sku = Stock.sku
  {
    key Stock.source.ID as source_ID : Integer,
    key Stock.sku,
    key Stock.location,
    Stock.onHand,
    coalesce(Planning.unitCost, Skus.unitCost) as unitCost : restock.Money,
    case when coalesce(Planning.unitCost, Skus.unitCost) is null then false else true end as isCosted : Boolean,
    case when Planning.unitCost is not null then coalesce(Planning.currency, Skus.currency) else coalesce(Skus.currency, Planning.currency) end as currency : String(3)
  }
  where Snapshots.record = 'stock' and Series.ledBy is null;

/** Pairs that another SKU is asked for instead of, from a day on. */
@singular: 'Succession'
view Successions as
  select from Series
  left join Skus     on Skus.source.ID = Series.source.ID and Skus.sku = Series.sku
  left join Planning on Planning.source.ID = Series.source.ID
                    and Planning.sku = Series.sku and Planning.location = Series.location
  left join Skus as Successors
                     on Successors.source.ID = Series.source.ID
                    and Successors.sku = coalesce(Planning.successor, Skus.successor)
  {
    key Series.ID,
    Series.source.ID as source_ID : Integer,
    Series.sku,
    Series.location,
    coalesce(Planning.phaseOutOn, Skus.phaseOutOn) as phaseOutOn : Date,
    coalesce(Planning.successor, Skus.successor) as successor : restock.Code,
    Skus.unit,
    Successors.unit as successorUnit : String(20)
  }
  where coalesce(Planning.successor, Skus.successor) != Series.sku;

/** What the ERP plans to buy and nobody has asked for yet. */
@singular: 'PairWithoutHistory'
view PairsWithoutHistory as
  select from Planning
  left join Series    on Series.source.ID = Planning.source.ID
                     and Series.sku = Planning.sku and Series.location = Planning.location
  left join Skus      on Skus.source.ID = Planning.source.ID and Skus.sku = Planning.sku
  left join Snapshots on Snapshots.source.ID = Planning.source.ID and Snapshots.record = 'stock'
  left join Stock     on Stock.source.ID = Planning.source.ID and Stock.generation = Snapshots.generation
                     and Stock.sku = Planning.sku and Stock.location = Planning.location
  {
    key Planning.source.ID as source_ID : Integer,
    key Planning.sku,
    key Planning.location,
    Planning.leadTimeDays,
    Skus.skuGroup,
    coalesce(Planning.phaseOutOn, Skus.phaseOutOn) as phaseOutOn : Date,
    coalesce(Planning.supplier, Skus.supplier) as supplier : restock.Code,
    Stock.onHand,
    Planning.addedAt
  }
  where Series.ID is null
    and (Planning.purchasable is null or Planning.purchasable = true)
    and (Skus.purchasable is null or Skus.purchasable = true);

/** The same where the ERP plans nothing by location: SKUs that nobody has asked for yet, where they lie. */
@singular: 'SkuWithoutHistory'
view SkusWithoutHistory as
  select from Skus
  left join Series    on Series.source.ID = Skus.source.ID and Series.sku = Skus.sku
  left join Snapshots on Snapshots.source.ID = Skus.source.ID and Snapshots.record = 'stock'
  left join Stock     on Stock.source.ID = Skus.source.ID and Stock.generation = Snapshots.generation
                     and Stock.sku = Skus.sku
  {
    key Skus.source.ID as source_ID : Integer,
    key Skus.sku,
    key coalesce(Stock.location, '') as location : restock.Code,
    cast(null as Integer) as leadTimeDays : restock.Days,
    Skus.skuGroup,
    Skus.phaseOutOn,
    Skus.supplier,
    Stock.onHand,
    Skus.addedAt
  }
  where Series.ID is null and (Skus.purchasable is null or Skus.purchasable = true);
