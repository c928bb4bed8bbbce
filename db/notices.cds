namespace restock;

using { restock.Proposals } from './proposals';

/** What somebody is told of a proposal: a colleague asks, passes it on, or nobody decided it in time. */
entity Notices {
  key ID       : String(64);
      user     : String(255);            // who is told
      kind     : String(20) enum { asked; passed_on; escalated; };
      proposal : Integer;                // Proposals.ID
      toProposal : Association to Proposals on toProposal.ID = proposal;
      fromUser : String(255);            // who asks or passes on; of an escalated line who is responsible
      at       : Timestamp;
      text     : String(1000);
      doneAt   : Timestamp;              // when the one who is told answered; null until then
      mailedAt : Timestamp;
}

annotate Notices with @assert.unique: { ofUser: [user, doneAt, proposal, ID], ofProposal: [proposal, kind, ID] };
