namespace restock;

using { restock.Code, restock.Codes, restock.Units, restock.Days, restock.Money, restock.Json, restock.Sources, restock.Series, restock.Chained } from './';
using { restock.ProposalStatuses, restock.Urgencies, restock.Confidences, restock.RejectionReasons, restock.Doors, restock.ProposalEventTypes, restock.MissingInputs, restock.ExceptionKinds } from './code-lists';

type ProposalStatus : String(30) enum {
  pending; approved; rejected; snoozed; superseded; expired; awaiting_second_approval; ordered; cancelled;
};

type ProposalKind : String(10) enum { purchase; transfer; };

/** Every number behind a proposed quantity; it adds up by hand (docs/guides/proposals.md). */
type Calculation {
  horizonDays      : Days;
  leadTimeDays     : Days;
  reviewPeriodDays : Days;
  p10              : Int64;
  p50              : Int64;
  p90              : Int64;
  targetQuantile   : Double;
  targetStock      : Int64;
  onHand           : Units;
  onOrder          : Units;
  openProposals    : Units;
  netRequirement   : Units;
  moq              : Units;
  lotSize          : Units;
  quantity         : Int64;          // before a buyer's edit
  drivers          : Codes;
  further          : Json;               // the terms that not every sum has, exceptions, and which rule gave a value
}

/** A proposed order line. Only srv/domain/proposals writes it; a decision is one conditional update on status and version. */
entity Proposals {
  key ID           : Integer;            // shown as prop_<ID>
      source       : Association to Sources;
      series       : Integer;            // Series.ID, a number for the run's sake
      toSeries     : Association to Series on toSeries.ID = series;
      kind         : ProposalKind default 'purchase';
      sku          : Code;
      location     : Code;
      fromLocation : Code;               // of a transfer
      supplier     : Code;
      abcClass     : String(1);          // of the pair, when its source was last calculated
      quantity     : Int64;
      unitCost     : Money;
      value        : Decimal(19, 2);
      valueAtRisk  : Decimal(19, 2);     // expected cost of waiting until the next review, less that of ordering
      currency     : String(3);
      rationale    : String(1000);
      status       : ProposalStatus default 'pending';
      toStatus     : Association to ProposalStatuses on toStatus.code = status;
      urgency      : String(30) enum { stocked_out; stockout_before_arrival; due; ahead; };
      toUrgency    : Association to Urgencies on toUrgency.code = urgency;
      urgencyRank  : Integer;            // 0 = stocked_out … 3 = ahead, 4 = ahead without a day: the sort order
      orderBy      : Date;
      calculation  : Calculation;
      confidence   : String(10);         // of the forecast over the calculation's horizon: high, medium, low
      toConfidence : Association to Confidences on toConfidence.code = confidence;
      exceptions   : Codes;
      newer        : Json;               // what a later run would propose, beside what a person has touched
      recommendation : Json;             // a decision that a key has drafted for a person: srv/domain/proposals/decide/recommend.ts
      asOf         : Date;               // the first day that its forecast is about
      createdAt    : Timestamp;
      updatedAt    : Timestamp;
      expiresAt    : Timestamp;
      snoozedUntil : Timestamp;
      version      : Integer default 1;
      formerTerms  : Json;               // the terms that people were shown at earlier versions: srv/domain/proposals/stored/terms.ts
      numbersBefore : Json;              // as they stood before the first change of its latest day of changes: srv/domain/proposals/stored/terms.ts
      touched      : Boolean default false;   // a person decided about or edited it
      decidedAt    : Timestamp;
      decidedBy    : String(255);
      firstApprover: String(255);
      reason       : String(50);
      toReason     : Association to RejectionReasons on toReason.code = reason;
      lapsed       : Boolean;            // of a rejection: what it was about has gone or changed since; null until then
      supersededBy : Integer;            // Proposals.ID
      successor    : Association to Proposals on successor.ID = supersededBy;
      firstApproverFor : String(255);    // whose right the first approver used, where it was not the own
      flag         : String(30) enum { not_seen_in_erp; not_counted; };  // approved, and no order of the ERP found in time
      handOver     : Integer;            // HandOvers.ID: the latest that took it to the ERP
      takenAt      : Timestamp;
      takenBy      : String(255);
      erpOrder     : String(255);        // the ERP's order that it became
      matchedBy    : String(20) enum { reference; likeness; };  // how that order was found
      basis        : Json;               // what the calculation was made from: srv/domain/proposals/evidence
      // One open proposal a pair and supplier: holds their key while open, null afterwards.
      openKey      : String(320);
      // No compositions: both outlive the proposal, since the audit trail covers them.
      events       : Association to many ProposalEvents on events.proposal = ID;
      decisions    : Association to many Evidence on decisions.proposal = ID;
}

/** Approved lines that somebody took for the ERP's own import. Never altered: what was given can be shown again. */
entity HandOvers {
  key ID        : Integer;               // shown as ho_<ID>
      source    : Association to Sources;
      supplier  : Code;                  // null: of all
      form      : String(30);            // of which kind of ERP
      format    : String(10);            // of the file: csv, xlsx, zip, rapidstart
      dayFormat : String(10);
      sha256    : String(64);            // of the file
      lines     : Integer;
      repeated  : Integer;               // lines that were taken before
      takenAt   : Timestamp;
      takenBy   : String(255);
      via       : String(20);
      content   : Json;                  // the tables of the file
}

entity HandOverLines {
  key handOver   : Integer;              // HandOvers.ID
      toHandOver : Association to HandOvers on toHandOver.ID = handOver;
  key proposal   : Integer;              // Proposals.ID
      toProposal : Association to Proposals on toProposal.ID = proposal;
      version    : Integer;              // of the proposal as it was taken
      sku        : Code;
      location   : Code;
      supplier   : Code;
      quantity   : Int64;
      orderQuantity : String(30);        // in order units, an exact decimal
      orderUnit  : String(20);
      orderPrice : Decimal(19, 6);       // of one order unit
      currency   : String(3);
      wantedOn   : Date;
}

// The ways to what was taken of a source, and to where a proposal was taken.
annotate HandOvers with @assert.unique: { ofSource: [source, ID] };
annotate HandOverLines with @assert.unique: { ofProposal: [proposal, handOver] };

// The first is a rule. The others are ways to find: the proposals of a pair, and a list in each of its orders.
// What the list by urgency is filtered and searched by stands in its key, so that counts read no row; likewise what is
// summed of suppliers' orders and of today's work in the key by supplier. The last two are for the counts of a month.
annotate Proposals with @assert.unique: {
  open: [openKey], bySeries: [series, status, ID],
  bySupplier: [status, supplier, source, location, currency, orderBy, urgency, kind, value, valueAtRisk, sku, ID],
  ofStatus: [status, ID], byUrgency: [status, urgencyRank, orderBy, ID, sku, location, supplier],
  byValue: [status, value, ID], byRisk: [status, valueAtRisk, ID],
  allByUrgency: [urgencyRank, orderBy, ID], allByValue: [value, ID], allByRisk: [valueAtRisk, ID],
  byCreation: [source, createdAt, ID], byDecision: [source, decidedAt, status, ID]
};

/** What happened to a proposal, oldest first. Written in the transaction of the change, never altered. */
entity ProposalEvents : Chained {
  key ID         : UUID;
      proposal   : Integer;              // Proposals.ID
      toProposal : Association to Proposals on toProposal.ID = proposal;
      version    : Integer;
      at         : Timestamp;
      actor      : String(255);
      onBehalfOf : String(255);          // whose right the actor used, by delegation
      via        : String(20);
      toVia      : Association to Doors on toVia.code = via;
      event      : String(30);
      toEvent    : Association to ProposalEventTypes on toEvent.code = event;
      quantity   : Int64;
      comment    : String(1000);
      evidence   : String(64);           // SHA-256 of the evidence's content, hex; null where there is none
}

/** What a decision was made from, complete in itself. Written in its transaction, never altered. */
entity Evidence {
  key event    : UUID;                   // ProposalEvents.ID
      toEvent  : Association to ProposalEvents on toEvent.ID = event;
      proposal : Integer;                // Proposals.ID
      toProposal : Association to Proposals on toProposal.ID = proposal;
      version  : Integer;
      content  : Json;
}

annotate Evidence with @assert.unique: { version: [proposal, version] };

/** Pairs that cannot be proposed, and what is missing. */
entity BlockedPairs {
  key series   : Integer;                // Series.ID
      toSeries : Association to Series on toSeries.ID = series;
  key missing  : String(30) enum { lead_time; stock; open_orders; supplier; unit_conversion; cost; led_by_another_source; };
      toMissing : Association to MissingInputs on toMissing.code = missing;
      source   : Association to Sources;
      sku      : Code;
      location : Code;
      reason   : String(500);
      ledBy    : Integer;                // Sources.ID, where another source leads the pair
      facts    : Json;                   // what the reason says, for another language; null where its kind has one text
}

/** What no order can mend, as the newest calculation of its pair found it. Gone as soon as it holds no longer. */
entity Exceptions {
  key ID         : Integer;              // shown as exc_<ID>
      source     : Association to Sources;
      series     : Integer;              // Series.ID; null where it is about a whole supplier or source
      toSeries   : Association to Series on toSeries.ID = series;
      kind       : String(30) enum {
        expedite; postpone; cancel_order; overdue_order; overstock; dead_stock; stale_data; rule_conflict; no_history;
        unmatched_approval; order_differs; expiring_stock; slipped_order; short_confirmation; unconfirmed_order;
      };
      toKind     : Association to ExceptionKinds on toKind.code = kind;
      sku        : Code;
      location   : Code;
      supplier   : Code;
      document   : String(210) default '';   // the ERP's order with its line; empty where it is about no order
      quantity   : Units;
      promisedOn : Date;                 // the day on which the order is due
      wantedOn   : Date;                 // the day on which it is needed
      value      : Decimal(19, 2);       // quantity times unit cost
      valueAtRisk : Decimal(19, 2);      // expected cost of what is late or lacks; null where it is about neither
      currency   : String(3);
      message    : String(500);
      facts      : Json;                 // what the message says, for another language; null where its kind has one text
      createdAt  : Timestamp;
      updatedAt  : Timestamp;
      settledAt  : Timestamp;            // null while nobody has settled it
      settledBy  : String(255);
      settledQuantity : Units;           // the quantity that was settled: half as much again opens it anew
      comment    : String(1000);
}

// The first is a rule; the second is the way to those that are open, newest first.
annotate Exceptions with @assert.unique: { ofPair: [series, kind, document], ofState: [settledAt, ID] };

// The first is a rule; the second is the way to what happened to a proposal.
annotate ProposalEvents with @assert.unique: { place: [seq], ofProposal: [proposal, version, ID] };

// What people call it, in every app.
annotate Proposals with {
  sku              @title: '{i18n>sku}';
  location         @title: '{i18n>location}';
  supplier         @title: '{i18n>supplier}';
  status           @title: '{i18n>status}' @Common: { Text: toStatus.name, TextArrangement: #TextOnly };
  urgency          @title: '{i18n>urgency}' @Common: { Text: toUrgency.name, TextArrangement: #TextOnly };
  urgencyRank      @title: '{i18n>urgencyRank}';
  orderBy          @title: '{i18n>orderBy}';
  quantity         @title: '{i18n>quantity}';
  value            @title: '{i18n>value}' @Measures.ISOCurrency: currency;
  valueAtRisk      @title: '{i18n>valueAtRisk}' @Measures.ISOCurrency: currency;
  unitCost         @title: '{i18n>unitCost}' @Measures.ISOCurrency: currency;
  currency         @title: '{i18n>currency}';
  confidence       @title: '{i18n>confidence}' @Common: { Text: toConfidence.name, TextArrangement: #TextOnly };
  exceptions       @title: '{i18n>exceptions}';
  rationale        @title: '{i18n>rationale}';
  reason           @title: '{i18n>reason}' @Common: { Text: toReason.name, TextArrangement: #TextOnly };
  newer            @title: '{i18n>newer}';
  recommendation   @title: '{i18n>recommendation}';
  createdAt        @title: '{i18n>createdAt}';
  updatedAt        @title: '{i18n>updatedAt}';
  expiresAt        @title: '{i18n>expiresAt}';
  snoozedUntil     @title: '{i18n>snoozedUntil}';
  decidedAt        @title: '{i18n>decidedAt}';
  decidedBy        @title: '{i18n>decidedBy}';
  firstApprover    @title: '{i18n>firstApprover}';
  flag             @title: '{i18n>flag}';
  handOver         @title: '{i18n>handOver}';
  takenAt          @title: '{i18n>takenAt}';
  takenBy          @title: '{i18n>takenBy}';
  erpOrder         @title: '{i18n>erpOrder}';
};

annotate Exceptions with {
  kind       @title: '{i18n>exceptionKind}' @Common: { Text: toKind.name, TextArrangement: #TextOnly };
  sku        @title: '{i18n>sku}';
  location   @title: '{i18n>location}';
  supplier   @title: '{i18n>supplier}';
  document   @title: '{i18n>exceptionDocument}';
  quantity   @title: '{i18n>quantity}';
  promisedOn @title: '{i18n>promisedOn}';
  wantedOn   @title: '{i18n>wantedOn}';
  value      @title: '{i18n>value}' @Measures.ISOCurrency: currency;
  valueAtRisk @title: '{i18n>valueAtRisk}' @Measures.ISOCurrency: currency;
  currency   @title: '{i18n>currency}';
  message    @title: '{i18n>exceptionMessage}';
  createdAt  @title: '{i18n>createdAt}';
  updatedAt  @title: '{i18n>updatedAt}';
  settledAt  @title: '{i18n>settledAt}';
  settledBy  @title: '{i18n>settledBy}';
  comment    @title: '{i18n>comment}';
};

annotate Calculation with {
  onHand           @title: '{i18n>onHand}';
  onOrder          @title: '{i18n>onOrder}';
  openProposals    @title: '{i18n>openProposals}';
  p10              @title: '{i18n>p10}';
  p50              @title: '{i18n>p50}';
  p90              @title: '{i18n>p90}';
  horizonDays      @title: '{i18n>horizonDays}';
  leadTimeDays     @title: '{i18n>leadTimeDays}';
  reviewPeriodDays @title: '{i18n>reviewPeriodDays}';
  targetStock      @title: '{i18n>targetStock}';
  netRequirement   @title: '{i18n>netRequirement}';
  moq              @title: '{i18n>moq}';
  lotSize          @title: '{i18n>lotSize}';
  drivers          @title: '{i18n>drivers}';
};

annotate ProposalEvents with {
  at               @title: '{i18n>at}';
  event            @title: '{i18n>event}' @Common: { Text: toEvent.name, TextArrangement: #TextOnly };
  actor            @title: '{i18n>actor}';
  onBehalfOf       @title: '{i18n>onBehalfOf}';
  via              @title: '{i18n>via}' @Common: { Text: toVia.name, TextArrangement: #TextOnly };
  quantity         @title: '{i18n>quantity}';
  comment          @title: '{i18n>comment}';
};
