// What happened, and how well all goes.
using { restock } from '../../db';
using { AdminService } from './admin-service';

extend service AdminService with {
  /** Administrative changes. */
  @readonly
  entity AuditLog as projection on restock.AuditLog {
    key ID, at, actor, via, action, object, detail, seq
  };

  /** What of a source is forecast, how sure the forecasts are by a sample of them, and how good they were. */
  @readonly @cds.persistence.skip
  entity ForecastQuality : QualityFigures {
    key source        : Integer;
        number        : String(20);
        account       : String(500);
        asOf          : Date;
        engineVersion : String(20);
        series        : Integer;
        forecasts     : Integer;
        waiting       : Integer;         // series whose demand has changed since
        windows       : Integer;         // past windows that the weights of the methods were learnt from
        sampled       : Integer;         // forecasts that these shares were counted from
        highShare     : Decimal(5, 1);   // per cent
        mediumShare   : Decimal(5, 1);
        lowShare      : Decimal(5, 1);
        kind          : String(10);      // given or replayed: what the figures and those by class are of
        kindText      : String(100);
        period        : String(50);      // the three latest months that windows ended in
        isUnmeasured  : Boolean;         // no window has ended yet
        byMonth       : Association to many QualityParts on byMonth.source = source and byMonth.part = 'month';
        byClass       : Association to many QualityParts on byClass.source = source and byClass.part = 'class';
        byConfidence  : Association to many QualityParts on byConfidence.source = source and byConfidence.part = 'confidence';
  }

  /** How good forecasts of 28 days were; null where nothing was scored. In per cent, but for the cases. */
  aspect QualityFigures {
    cases               : Integer;
    coverage            : Decimal(5, 1); // demand within P10 and P90; 80 is right
    aboveP90            : Decimal(5, 1); // 10 is right
    belowP10            : Decimal(5, 1); // of those whose P10 is more than nothing; 10 is right
    bias                : Decimal(9, 1); // what P50 added up to more than the demand did
    weightedLoss        : Decimal(9, 1); // 2 × pinball loss of P10, P50 and P90 over the demand
    coverageCriticality : Integer;
    aboveCriticality    : Integer;
    biasCriticality     : Integer;
  }

  /** The same figures of a month, of a class of demand or of a confidence. */
  @readonly @cds.persistence.skip
  entity QualityParts : QualityFigures {
    key source   : Integer;
    key part     : String(10);           // month, class or confidence
    key kind     : String(10);           // of a month: given or replayed
    key code     : String(20);           // the month's first day, in which windows ended; the class; the confidence
        text     : String(100);
        kindText : String(100);
        position : Integer;              // the latest month, smooth demand and high confidence first
  }

  /** One row: whether everything works. */
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
        unfinishedSyncs: Integer;
        lastSync       : Integer;
        lastSyncStatus : String(20);
        lastSyncStatusText : String(100);
        lastSyncAt     : Timestamp;
        quarantined    : Integer;
        blocked        : Integer;
        queued         : Integer;
        queueFailed    : Integer;        // given up after all attempts
        deliveriesWaiting : Integer;
        deliveriesFailed  : Integer;
        auditSeq       : Integer;
        auditHash      : String(64);
        auditSealedAt  : Timestamp;
        auditWaiting   : Integer;        // entries that are not sealed yet
        user           : String(255);
        mayChange      : Boolean;
  }

  type Verification {
    valid   : Boolean;
    entries : Integer;
    problem : String(50);
    seq     : Integer;
    object  : String(255);
  }

  /** Walks the whole audit trail. */
  action verifyAudit() returns Verification;
}
