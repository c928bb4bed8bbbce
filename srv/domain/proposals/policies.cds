// Rules of how pairs are replenished.
using { ProposalsService } from './proposals-service';

extend service ProposalsService with {
  /** A rule of one's own about how pairs are replenished; null says nothing. */
  type PolicyRule {
    level     : String;
    skuGroup  : String;
    supplier  : String;
    sku       : String;
    location  : String;
    reviewPeriodDays         : Integer;
    stockoutCostShare        : Double;
    carryingCostSharePerYear : Double;
    targetQuantile           : Double;
    leadTimeDays             : Integer;
    leadTimeDeviationDays    : Double;
    moq                      : Double;
    lotSize                  : Double;
    maximumOrder             : Double;
    maximumStock             : Double;
    shelfLifeDays            : Integer;
    priceBreaks              : array of {
      fromQuantity : Double;
      unitCost     : String;
    };
    minimumOrderValue        : String;
    minimumOrderQuantity     : Double;
    freeFreightFrom          : String;
    freightCost              : String;
    ordersByLocation         : Boolean;
    containerUnits           : Double;
    orderDays                : array of Integer;
    /** Of the answer to setPolicy: which of its names no source has. */
    unknown   : array of String;
  }

  type PolicyFilter {
    level    : String;
    skuGroup : String;
    supplier : String;
    sku      : String;
    location : String;
  }

  type PolicyPage {
    data : array of PolicyRule;
    next : String;
  }

  /** What a supplier asks of an order as a whole; null says nothing. */
  type SupplierOrderTerms {
    supplier         : String not null;
    location         : String;           // whose order; null: of all that are not named
    byLocation       : Boolean not null; // of each of those by itself, instead of all of them together
    minimumValue     : Double;
    minimumQuantity  : Double;
    containerUnits   : Double;
    freeFreightFrom  : Double;
    freightCost      : Double;
  }

  function supplierTerms(source : Integer, suppliers : array of String) returns array of SupplierOrderTerms;

  function policies(filter : PolicyFilter, after : String, limit : Integer) returns PolicyPage;
  /** Sets a rule in place of what it said before, and recomputes what it concerns in the background. */
  action setPolicy(rule : PolicyRule) returns PolicyRule;
  action removePolicy(rule : PolicyFilter);
  /** In the background, what a changed forecast concerns; an empty name selects all. */
  action recompute(sku : String, location : String, skuGroup : String);
}
