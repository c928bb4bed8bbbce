using { ProposalsService } from './proposals-service';

// What is given with a decision, whichever door it comes through; anything else is `invalid_parameter`. What the
// proposal must satisfy (its status: flows.cds) is checked when it is locked.
annotate ProposalsService.Proposals with actions {
  approve(
    quantity @assert.format: '^[1-9][0-9]{0,14}$'  @assert.format.message: 'quantity_invalid'
  );
  decline(
    reason @assert.range  @assert.enum.message: 'reason_invalid'
  );
  snooze(
    until @mandatory  @mandatory.message: 'until_invalid'  @restock.future: 'until_invalid'  // our own: CAP knows no later than now
  );
  cancel(
    reason @mandatory  @mandatory.message: 'reason_invalid'  @assert.range  @assert.enum.message: 'reason_invalid'
  );
};
