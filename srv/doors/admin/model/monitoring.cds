// Change log, forecast quality and health.
using { restock } from '../../../../db';
using { AdminService } from '../admin-service';

extend service AdminService with {
  /** Administrative changes. */
  @readonly
  entity AuditLog as select from restock.AuditLog {
    key ID, at, actor, via, action, toAction, object, detail, virtual null as detailText : String(4000), seq,
    toVia : Association to restock.Doors on toVia.code = $self.via
  };

  /** Forecasts of a source: their number, their confidence by a sample, and their measured quality. */
  @readonly @cds.persistence.skip
  entity ForecastQuality : QualityFigures {
    key source        : Integer;
        number        : String(20);
        account       : String(500);
        asOf          : Date;
        engineVersion : String(20);
        series        : Integer;
        forecasts     : Integer;
        waiting       : Integer;         // series whose demand has changed since their forecast
        windows       : Integer;         // past windows from which the weights of the methods were learnt
        sampled       : Integer;         // forecasts in the sample of the shares below
        highShare     : Decimal(5, 1);   // percent of the sample, by confidence
        mediumShare   : Decimal(5, 1);
        lowShare      : Decimal(5, 1);
        kind          : String(10);      // given or replayed: the forecasts that the figures measure
        kindText      : String(100);
        period        : String(50);      // the latest three months in which windows ended
        isUnmeasured  : Boolean;         // no window has ended yet
        byMonth       : Association to many QualityParts on byMonth.source = source and byMonth.part = 'month';
        byClass       : Association to many QualityParts on byClass.source = source and byClass.part = 'class';
        byConfidence  : Association to many QualityParts on byConfidence.source = source and byConfidence.part = 'confidence';
        byGroup       : Association to many QualityGroups on byGroup.source = source and byGroup.part = 'group';
        bySupplier    : Association to many QualityGroups on bySupplier.source = source and bySupplier.part = 'supplier';
        byLocation    : Association to many QualityGroups on byLocation.source = source and byLocation.part = 'location';
        byPattern     : Association to many QualityGroups on byPattern.source = source and byPattern.part = 'pattern';
        byAbc         : Association to many QualityGroups on byAbc.source = source and byAbc.part = 'abc';
        byXyz         : Association to many QualityGroups on byXyz.source = source and byXyz.part = 'xyz';
        worst         : Association to many QualityWorst on worst.source = source;
  }

  /** How far forecasts were off, of the latest year; null where that is not known. */
  aspect PairFigures {
    cases              : Integer;
    bias               : Decimal(9, 1);  // (sum of P50 − demand) / demand, in percent
    weightedLoss       : Decimal(9, 1);  // 2 × pinball loss of P10, P50 and P90 / demand, in percent
    toNaive            : Decimal(9, 1);  // loss over that of repeating the last season − 1, in percent: below 0 is better
    toNaiveError       : Decimal(9, 1);  // its standard error
    toNaiveCriticality : Integer;
    erpCases           : Integer;        // periods that the ERP forecast too
    toErp              : Decimal(9, 1);  // how far P50 was off in them over how far the ERP was − 1, in percent
    erpBias            : Decimal(9, 1);
    error              : Double;         // |demand − P50| of each window, added up
    money              : Decimal(19, 2); // the same at the unit cost
    currency           : String(3);
  }

  /** By group, supplier, location, pattern of demand, ABC (share of the value of demand) and XYZ (its variation). */
  @readonly @cds.persistence.skip
  entity QualityGroups : PairFigures {
    key source   : Integer;
    key part     : String(10);
    key code     : String(100);          // empty where the pairs have none
        text     : String(300);
        pairs    : Integer;
        position : Integer;
  }

  /** The twenty pairs of the sample that were off by the most money. */
  @readonly @cds.persistence.skip
  entity QualityWorst : PairFigures {
    key source      : Integer;
    key position    : Integer;
        sku         : String(100);
        skuName     : String(200);
        skuText     : String(350);         // the code without leading zeros, and the name
        location    : String(100);
        skuGroup    : String(100);
        supplier    : String(100);
        supplierText : String(100);
        demandClass : String(20);
        classText   : String(100);
        abcXyz      : String(2);
        demand      : Double;
  }

  /** Measured quality of forecasts of 28 days, in percent but for `cases`; null where nothing was scored. */
  aspect QualityFigures {
    cases               : Integer;
    coverage            : Decimal(5, 1); // cases with demand from P10 to P90; ideally 80
    aboveP90            : Decimal(5, 1); // ideally 10
    belowP10            : Decimal(5, 1); // of the cases with P10 above 0; ideally 10
    bias                : Decimal(9, 1); // (sum of P50 − demand) / demand
    weightedLoss        : Decimal(9, 1); // 2 × pinball loss of P10, P50 and P90 / demand
    coverageCriticality : Integer;
    aboveCriticality    : Integer;
    biasCriticality     : Integer;
  }

  /** The same figures for a month, a class of demand or a confidence. */
  @readonly @cds.persistence.skip
  entity QualityParts : QualityFigures {
    key source   : Integer;
    key part     : String(10);           // month, class or confidence
    key kind     : String(10);           // of a month: given or replayed
    key code     : String(20);           // the first day of the month in which windows ended, the class or the confidence
        text     : String(100);
        kindText : String(100);
        position : Integer;              // sort order: latest month, smooth demand and high confidence first
  }

  /** State of the service, a single row. */
  @readonly @cds.persistence.skip @odata.singleton
  entity Health {
    key ID             : Integer;
        version        : String(20);
        engineVersion  : String(20);
        database       : String(20);
        answeredInMs   : Integer;
        startedAt      : Timestamp;
        sources        : Integer;
        sourcesAtFault : Integer;
        dataAsOf       : Date;           // the oldest of the connected sources
        dataAgeDays    : Integer;
        isDataStale    : Boolean;        // of any source, by the rhythm in which its demand is booked
        unfinishedSyncs: Integer;
        lastSync       : Integer;
        lastSyncStatus : String(20);
        lastSyncStatusText : String(100);
        lastSyncAt     : Timestamp;
        quarantined    : Integer;
        blocked        : Integer;
        workOverdue    : String;         // recurring work of this instance that did not end in time
        deliveriesWaiting : Integer;
        deliveriesFailed  : Integer;
        auditSeq       : Integer;
        auditHash      : String(64);
        auditSealedAt  : Timestamp;
        auditWaiting   : Integer;        // entries not yet sealed
        user           : String(255);
        mayChange      : Boolean;
  }

  /** What an administrator should do now, most urgent first. */
  @readonly @cds.persistence.skip
  entity ToDos {
    key position    : Integer;
        code        : String(50);
        criticality : Integer;
        text        : String(2000);
        cure        : String(200);      // what the link says
        link        : String(200);      // within the app
  }

  /** What counts where no rule, no ERP and nobody says otherwise. */
  @readonly @cds.persistence.skip
  entity Defaults {
    key position : Integer;
        name     : String(200);
        value    : String(200);
  }

  type Verification {
    valid    : Boolean;
    entries  : Integer;
    problem  : String(50);
    seq      : Integer;
    object   : String(255);
    nextSeq  : Integer;                // where the next call goes on; null where the end was reached
    nextHash : String(64);
  }

  /** Verifies the audit trail: a piece of 100,000 entries after the place that an earlier call came to. */
  action verifyAudit(afterSeq : Integer, afterHash : String(64)) returns Verification;
}
