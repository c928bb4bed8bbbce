/** Recurring work: queued when it is due, and done once, by any instance. */
@protocol: 'none'
service SchedulesService {
  action startSync(source : Integer, mode : String, dueAt : Timestamp);
  action housekeeping(dueAt : Timestamp);
}
