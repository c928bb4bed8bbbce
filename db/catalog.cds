namespace restock;

using { restock.Code, restock.Days, restock.Money, restock.Sources } from './';

entity Skus {
  key source   : Association to Sources;
  key sku      : Code;
      identity : String(60);         // what the ERP knows it by whatever its code is; null: by its code
      name     : String(200);
      unit     : String(20);
      supplier : Code;
      unitCost : Money;
      currency : String(3);
      skuGroup : Code;               // what SKUs are planned alike by, where the ERP has it
      purchasable : Boolean;         // false: flagged for deletion; null means true
      phaseOutOn : Date;             // the first day without demand; null: none is known
      successor : Code;              // the SKU that is asked for instead from then on
      addedAt  : Timestamp;          // when it was first read
}

entity Suppliers {
  key source   : Association to Sources;
  key supplier : Code;
      name     : String(200);
}

entity Locations {
  key source   : Association to Sources;
  key location : Code;
      name     : String(200);
      country  : String(2);          // ISO 3166-1: whose public holidays hold, unless the calendar says otherwise
      region   : String(20);
      timeZone : String(60);         // IANA: in which its days begin and end; null where the ERP does not say
}

/** How a pair is replenished, as the ERP has it; null where it does not say. */
entity Planning {
  key source           : Association to Sources;
  key sku              : Code;
  key location         : Code;
      leadTimeDays     : Days;
      reviewPeriodDays : Days;
      moq              : restock.Units;
      lotSize          : restock.Units;
      supplier         : Code;
      unitCost         : Money;
      currency         : String(3);
      orderUnit        : String(20); // in which the supplier takes orders
      unitsPerOrderUnit: restock.Units;
      orderPrice       : Money;      // of one order unit
      supplierSku      : Code;       // the supplier's own number of the SKU
      purchasable      : Boolean;    // false: made in house; null means true
      phaseOutOn       : Date;       // at this location, instead of the SKU's own
      successor        : Code;       // likewise
      addedAt          : Timestamp;  // when it was first read
}

/** What a unit costs in orders from a quantity on; without location or supplier for all. In the currency of the unit cost. */
entity PriceBreaks {
  key source       : Association to Sources;
  key sku          : Code;
  key location     : Code default '';
  key supplier     : Code default '';
  key fromQuantity : restock.Units;
      unitCost     : Money;
}

/** What a supplier asks of an order, of all locations together or of one; in the currency of its lines. */
@singular: 'TermsOfSupplier'
entity SupplierTerms {
  key source               : Association to Sources;
  key supplier             : Code;
  key location             : Code default '';
      minimumOrderValue    : Money;
      minimumOrderQuantity : restock.Units;
      freeFreightFrom      : Money;        // the supplier bears the freight from there on
      freightCost          : Money;        // what an order below costs
      orderCost            : Money;        // what an order costs, whatever its lines
      ordersByLocation     : Boolean;      // true: each location's order by itself must reach it
}

/** When a supplier does no work, or a location receives nothing: all days of a period, its days of rest, or its public holidays. */
entity Closures {
  key source    : Association to Sources;   // 0: entered by an administrator, for all sources
  key supplier  : Code default '';
  key location  : Code default '';
  key firstDay  : Date;
  key restDays  : String(6) default '';     // weekdays, 1 Monday to 7 Sunday, ascending
  key country   : String(2) default '';     // ISO 3166-1
      lastDay   : Date;
      region    : String(20);
      reason    : String(200);
}
