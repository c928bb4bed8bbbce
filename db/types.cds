namespace restock;

type Code    : String(100);      // identifier as the ERP spells it: leading zeros and case kept
type Units   : Double;           // quantity in the SKU's base unit
type Days    : Integer;
type Money   : Decimal(19, 4);   // in the currency beside it
type Codes   : many String(100);  // in JSON, as all lists are stored
type Integers : many Integer;
type Json    : LargeString;      // a JSON document that only one module reads and writes
