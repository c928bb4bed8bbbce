using { restock } from '../../../db';

/** Runs of reading an ERP, one at a time a source, followed by forecasts and proposals. */
@protocol: 'none'
service SyncService {
  type Sync : projection on restock.Syncs {
    ID, source.ID as source, mode, status, phase, done, total, unit, rowsRead, upserted, unchanged, quarantined, deleted,
    issues, notes, createdAt, startedAt, finishedAt, cancelRequested, null as estimatedEndAt : Timestamp
  };

  /**
   * Queues a run and returns it; 409 `sync_in_progress` where one is unfinished. One that nobody has asked for is refused
   * for a day after the source's last one was given up.
   */
  action start(source : Integer, mode : String, isAutomatic : Boolean) returns Sync;
  function find(ID : Integer) returns Sync;
  function list(source : Integer, after : String, limit : Integer) returns { data : array of Sync; next : String; };
  action cancel(ID : Integer) returns Sync;
}
