// What happened, and how well all goes.
using { restock } from '../../db';
using { AdminService } from './admin-service';

extend service AdminService with {
  /** Administrative acts. */
  @readonly
  entity AuditLog as projection on restock.AuditLog {
    key ID, at, actor, via, action, object, detail, seq
  };

  /** What of a source is forecast, and how sure the forecasts are by a sample of them. */
  @readonly @cds.persistence.skip
  entity ForecastQuality {
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
