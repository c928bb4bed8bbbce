namespace restock;

using { restock.Code, restock.Days, restock.Money, restock.Sources } from './';

entity Skus {
  key source   : Association to Sources;
  key sku      : Code;
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
      purchasable      : Boolean;    // false: made in house; null means true
      phaseOutOn       : Date;       // at this location, instead of the SKU's own
      successor        : Code;       // likewise
      addedAt          : Timestamp;  // when it was first read
}
