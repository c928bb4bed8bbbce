// Personal data of those who use the service.
using { AdminService } from '../admin-service';

extend service AdminService with {
  /** The name is that of the metadata as it was published. */
  type PrivacyService_Erasure {
    pseudonym : String not null;         // stands in the place of the id from now on
    rows      : Integer not null;        // deleted or changed
    entries   : Integer not null;        // of the audit trail, in which the id was replaced
  }

  /** All that is stored of a person, as JSON. */
  @requires: 'Admin'
  action exportPerson(user : String(255)) returns LargeString;
  /** Deletes what is about a person, and replaces the id by a pseudonym elsewhere, in the audit trail too. */
  @requires: 'Admin'
  action erasePerson(user : String(255)) returns PrivacyService_Erasure;
}
