using { restock } from '../../../db';

/** Connected ERPs: creation, consent, removal. It never returns a secret. */
@protocol: 'none'
service SourcesService {
  /** A row of restock.Sources with what is derived from it. */
  type Source {
    ID               : Integer not null;
    type             : String not null;
    account          : String not null;
    role             : String not null;
    baseUrl          : String;
    demo             : Boolean not null;
    status           : restock.SourceStatus not null;
    neededRights     : array of String;
    grantedRights    : array of String;
    checks           : array of StreamCheck;
    checkedAt        : Timestamp;
    timeZone         : String not null;      // of its schedules, and of its locations of which nothing else says it
    schedules        : Schedules not null;
    precedence       : Integer not null;
    ledBy            : array of LedPairs;    // other sources that lead pairs of this one
    problem          : Problem;
    lastSync         : LastSync;
    dataAsOf         : Date;
    createdAt        : Timestamp not null;
    authorizationUrl : String;               // where consent has just been requested
    consentExpiresAt : Timestamp;
    consentEndsAt    : Timestamp;            // when the ERP ends the consent, whatever is read
  }
  type StreamCheck { record : String not null; status : String not null; message : String; preview : array of String; notes : array of String; }
  type Schedules   { full : Schedule not null; incremental : Schedule not null; }
  type Schedule    { expression : String not null; isDefault : Boolean not null; nextRunAt : Timestamp; }
  type LedPairs    { source : Integer not null; pairs : Integer not null; }
  type Problem     { code : String not null; message : String not null; }
  type LastSync    { ID : Integer not null; status : restock.SyncStatus not null; finishedAt : Timestamp; }

  action connect(type : String, account : String, role : String, baseUrl : String, clientId : String, clientSecret : String, options : Map, fullSchedule : String, incrementalSchedule : String, precedence : Integer) returns Source;
  /** Tries a connection stream by stream, and stores nothing. */
  action testConnection(type : String, account : String, role : String, baseUrl : String, clientId : String, clientSecret : String, options : Map) returns ConnectionTest;
  type ConnectionTest {
    needsConsent  : Boolean not null;
    neededRights  : array of String;
    grantedRights : array of String;
    checks        : array of StreamCheck;
  }
  /** The kinds of ERP, each with what it is asked for. */
  function listTypes(language : String) returns array of SourceType;
  type SourceType { type : String not null; name : String not null; fields : array of Field; }
  type Field {
    name       : String not null;
    isOption   : Boolean not null;
    isRequired : Boolean not null;
    isMain     : Boolean not null;
    kind       : String enum { text; secret; number; choice; flag; } not null;
    label      : String not null;
    hint       : String;
    values     : array of { value : String not null; name : String not null; };
    least      : Double;
    most       : Double;
    preset     : String;
  }
  /** Removes this attempt, unless the source was connected at any time. */
  action giveUp(ID : Integer);
  /** Removes attempts to connect that were given up. */
  action removeAbandoned();
  action renewConsent(ID : Integer, clientId : String, clientSecret : String) returns Source;
  action changeSchedules(ID : Integer, fullSchedule : String, incrementalSchedule : String) returns Source;
  /** Of several sources with one SKU and location the one with the least precedence leads, from the next sync on. */
  action changePrecedence(ID : Integer, precedence : Integer) returns Source;
  /** Of a source without consent; null removes an option. They count for what is read from then on. */
  action changeOptions(ID : Integer, options : Map) returns Source;
  /** Tests access to every stream now. */
  action check(ID : Integer) returns Source;
  function list(after : String, limit : Integer) returns { data : array of Source; next : String; };
  function find(ID : Integer) returns Source;
  action remove(ID : Integer);
}
