namespace restock;

using { restock.Codes, restock.Json } from './types';
using { restock.WebhookStatuses, restock.WebhookDisabledReasons, restock.DeliveryStatuses } from './code-lists';

/**
 * What happened, for other systems: written in the transaction of the change, never altered but for
 * its batch. A batch is numbered after its events are committed, and the numbers are given one after
 * the other: who has read up to (batch, ID) has missed nothing, however late a transaction commits.
 */
entity Events {
  key ID     : String(28);         // sorts by time; shown as evt_<ID>
      batch  : Integer;            // null until it is readable
      type   : String(40);
      at     : Timestamp;
      object : String(40);         // prop_1042, src_1, sync_7
      data   : Json;
}

annotate Events with @assert.unique: { position: [batch, ID] };

/** Where events are sent to. `position` is the place in the events up to which deliveries were made. */
entity Webhooks {
  key ID             : Integer;    // shown as wh_<ID>
      url            : String(2000);
      types          : Codes;      // null for all
      status         : String(10) enum { active; disabled; } default 'active';
      toStatus       : Association to WebhookStatuses on toStatus.code = status;
      disabledReason : String(30) enum { gone; failing; by_request; };
      toDisabledReason : Association to WebhookDisabledReasons on toDisabledReason.code = disabledReason;
      failingSince   : Timestamp;  // the first failure since the last success
      position       : String(60);
      createdAt      : Timestamp;
      createdBy      : String(255);
}

/** What a webhook's calls are signed with, encrypted; two of them while one is being rotated. */
entity WebhookSecrets {
  key webhook   : Integer;         // Webhooks.ID
      toWebhook : Association to Webhooks on toWebhook.ID = webhook;
  key ID        : Integer;
      keyId     : String(16);      // the key that opens it
      sealed    : String(500);     // base64 of nonce, ciphertext and tag
      expiresAt : Timestamp;       // null for the newest
}

/** An event on its way to a webhook, and what became of it. */
entity WebhookDeliveries {
  key webhook        : Integer;    // Webhooks.ID
      toWebhook      : Association to Webhooks on toWebhook.ID = webhook;
  key event          : String(28); // Events.ID
      toEvent        : Association to Events on toEvent.ID = event;
      type           : String(40);
      status         : String(10) enum { pending; succeeded; failed; } default 'pending';
      toStatus       : Association to DeliveryStatuses on toStatus.code = status;
      attempts       : Integer default 0;
      // Of the present plan: a replay begins a new one.
      retries        : Integer default 0;
      nextAttemptAt  : Timestamp;      // when it is due
      // The instance that sends it, until when.
      owner          : String(36);
      leaseUntil     : Timestamp;
      lastAttemptAt  : Timestamp;
      responseStatus : Integer;
      // The beginning of a refusing answer, or why there was none.
      problem        : String(200);
}

annotate WebhookDeliveries with @assert.unique: { due: [webhook, status, nextAttemptAt, event] };
