/** The calendar: what administrators plan of days, beside what the sources tell. Refusals are thrown as `Refusal` (srv/base/errors.ts). */
@protocol: 'none'
service PlansService {
  /** An empty selector selects all. */
  type PlannedEvent {
    ID        : Integer;
    /** Null for an entry of the calendar. */
    source    : Integer;
    kind      : String;
    sku       : String;
    location  : String;
    skuGroup  : String;
    name      : String;
    firstDay  : Date;
    lastDay   : Date;
    factor    : Double;
    price     : Double;
    changedAt : Timestamp;
    changedBy : String;
    /** Of the answer to add: the SKUs at locations that it concerns now. */
    concerns  : Integer;
    /** source, calendar or holiday. */
    origin    : String;
  }

  /** Whose public holidays hold at a location; empty: at all that have none of their own. */
  type HolidayCalendar {
    location  : String;
    /** Null: none. */
    country   : String;
    region    : String;
    changedAt : Timestamp;
    changedBy : String;
    /** Of the answer to setHolidays. */
    concerns  : Integer;
  }

  type HolidayCalendarPage {
    data : array of HolidayCalendar;
    next : String;
  }

  type EventFilter {
    kind     : String;
    sku      : String;
    location : String;
    skuGroup : String;
    /** Those that are over before this day are left out. */
    notBefore : Date;
  }

  type EventPage {
    data : array of PlannedEvent;
    next : String;
  }

  function list(filter : EventFilter, after : String, limit : Integer) returns EventPage;
  /** An entry of the calendar. */
  function find(ID : Integer) returns PlannedEvent;
  /** What it concerns is forecast and proposed anew in the background. */
  action add(event : PlannedEvent) returns PlannedEvent;
  action remove(ID : Integer);

  function holidays(after : String, limit : Integer) returns HolidayCalendarPage;
  /** What is there is learnt, forecast and proposed anew in the background. */
  action setHolidays(calendar : HolidayCalendar) returns HolidayCalendar;
  action removeHolidays(location : String);
}
