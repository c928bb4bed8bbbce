// What happened, and how well all goes.
using { restock } from '../../db';
using { AdminService } from './admin-service';

extend service AdminService with {
  /** Administrative acts. */
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
        byMonth       : Association to many QualityMonths on byMonth.source = source;
        byClass       : Association to many QualityClasses on byClass.source = source;
        byConfidence  : Association to many QualityConfidences on byConfidence.source = source;
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

  @readonly @cds.persistence.skip
  entity QualityMonths : QualityFigures {
    key source    : Integer;
    key kind      : String(10);
    key month     : Date;                // its first day; windows that ended in it
        monthText : String(50);
        kindText  : String(100);
  }

  @readonly @cds.persistence.skip
  entity QualityClasses : QualityFigures {
    key source          : Integer;
    key demandClass     : String(20);
        demandClassText : String(100);
        position        : Integer;      // smooth first
  }

  @readonly @cds.persistence.skip
  entity QualityConfidences : QualityFigures {
    key source         : Integer;
    key confidence     : String(10);
        confidenceText : String(100);
        position       : Integer;       // high first
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
