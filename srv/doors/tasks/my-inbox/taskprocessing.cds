using { restock } from '../../../../db';

/**
 * The tasks as SAP Gateway's task processing shows them to My Inbox. The names are SAP's; read at
 * /odata/v2/TASKPROCESSING. Everybody sees the tasks that they may decide about, and no others.
 */
@path: 'TASKPROCESSING'
@requires: 'authenticated-user'
service TASKPROCESSING {

  @readonly
  @cds.query.limit: { default: 1000, max: 1000 }
  entity TaskCollection as select from restock.Tasks {
    key 'RESTOCK' as SAP__Origin : String(40),
    key localId as InstanceID,
        'ORDER_PROPOSAL_APPROVAL' as TaskDefinitionID : String(80),
        'Approve order proposal' as TaskDefinitionName : String(80),
        subject as TaskTitle,
        priority as Priority,
        case priority when 'VERY_HIGH' then 1 when 'HIGH' then 4 when 'MEDIUM' then 5 else 9 end
          as PriorityNumber : Integer,
        case status when 'FOR_RESUBMISSION' then 'FOR_RESUBMIT' else status end as Status : String(20),
        status as StatusText,
        createdAt as CreatedOn,
        dueAt as CompletionDeadLine,
        completedAt as CompletedOn,
        resumeAt as ResumeOn,
        processor as Processor,
        processor as ProcessorName,
        completedBy as CompletedBy,
        '' as CreatedBy : String(255),
        '' as CreatedByName : String(255),
        '' as SubstitutedUser : String(255),
        '' as SubstitutedUserName : String(255),
        '' as ForwardingUser : String(255),
        '' as ForwardingUserName : String(255),
        '' as ForwardedUser : String(255),
        '' as ScenarioID : String(80),
        cast(null as Timestamp) as StartDeadLine : Timestamp,
        cast(null as Timestamp) as ExpiryDate : Timestamp,
        cast(null as Timestamp) as ForwardedOn : Timestamp,
        cast(null as String(2000)) as GUI_Link : String(2000),
        false as IsEscalated : Boolean,
        true as SupportsComments : Boolean,
        false as SupportsAttachments : Boolean,
        case when status in ('READY', 'RESERVED') then true else false end as SupportsClaim : Boolean,
        case when status = 'RESERVED' then true else false end as SupportsRelease : Boolean,
        false as SupportsForward : Boolean,
        false as HasAttachments : Boolean,
        false as HasComments : Boolean,
        false as HasPotentialOwners : Boolean,
        audience,
        proposal,
        Description : Association to DescriptionCollection on Description.InstanceID = InstanceID
          and Description.SAP__Origin = SAP__Origin,
        UIExecutionLink : Association to UIExecutionLinkCollection
          on UIExecutionLink.InstanceID = InstanceID and UIExecutionLink.SAP__Origin = SAP__Origin,
        TaskDefinitionData : Association to TaskDefinitionCollection
          on TaskDefinitionData.TaskDefinitionID = TaskDefinitionID
          and TaskDefinitionData.SAP__Origin = SAP__Origin,
        CustomAttributeData : Association to many CustomAttributeCollection
          on CustomAttributeData.InstanceID = InstanceID
          and CustomAttributeData.SAP__Origin = SAP__Origin,
        Comments : Association to many CommentCollection
          on Comments.InstanceID = InstanceID and Comments.SAP__Origin = SAP__Origin,
  }

  @readonly @cds.persistence.skip
  entity DescriptionCollection {
    key SAP__Origin : String(40);
    key InstanceID  : String(64);
        Description     : LargeString;
        DescriptionHtml : LargeString;
  }

  @readonly @cds.persistence.skip
  entity UIExecutionLinkCollection {
    key SAP__Origin : String(40);
    key InstanceID  : String(64);
        GUI_Link    : String(2000);
        UIMimeType  : String(80);
  }

  @readonly @cds.persistence.skip
  entity CustomAttributeCollection {
    key SAP__Origin : String(40);
    key InstanceID  : String(64);
    key Name  : String(80);
        Label : String(80);
        Type  : String(20);
        Value : String(255);
  }

  @readonly @cds.persistence.skip
  entity CustomAttributeDefinitionCollection {
    key SAP__Origin      : String(40);
    key TaskDefinitionID : String(80);
    key Name  : String(80);
        Label : String(80);
        Type  : String(20);
        Rank  : Integer;
  }

  @readonly @cds.persistence.skip
  entity CommentCollection {
    key SAP__Origin : String(40);
    key InstanceID  : String(64);
    key ID            : String(36);
        CreatedAt     : Timestamp;
        CreatedBy     : String(255);
        CreatedByName : String(255);
        Text          : String(1000);
  }

  @readonly @cds.persistence.skip
  entity TaskDefinitionCollection {
    key SAP__Origin      : String(40);
    key TaskDefinitionID : String(80);
        TaskName         : String(80);
  }

  @readonly @cds.persistence.skip
  entity SystemInfoCollection {
    key SAP__Origin      : String(40);
        SystemAlias      : String(80);
        SystemInfoName   : String(80);
  }

  type DecisionOption {
    InstanceID       : String(64);
    DecisionKey      : String(10);
    DecisionText     : String(80);
    CommentMandatory : Boolean;
    ReasonRequired   : String(20);
    Nature           : String(20);
  }

  function DecisionOptions(SAP__Origin : String, InstanceID : String) returns array of DecisionOption;
  action Decision(SAP__Origin : String, InstanceID : String, DecisionKey : String, Comments : String, ReasonCode : String)
    returns TaskCollection;
  action Claim(SAP__Origin : String, InstanceID : String) returns TaskCollection;
  action Release(SAP__Origin : String, InstanceID : String) returns TaskCollection;
  action AddComment(SAP__Origin : String, InstanceID : String, Text : String) returns CommentCollection;
}
