/** Connected ERPs: creation, consent, removal. It never returns a secret. */
@protocol: 'none'
service SourcesService {
  type Source { ID : Integer; }

  action connect(type : String, account : String, role : String, baseUrl : String, clientId : String, clientSecret : String, options : Map, fullSchedule : String, incrementalSchedule : String) returns Source;
  action renewConsent(ID : Integer, clientId : String, clientSecret : String) returns Source;
  action changeSchedules(ID : Integer, fullSchedule : String, incrementalSchedule : String) returns Source;
  /** Tests access to every stream now. */
  action check(ID : Integer) returns Source;
  function list(after : String, limit : Integer) returns { data : array of Source; next : String; };
  function find(ID : Integer) returns Source;
  action remove(ID : Integer);

  /** A consent has ended. */
  event reconsentRequired { source : Integer; }
}
