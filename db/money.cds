namespace restock;

using { restock.Code, restock.Sources } from './';

/** What a unit of one currency is worth in another, from a day on until the next one. */
entity ExchangeRates {
  key fromCurrency : String(3);
  key toCurrency   : String(3);
  key validFrom    : Date;
  key source       : Association to Sources;   // 0: entered by an administrator
      rate         : String(30);         // a decimal, as text exact on every database
      changedAt    : Timestamp;          // of those that were entered
      changedBy    : String(255);
}

/**
 * What an approval was worth: limits by supplier and day are held against their sum. Written in the transaction of
 * the approval, deleted in that of its cancellation, and later than a week without use.
 */
entity ApprovedValues {
  key proposal : Integer;                // Proposals.ID
      source   : Integer;                // Sources.ID
      supplier : Code;                   // empty where it is not known
      day      : Date;                   // of the approval, in UTC
      approver : String(255);
      holder   : String(255);            // whose right was used: the approver's own, or the absent person's
      apiKey   : String(20);             // the key that the approval came by
      alone    : Boolean;                // no second person had to agree
      cents    : Int64;                  // hundredths of the currency: sums of whole numbers are exact
      currency : String(3);
}

annotate ApprovedValues with @assert.unique: { ofSupplier: [source, supplier, day, proposal] };

/** Whoever approves for a supplier holds its row until the end of the transaction, so that sums do not overlap. */
entity ApprovalLocks {
  key source   : Integer;                // Sources.ID
  key supplier : Code;
      lockedAt : Timestamp;
}
