namespace restock;

using { restock.Code, restock.Money, restock.Units, restock.Sources, restock.Snapshots } from './';

/** Snapshot rows; only those of the current generation are visible, through the views below. */
entity Stock {
  key source       : Association to Sources;
  key generation   : Integer;
  key sku          : Code;
  key location     : Code;
      onHand       : Units;
      backorders   : Units;              // what the ERP books as negative stock
      inInspection : Units;
      blocked      : Units;
      inTransit    : Units;
}

/** Version 0.1 called `inInspection` so. No longer read or written: CAP drops no column on PostgreSQL. */
extend Stock with { quality : Units; }

/** Of the stock on hand, what expires. */
entity Batches {
  key source     : Association to Sources;
  key generation : Integer;
  key sku        : Code;
  key location   : Code;
  key batch      : Code;
      expiresOn  : Date;                 // the last day on which it can be sold
      quantity   : Units;
}

entity OpenOrders {
  key source     : Association to Sources;
  key generation : Integer;
  key document   : Code;
  key line       : Code;
      sku        : Code;
      location   : Code;
      quantity   : Units;
      due        : Date;
      reference  : Code;                 // what the ERP's document says it was made from
      supplier   : Code;
      orderedOn  : Date;
      unitCost   : Money;                // of a base unit; null where the ERP does not say
      currency   : String(3);            // of that; null: that of the SKU's unit cost
      draft      : String(201);          // what it was made from: a draft's number, or number/line
      confirmedOn       : Date;          // by the supplier, beside `due`, the wanted day
      confirmedQuantity : Units;         // of the quantity; null with a confirmed day: all of it
}

/** The day on which proposals first counted on an order line: one that is expected later has slipped. */
entity OrderPromises {
  key source    : Association to Sources;
  key document  : Code;
  key line      : Code;
      countedOn : Date;
}

/** What customers have ordered and not yet received, as far as it is not delivered. */
entity CustomerOrders {
  key source     : Association to Sources;
  key generation : Integer;
  key document   : Code;
  key line       : Code;
      sku        : Code;
      location   : Code;
      quantity   : Units;
      due        : Date;                 // when the customer wants it
}

/** What is promised to production, projects or cost centres, and not withdrawn yet. */
entity Reservations {
  key source     : Association to Sources;
  key generation : Integer;
  key document   : Code;
  key line       : Code;
      sku        : Code;
      location   : Code;
      quantity   : Units;
      due        : Date;                 // when it is needed
}

/** What came of purchase orders. */
entity Receipts {
  key source     : Association to Sources;
  key document   : Code;                 // the purchase order
  key receipt    : String(210);          // tells the receipts of an order apart
      line       : Code;
      sku        : Code;
      location   : Code;
      supplier   : Code;
      orderedOn  : Date;
      due        : Date;                 // as promised
      receivedOn : Date;
      quantity   : Units;                // negative: undone or sent back
      reference  : Code;
      draft      : String(201);          // as in OpenOrders
      unitCost   : Money;                // as in OpenOrders
}

/** What lies in the ERP before an order: requisitions, planned orders, requests for quotation; and contracts. */
entity Drafts {
  key source     : Association to Sources;
  key generation : Integer;
  key document   : Code;
  key line       : Code;
      kind       : String(20);           // requisition, planned_order, rfq, contract
      sku        : Code;
      location   : Code;                 // empty: a contract of all locations
      quantity   : Units;                // all that was asked for, or agreed
      ordered    : Units;                // of it, as the ERP says
      due        : Date;                 // of a contract its last day
      createdOn  : Date;                 // of a contract its first day
      supplier   : Code;
      reference  : Code;
      unitCost   : Money;                // of a contract: what a base unit costs by it
      currency   : String(3);            // of that; null: that of the SKU's unit cost
      agreedValue  : Money;              // of a contract over money, in the currency; null: it is over a quantity
      orderedValue : Money;              // of it, as the ERP says
}

annotate Drafts with @assert.unique: { ofPair: [source, generation, sku, location, document, line] };

annotate Receipts with @assert.unique: {
  byDay: [source, receivedOn, document, receipt],
  ofPair: [source, sku, location, receivedOn, document, receipt]
};

/** What a proposal's page and its decision read of one pair. */
annotate OpenOrders with @assert.unique: { ofPair: [source, generation, sku, location, document, line] };
annotate CustomerOrders with @assert.unique: { ofPair: [source, generation, sku, location, document, line] };
annotate Reservations with @assert.unique: { ofPair: [source, generation, sku, location, document, line] };

/** What receipts of the last year say about lead times: by supplier and SKU, and by supplier where `sku` is empty. */
entity LeadTimes {
  key source             : Association to Sources;
  key supplier           : Code default '';
  key sku                : Code default '';
      receipts           : Integer;      // order lines received
      days               : Double;       // median from order to receipt; null where no day of an order is known
      deviationDays      : Double;       // (P90 − P10) / 2.563
      counted            : Integer;      // lines behind the two
      delayDays          : Double;       // median from the promised day to the receipt; null where none is promised
      delayDeviationDays : Double;
      promised           : Integer;      // lines behind the two
      shareLate          : Double;       // of the lines with a promised day
      lateDays           : Double;       // median delay of the late ones
}

view CurrentStock as
  select from Stock inner join Snapshots
    on  Snapshots.source.ID = Stock.source.ID
    and Snapshots.record = 'stock'
    and Snapshots.generation = Stock.generation
  { key Stock.source.ID as source_ID : Integer, key Stock.sku, key Stock.location, Stock.onHand, Stock.backorders };

view CurrentBatches as
  select from Batches inner join Snapshots
    on  Snapshots.source.ID = Batches.source.ID
    and Snapshots.record = 'batches'
    and Snapshots.generation = Batches.generation
  {
    key Batches.source.ID as source_ID : Integer, key Batches.sku, key Batches.location, key Batches.batch,
    Batches.expiresOn, Batches.quantity
  };

view CurrentOpenOrders as
  select from OpenOrders inner join Snapshots
    on  Snapshots.source.ID = OpenOrders.source.ID
    and Snapshots.record = 'openOrders'
    and Snapshots.generation = OpenOrders.generation
  {
    key OpenOrders.source.ID as source_ID : Integer, key OpenOrders.document, key OpenOrders.line,
    OpenOrders.sku, OpenOrders.location, OpenOrders.quantity, OpenOrders.due, OpenOrders.reference,
    OpenOrders.supplier, OpenOrders.orderedOn, OpenOrders.unitCost, OpenOrders.currency, OpenOrders.draft,
    OpenOrders.confirmedOn, OpenOrders.confirmedQuantity
  };

view ExpectedOrders as
  select from CurrentOpenOrders as o left join OrderPromises as p
    on  p.source.ID = o.source_ID
    and p.document  = o.document
    and p.line      = o.line
  {
    key o.source_ID, key o.document, key o.line, o.sku, o.location, o.quantity, o.due, o.supplier,
    o.orderedOn, o.confirmedOn, o.confirmedQuantity, p.countedOn
  };

view CurrentDrafts as
  select from Drafts inner join Snapshots
    on  Snapshots.source.ID = Drafts.source.ID
    and Snapshots.record = 'drafts'
    and Snapshots.generation = Drafts.generation
  {
    key Drafts.source.ID as source_ID : Integer, key Drafts.document, key Drafts.line,
    Drafts.kind, Drafts.sku, Drafts.location, Drafts.quantity, Drafts.ordered, Drafts.due, Drafts.createdOn,
    Drafts.supplier, Drafts.reference, Drafts.unitCost,
    Drafts.currency, Drafts.agreedValue, Drafts.orderedValue
  };

view CurrentCustomerOrders as
  select from CustomerOrders inner join Snapshots
    on  Snapshots.source.ID = CustomerOrders.source.ID
    and Snapshots.record = 'customerOrders'
    and Snapshots.generation = CustomerOrders.generation
  {
    key CustomerOrders.source.ID as source_ID : Integer, key CustomerOrders.document, key CustomerOrders.line,
    CustomerOrders.sku, CustomerOrders.location, CustomerOrders.quantity, CustomerOrders.due
  };

view CurrentReservations as
  select from Reservations inner join Snapshots
    on  Snapshots.source.ID = Reservations.source.ID
    and Snapshots.record = 'reservations'
    and Snapshots.generation = Reservations.generation
  {
    key Reservations.source.ID as source_ID : Integer, key Reservations.document, key Reservations.line,
    Reservations.sku, Reservations.location, Reservations.quantity, Reservations.due
  };

view OnOrder as
  select from CurrentOpenOrders {
    key source_ID, key sku, key location, sum(quantity) as onOrder : Units
  } group by source_ID, sku, location;
