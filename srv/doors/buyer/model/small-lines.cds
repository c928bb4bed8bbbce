// Lines with which waiting costs less than a line is worth, a row a supplier.
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  @readonly @cds.persistence.skip
  entity SmallLines {
    key ID           : String(300);      // of source, supplier and currency
        source       : Integer;
        supplier     : String(100);
        supplierText : String(350);
        currency     : String(3);
        lines        : Integer;
        value        : Decimal(19, 2);
        valueAtRisk  : Decimal(19, 2);   // what waiting with all of them costs
        orderHref    : String(1000);     // the supplier's order in the app, from # on
  }
}
