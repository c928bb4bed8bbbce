// What a proposal and the decisions about it were made from.
using { restock } from '../../../db';
using { ProposalsService } from './proposals-service';

extend service ProposalsService with {
  /** A step of the sum: what it is called, what was put in, what came out. */
  type FormulaLine {
    term    : String not null;
    formula : String not null;
    value   : Double not null;
  }

  /** All that a decision was made from, as it was kept; complete in itself. */
  type KeptEvidence {
    formula       : Integer not null;    // which form of the sum it follows
    proposal      : Integer not null;
    version       : Integer not null;
    event         : String not null;
    at            : Timestamp not null;
    ![by]         : String not null;
    onBehalfOf    : String;
    via           : String not null;
    ![key]        : String;              // the API key that it came by
    ![from]       : String not null;     // the status before
    sku           : String not null;
    location      : String not null;
    supplier      : String;
    quantity      : Integer64 not null;  // what was decided about, after a buyer's edit
    unitCost      : String;
    value         : String;
    currency      : String;
    urgency       : String not null;
    reason        : String;
    comment       : String;
    basis         : Map;                 // of the calculation; null where it was made before this was kept
    calculation   : restock.Calculation not null;
    engineVersion : String not null;     // of the service at the moment of the decision
  }

  /** A decision with its sum done again from what was kept. */
  type DecisionEvidence : KeptEvidence {
    lines            : array of FormulaLine not null;
    replayedQuantity : Double not null;
  }

  type Evidence {
    proposal  : ProposalsService.Proposal not null;
    basis     : Map;
    lines     : array of FormulaLine not null;
    decisions : array of DecisionEvidence not null;
  }

  /** The sum behind a proposal line by line, and each decision about it with its sum of then. */
  function evidence(ID : Integer) returns Evidence;
}
