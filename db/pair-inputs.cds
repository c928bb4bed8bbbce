namespace restock;

using { restock.Series, restock.Forecasts, restock.CurrentStock, restock.OnOrder, restock.Planning, restock.Skus } from './';

/** Everything that decides about a proposal, a row a pair; null where the ERP does not say. */
view PairInputs as
  select from Series
  left join Forecasts    on Forecasts.series = Series.ID
  left join CurrentStock on CurrentStock.source_ID = Series.source.ID
                        and CurrentStock.sku = Series.sku and CurrentStock.location = Series.location
  left join OnOrder      on OnOrder.source_ID = Series.source.ID
                        and OnOrder.sku = Series.sku and OnOrder.location = Series.location
  left join Planning     on Planning.source.ID = Series.source.ID
                        and Planning.sku = Series.sku and Planning.location = Series.location
  left join Skus         on Skus.source.ID = Series.source.ID and Skus.sku = Series.sku
  {
    key Series.ID,
    Series.source.ID as source_ID : Integer,
    Series.sku,
    Series.location,
    Forecasts.engineVersion,
    Forecasts.model,
    CurrentStock.onHand,
    OnOrder.onOrder,
    Planning.leadTimeDays,
    Planning.reviewPeriodDays,
    Planning.moq,
    Planning.lotSize,
    coalesce(Planning.supplier, Skus.supplier) as supplier : restock.Code,
    coalesce(Planning.unitCost, Skus.unitCost) as unitCost : restock.Money,
    case when Planning.purchasable = false or Skus.purchasable = false then false else true end as purchasable : Boolean,
    case when Planning.unitCost is not null then Planning.currency else Skus.currency end as currency : String(3)
  };
