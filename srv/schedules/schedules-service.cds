/** Recurring jobs: each is queued when it is due, and runs once, on any instance. */
@protocol: 'none'
service SchedulesService {
  action startSync(source : Integer, mode : String, dueAt : Timestamp);
  action housekeeping(dueAt : Timestamp);
}
