// Personal data of those who use the service.
using { PrivacyService } from '../../../domain/privacy/privacy-service';
using { AdminService } from '../admin-service';

extend service AdminService with {
  /** All that is stored of a person, as JSON. */
  @requires: 'Admin'
  action exportPerson(user : String(255)) returns LargeString;
  /** Deletes what is about a person, and replaces the id by a pseudonym elsewhere, in the audit trail too. */
  @requires: 'Admin'
  action erasePerson(user : String(255)) returns PrivacyService.Erasure;
}
